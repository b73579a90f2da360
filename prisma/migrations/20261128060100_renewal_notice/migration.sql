-- What a member was last told about the next renewal of a subscription (ADR 0071).
CREATE TABLE renewal_notice (
    subscription_id varchar(64) NOT NULL,
    member_id varchar(32) NOT NULL,
    renews_at timestamptz(3),
    amount integer,
    currency varchar(3),
    notices integer NOT NULL DEFAULT 0,
    checked_at timestamptz(3) NOT NULL,
    CONSTRAINT renewal_notice_pkey PRIMARY KEY (subscription_id),
    CONSTRAINT renewal_notice_member_id_fkey FOREIGN KEY (member_id) REFERENCES member (id)
        ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX renewal_notice_member_id_idx ON renewal_notice (member_id);

-- The renewals that are due next, which a daily job reads in this order.
CREATE INDEX plan_connection_renewal_idx ON plan_connection (period_ends_at, id)
    WHERE subscription_id IS NOT NULL AND ends_at IS NULL AND status IN ('ACTIVE', 'TRIALING');

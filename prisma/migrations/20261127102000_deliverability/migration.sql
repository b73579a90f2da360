-- What became of emails, by receiving domain and day. It outlasts the deliveries, and holds no address.

ALTER TABLE delivery ADD COLUMN complained_at timestamptz(3);

-- In quarters of an hour, of which every time zone's days consist. Each connection counts in rows of its own, as in
-- delivery_count; the API merges the rows of a day later.
CREATE TABLE deliverability (
    at timestamptz(3) NOT NULL,
    domain varchar(255) NOT NULL,
    backend integer NOT NULL,
    sent integer NOT NULL DEFAULT 0,
    delivered integer NOT NULL DEFAULT 0,
    bounced integer NOT NULL DEFAULT 0,
    complained integer NOT NULL DEFAULT 0,
    refused integer NOT NULL DEFAULT 0,
    CONSTRAINT deliverability_pkey PRIMARY KEY (at, domain, backend)
);

-- Counts by the time at which a message was sent, so that the numbers of a day belong together. Rows of one member that
-- change together are one message.
CREATE FUNCTION count_deliverability() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO deliverability AS counted (at, domain, backend, sent, delivered, bounced, complained)
    SELECT
        date_bin('15 minutes', coalesce(sent_at, claimed_at, updated_at), timestamptz '2000-01-01 00:00Z'),
        receiving_domain(recipient),
        pg_backend_pid(),
        count(DISTINCT message) FILTER (WHERE is_sent AND NOT was_sent),
        count(DISTINCT message) FILTER (WHERE state = 'delivered' AND was <> 'delivered'),
        count(DISTINCT message) FILTER (WHERE state = 'bounced' AND was <> 'bounced'),
        count(DISTINCT message) FILTER (WHERE has_complained)
    FROM (
        SELECT
            added.*,
            removed.state AS was,
            added.state IN ('sent', 'delivered', 'bounced') AS is_sent,
            removed.state IN ('sent', 'delivered', 'bounced') AS was_sent,
            added.complained_at IS NOT NULL AND removed.complained_at IS NULL AS has_complained,
            coalesce(added.run_id || ' ' || added.member_id, added.id::text) AS message
        FROM added JOIN removed USING (id)
        WHERE added.recipient LIKE '%@%'
    ) AS changed
    WHERE is_sent AND state <> was OR has_complained
    GROUP BY 1, 2
    ON CONFLICT ON CONSTRAINT deliverability_pkey DO UPDATE SET
        sent = counted.sent + excluded.sent,
        delivered = counted.delivered + excluded.delivered,
        bounced = counted.bounced + excluded.bounced,
        complained = counted.complained + excluded.complained;
    RETURN NULL;
END $$;

CREATE TRIGGER delivery_count_deliverability AFTER UPDATE ON delivery
    REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_deliverability();

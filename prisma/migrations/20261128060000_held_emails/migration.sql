-- An email about a payment waits for an address that its member has proved (ADR 0071). Its recipient is empty until then.
ALTER TABLE outbox_email
    ADD COLUMN held_for varchar(32),
    ADD COLUMN released_at timestamptz(3),
    ADD CONSTRAINT outbox_email_held_for_fkey FOREIGN KEY (held_for) REFERENCES member (id)
        ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX outbox_email_held_for_idx ON outbox_email (held_for) WHERE held_for IS NOT NULL;

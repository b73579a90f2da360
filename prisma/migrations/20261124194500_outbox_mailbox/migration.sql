-- The mailbox of an email's recipient, for limits. Processes of the former version leave it empty.

ALTER TABLE outbox_email ADD COLUMN mailbox VARCHAR(320) NOT NULL DEFAULT '';

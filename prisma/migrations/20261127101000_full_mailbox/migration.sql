-- A full mailbox ends deliveries only after refusals on several days.

ALTER TABLE suppression
    ADD COLUMN full_days date[] NOT NULL DEFAULT '{}',
    ADD COLUMN full_at timestamptz(3);

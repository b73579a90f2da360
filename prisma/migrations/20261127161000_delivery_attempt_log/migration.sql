-- The attempts of a delivery that was not accepted at once: when each was handed over, its outcome and the reply. Null for
-- the usual one, whose only attempt claimed_at, state and reason describe.

ALTER TABLE delivery ADD COLUMN attempt_log jsonb;

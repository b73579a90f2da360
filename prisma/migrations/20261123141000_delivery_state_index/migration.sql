-- One index for what is still to be sent, what is being handed over, and a page of any state. A sender claims deliveries when
-- it hands them over, so that no index needs the claims.

CREATE INDEX delivery_run_id_state_id_idx ON delivery (run_id, state, id);
-- The first and the last ones of a run.
CREATE INDEX delivery_sent_idx ON delivery (run_id, sent_at) WHERE sent_at IS NOT NULL;

DROP INDEX delivery_planned_idx;
DROP INDEX delivery_claimed_idx;
DROP INDEX delivery_exception_idx;

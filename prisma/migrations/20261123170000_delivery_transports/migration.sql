-- A sender takes the deliveries of one method at a time, in order, without those of other methods between them.

CREATE INDEX delivery_run_id_state_method_id_idx ON delivery (run_id, state, method, id);
DROP INDEX delivery_run_id_state_id_idx;

-- Which transport a sender works for. The earlier code sends emails only.
ALTER TABLE delivery_sender ADD COLUMN transport varchar(20) NOT NULL DEFAULT 'email';

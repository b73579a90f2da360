-- Pages of a run's deliveries. Both columns grow, so that new rows go to the end.

CREATE INDEX delivery_run_id_id_idx ON delivery (run_id, id);

-- The servers that hand over deliveries and are unavailable, as the worker that tried last found.
CREATE TABLE delivery_server (
    transport varchar(20) PRIMARY KEY,
    unavailable_since timestamptz(3) NOT NULL,
    reason varchar(300) NOT NULL
);

-- The deliveries that wait until a time, in its order. Most are sent without an entry here.
CREATE INDEX delivery_waiting_idx ON delivery (run_id, method, next_attempt_at)
    WHERE state = 'planned' AND next_attempt_at IS NOT NULL;

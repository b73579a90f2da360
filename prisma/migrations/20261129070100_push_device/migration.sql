-- The browsers that are notified of new editions.

CREATE TABLE push_device (
    id uuid PRIMARY KEY DEFAULT uuidv7(),
    member_id varchar(32) NOT NULL REFERENCES member (id) ON DELETE CASCADE ON UPDATE CASCADE,
    name varchar(60) NOT NULL,
    endpoint varchar(2000) NOT NULL,
    endpoint_hash char(64) NOT NULL CONSTRAINT push_device_endpoint_hash_key UNIQUE,
    p256dh varchar(120) NOT NULL,
    auth varchar(40) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    last_notified_at timestamptz(3),
    last_run_id integer
);

CREATE INDEX push_device_member_id_idx ON push_device (member_id, id);

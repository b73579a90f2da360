-- The session that added a browser, which ends with it. Null once the session has expired, and for those added before.

ALTER TABLE push_device
    ADD COLUMN session_id uuid REFERENCES member_session (id) ON DELETE CASCADE ON UPDATE CASCADE;

CREATE INDEX push_device_session_id_idx ON push_device (session_id);

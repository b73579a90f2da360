-- The key of ours that a browser subscribed with. Null for those added before, which count as of the present key.

ALTER TABLE push_device ADD COLUMN vapid_key varchar(100);

-- Planning reads only this index.
DROP INDEX push_device_member_id_idx;
CREATE INDEX push_device_member_id_idx ON push_device (member_id, vapid_key);

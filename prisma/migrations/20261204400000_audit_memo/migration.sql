-- The memo that an entry is about, so that the log of one memo is found by index. Earlier entries get theirs next.
ALTER TABLE audit_entry ADD COLUMN memo_id uuid;
CREATE INDEX audit_entry_memo_id_id_idx ON audit_entry (memo_id, id);

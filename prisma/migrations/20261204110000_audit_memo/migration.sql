-- The audit log is filtered by memo. Entries about memos name it in their details, as an id or as the whole memo.
ALTER TABLE audit_entry ADD COLUMN memo_id UUID;
UPDATE audit_entry
SET memo_id = (CASE jsonb_typeof(details -> 'memo')
    WHEN 'string' THEN details ->> 'memo'
    ELSE details -> 'memo' ->> 'id'
END)::uuid
WHERE action LIKE 'memo.%';
CREATE INDEX audit_entry_memo_id_idx ON audit_entry (memo_id, id);

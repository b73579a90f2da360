-- As `memoOf` in `changes.repository.ts` does for new entries.
UPDATE audit_entry SET memo_id = CASE
    WHEN jsonb_typeof(details->'memo') = 'string' THEN details->>'memo'
    ELSE coalesce(details->'memo'->>'id', details->'before'->>'id')
END::uuid
WHERE action LIKE 'memo.%' AND memo_id IS NULL;

-- For the search of what readers don't have: working copies and deleted memos, and of what a person saved.
CREATE FUNCTION desk_memo_text(fields jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN desk_text(
    coalesce(fields->>'title', ''),
    coalesce(fields->>'memo_content', ''),
    coalesce(fields->>'source', '') || E'\n' || coalesce(fields->>'media_title', '') || E'\n'
        || coalesce(fields->>'media_alt', '') || E'\n' || coalesce(fields->>'media_text', ''));

CREATE INDEX working_copy_memo_text_idx ON working_copy USING gin (desk_memo_text(fields) gin_trgm_ops)
    WHERE kind = 'memo';
CREATE INDEX deleted_memo_desk_text_idx ON deleted_memo USING gin (desk_memo_text(fields) gin_trgm_ops);
CREATE INDEX memo_saved_by_id_idx ON memo (saved_by_id);

-- All memos of a deleted edition have the same time.
DROP INDEX deleted_memo_deleted_at_idx;
CREATE INDEX deleted_memo_deleted_at_idx ON deleted_memo (deleted_at, memo_id);

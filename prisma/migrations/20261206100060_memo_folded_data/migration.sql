-- Memos that are written meanwhile have their row from the trigger.
INSERT INTO memo_folded (memo_id, text)
SELECT id, desk_text(title, content,
    source || E'\n' || media_title || E'\n' || coalesce(media_alt, '') || E'\n' || media_text)
FROM memo
ON CONFLICT (memo_id) DO NOTHING;

CREATE INDEX memo_folded_text_idx ON memo_folded USING gin (text gin_trgm_ops);

-- What editors search of a memo, alt texts included. It is stored, because an index of trigrams finds more than it should:
-- to fold each text again would take seconds for a word that many memos have.
CREATE TABLE memo_folded (
    memo_id UUID NOT NULL,
    text TEXT NOT NULL,
    CONSTRAINT memo_folded_pkey PRIMARY KEY (memo_id),
    CONSTRAINT memo_folded_memo_id_fkey FOREIGN KEY (memo_id) REFERENCES memo (id)
        ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE FUNCTION memo_fold() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO memo_folded (memo_id, text)
    VALUES (NEW.id, desk_text(NEW.title, NEW.content, NEW.source || E'\n' || NEW.media_title || E'\n'
        || coalesce(NEW.media_alt, '') || E'\n' || NEW.media_text))
    ON CONFLICT (memo_id) DO UPDATE SET text = EXCLUDED.text;
    RETURN NULL;
END $$;

CREATE TRIGGER memo_fold AFTER INSERT OR UPDATE OF title, content, source, media_title, media_alt, media_text ON memo
    FOR EACH ROW EXECUTE FUNCTION memo_fold();

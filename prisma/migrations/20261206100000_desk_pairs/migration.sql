-- Trigrams don't find words of one or two characters, as Chinese and Japanese have them. Where a script has no spaces
-- between words, each pair of neighbors and the last character become words: `東京都` is `東京`, `京都` and `都`.
CREATE FUNCTION desk_pairs(folded text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
    -- Han, Kana, Bopomofo, Hangul, Thai, Lao, Myanmar and Khmer, as in `search_tokens`.
    unspaced CONSTANT text :=
        '[\u2e80-\u2fd5\u3005-\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff'
        '\U00020000-\U0003ffff\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31f0-\u31ff'
        '\uff66-\uff9f\uac00-\ud7a3\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1050-\u109d\u1780-\u17d3]';
    pairs text;
BEGIN
    IF octet_length(folded) = length(folded) OR folded !~ unspaced THEN
        RETURN folded;
    END IF;
    -- U+0001 separates the words. U+0004 marks the first character of a run, which is no word of its own.
    pairs := regexp_replace(folded, unspaced || '+', E'\u0001\u0004\\&\u0001', 'g');
    pairs := regexp_replace(pairs, unspaced, E'\\&\u0001\\&', 'g');
    RETURN regexp_replace(pairs, E'\u0004.\u0001', '', 'g');
END $$;

-- Dashes are one, too: before a word, the index knows only signs of the first 2,048 characters.
CREATE OR REPLACE FUNCTION desk_folded(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN desk_pairs(translate(search_folded(given), '“”„‟‐‑‒–—…', '""""-----.'));

-- The pattern of LIKE for a typed word, in which signs of LIKE are escaped. In a text, its last character may go on.
CREATE FUNCTION desk_pattern(word text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN '%' || regexp_replace(regexp_replace(desk_folded(word), E'(.)\u0001\\1\u0001$', '\1'), E'\u0001$', '') || '%';

-- A table replaces it.
DROP INDEX memo_desk_text_idx;

DO $$
DECLARE
    folded regclass;
BEGIN
    FOR folded IN
        SELECT DISTINCT objid::regclass FROM pg_depend
        WHERE classid = 'pg_class'::regclass AND refclassid = 'pg_proc'::regclass
            AND refobjid IN ('desk_text(text, text, text)'::regprocedure, 'desk_folded(text)'::regprocedure)
    LOOP
        EXECUTE format('REINDEX INDEX %s', folded);
    END LOOP;
END $$;

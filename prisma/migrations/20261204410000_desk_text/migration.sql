-- Folds a text as the readers' search does, with straight quotes. Both functions are written with RETURN, so that their
-- indexes don't depend on the search path.
CREATE FUNCTION desk_folded(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN translate(search_folded(given), '“”„‟', '""""');

-- What editors search: the words of a text without its tags. Any part of a word is found, in drafts too, and in every
-- language.
CREATE FUNCTION desk_text(title text, html text, rest text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN desk_folded(title || E'\n' || replace(replace(replace(replace(
    regexp_replace(
        regexp_replace(html || E'\n' || rest, '</?(strong|b|em|i|u|s|ins|a|code|abbr|span|sup|sub|bdi|bdo)( [^<>]*)?>', '', 'g'),
        '<[^<>]*>', ' ', 'g'),
    '&lt;', '<'), '&gt;', '>'), '&nbsp;', ' '), '&amp;', '&'));

-- Folding a text takes so long that no query should do it for every row, where an index has the folded texts.
ALTER FUNCTION search_folded(text) COST 5000;

CREATE INDEX memo_desk_text_idx ON memo
    USING gin (desk_text(title, content, source || E'\n' || media_title || E'\n' || media_text) gin_trgm_ops);
CREATE INDEX article_desk_text_idx ON article USING gin (desk_text(title, content, media_title) gin_trgm_ops);
CREATE INDEX edition_status_date_idx ON edition (status, date, id);

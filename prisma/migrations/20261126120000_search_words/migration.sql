-- Texts and queries are compared without accents, in NFC, and in pairs of characters where a script puts no spaces between
-- words. The functions keep their signatures, because the previous version of the code calls them.

CREATE EXTENSION IF NOT EXISTS unaccent;

-- For each configuration, one that removes accents before the stemmer: `unaccented_german` beside `german`.
DO $$
DECLARE
    config name;
    stemmer name;
BEGIN
    FOR config IN SELECT cfgname FROM pg_ts_config WHERE cfgnamespace = 'pg_catalog'::regnamespace LOOP
        stemmer := CASE config WHEN 'simple' THEN 'simple' ELSE config || '_stem' END;
        EXECUTE format('CREATE TEXT SEARCH CONFIGURATION %I (COPY = pg_catalog.%I)', 'unaccented_' || config, config);
        EXECUTE format('ALTER TEXT SEARCH CONFIGURATION %I ALTER MAPPING FOR word, hword, hword_part WITH unaccent, %I',
            'unaccented_' || config, stemmer);
    END LOOP;
END $$;

-- The LC_CTYPE that the index was made with. The parser of words depends on it.
ALTER TABLE search_site ADD COLUMN ctype text NOT NULL DEFAULT '';

CREATE FUNCTION search_ctype() RETURNS text LANGUAGE sql STABLE
RETURN (SELECT datctype FROM pg_database WHERE datname = current_database());

UPDATE search_site SET ctype = search_ctype();

-- Returns the text of sanitized HTML. Inline tags may stand inside a word, other tags separate words. Raised and lowered
-- digits become Unicode's, and struck text is left out where an insertion follows.
CREATE OR REPLACE FUNCTION search_html(html text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
    plain text := html;
    raised record;
BEGIN
    IF strpos(plain, '<ins') > 0 THEN
        -- Between them may be spaces, other inline tags and more struck text, up to a limit that keeps it fast.
        plain := regexp_replace(plain, '<s(?: [^<>]*)?>(?:[^<]|<(?!/s>))*</s>(?=(?:\s+|</?(?:strong|b|em|i|u|a|code|span)'
            || '(?: [^<>]*)?>|<s(?: [^<>]*)?>(?:[^<]|<(?!/s>))*</s>){0,8}<ins[ >])', '', 'g');
    END IF;
    plain := regexp_replace(plain, '</?(strong|b|em|i|u|s|ins|a|code|abbr|span|bdi|bdo|ruby)( [^<>]*)?>', '', 'g');
    IF strpos(plain, '<su') > 0 THEN
        FOR raised IN
            SELECT DISTINCT parts[1] AS element, parts[2] AS tag, parts[3] AS signs
            FROM regexp_matches(plain, '(<(su[bp])(?: [^<>]*)?>([0-9+=()\u2212-]+)</su[bp]>)', 'g') parts
        LOOP
            plain := replace(plain, raised.element, translate(raised.signs, '0123456789+-=()−',
                CASE raised.tag WHEN 'sup' THEN '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾⁻' ELSE '₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎₋' END));
        END LOOP;
        plain := regexp_replace(plain, '<sup( [^<>]*)?>([^<]+)</sup>', '^(\2)', 'g');
        plain := regexp_replace(plain, '<sub( [^<>]*)?>([^<]+)</sub>', '_(\2)', 'g');
    END IF;
    plain := regexp_replace(plain, '<[^<>]*>|[\u0001-\u001f\u007f]', ' ', 'g');
    IF strpos(plain, '&') > 0 THEN
        plain := replace(replace(replace(replace(plain, '&nbsp;', ' '), '&lt;', '<'), '&gt;', '>'), '&quot;', '"');
        -- Last, so that escaped entities stay escaped.
        plain := replace(plain, '&amp;', '&');
    END IF;
    RETURN plain;
END $$;

-- Returns a text in lower case and NFC, with one kind of apostrophe and of width, and without what is invisible, optional
-- vowels of Arabic and Hebrew included. Other accents stay: the dictionary `unaccent` removes them from words.
CREATE FUNCTION search_folded(given text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
    folded text := lower(given COLLATE pg_c_utf8);
BEGIN
    IF octet_length(folded) = length(folded) THEN
        RETURN folded;
    END IF;
    RETURN translate(
        regexp_replace(normalize(folded, NFC),
            '[\u00ad\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u061c\u0640\u064b-\u065f'
            '\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u200b-\u200f\u202a-\u202e\u2060-\u2064'
            '\u2066-\u2069\ufe00-\ufe0f\ufeff]', '', 'g'),
        'ς‘’ʻʼʹ＇' || '０１２３４５６７８９ａｂｃｄｅｆｇｈｉｊｋｌｍｎｏｐｑｒｓｔｕｖｗｘｙｚ',
        'σ''''''''''''' || '0123456789abcdefghijklmnopqrstuvwxyz');
END $$;

-- Returns a folded text in which U+0001 separates what PostgreSQL's parser would keep together: the parts of addresses,
-- paths, decimal and signed numbers, and hyphenated words, and raised digits. Where a script has no spaces between words, each pair of
-- neighbors and the last character become words: `東京都` is `東京`, `京都` and `都`. U+0005 follows a repeated character.
CREATE FUNCTION search_tokens(given text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
    tokens text := search_folded(given);
    -- Han, Kana, Bopomofo, Hangul, Thai, Lao, Myanmar and Khmer.
    unspaced CONSTANT text :=
        '[\u2e80-\u2fd5\u3005-\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff'
        '\U00020000-\U0003ffff\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31f0-\u31ff'
        '\uff66-\uff9f\uac00-\ud7a3\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1050-\u109d\u1780-\u17d3]';
BEGIN
    tokens := regexp_replace(tokens, '[!#-/:-@\\\[\]^_`{|}~](?=[^\s"])', E'\\&\u0001', 'g');
    -- As in `1^(st)`.
    IF strpos(tokens, E'(\u0001') > 0 THEN
        tokens := regexp_replace(tokens, '(?<=[[:alnum:]])[\^_]\u0001\(\u0001([[:alpha:]]{1,3})\)\u0001?', '\1', 'g');
    END IF;
    IF octet_length(tokens) = length(tokens) THEN
        RETURN tokens;
    END IF;
    IF tokens ~ '[\u00b2\u00b3\u00b9\u2070-\u2089]' THEN
        -- A lowered digit belongs to its formula, a raised one is a power or a footnote.
        tokens := translate(
            regexp_replace(tokens, '[\u00b2\u00b3\u00b9\u2070-\u2079]+|(?<=[0-9])[\u2080-\u2089]+', E'\u0001\\&\u0001', 'g'),
            '⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉', '01234567890123456789');
    END IF;
    IF tokens ~ unspaced THEN
        -- U+0004 marks the first character of a run, which is no word of its own.
        tokens := regexp_replace(tokens, unspaced || '+', E'\u0001\u0004\\&\u0001', 'g');
        tokens := regexp_replace(tokens, unspaced, E'\\&\u0005\\&', 'g');
        tokens := regexp_replace(tokens, E'\u0004.\u0005', '', 'g');
    END IF;
    RETURN tokens;
END $$;

-- Returns the words of tokens, as the grammar of the language has them and without accents, at the same positions. The
-- limit keeps every text below the size of a tsvector.
CREATE FUNCTION search_words(config text, tokens text) RETURNS tsvector LANGUAGE plpgsql STABLE AS $$
DECLARE
    most CONSTANT int := 150000;
    words tsvector := to_tsvector(config::regconfig, left(tokens, most));
    unaccented tsvector;
BEGIN
    IF octet_length(tokens) = length(tokens) THEN
        RETURN words;
    END IF;
    unaccented := to_tsvector(('unaccented_' || config)::regconfig, left(tokens, most));
    RETURN CASE WHEN words = unaccented THEN words ELSE (words::text || ' ' || unaccented::text)::tsvector END;
END $$;

-- Parses what a reader typed, with straight quotes and hyphens, as web search engines do. The last word also matches as the
-- beginning of a word, unless it is short; `m2` also matches `m²`, and a single Chinese character any word with it.
CREATE FUNCTION search_parsed(config text, tokens text) RETURNS tsquery LANGUAGE plpgsql STABLE AS $$
DECLARE
    parsed text := websearch_to_tsquery(config::regconfig, tokens)::text;
    last_word text := substring(tokens FROM '(?:^|[\s"\u0001-])([^[:space:][:punct:][:cntrl:]]{3,})$' COLLATE pg_c_utf8);
    mixed text;
    apart tsquery;
BEGIN
    -- Without the second condition, a stop word at the end would widen the search.
    IF numnode(plainto_tsquery(config::regconfig, last_word)) = 1 THEN
        IF config LIKE 'unaccented\_%' THEN
            last_word := unaccent(last_word);
        END IF;
        parsed := regexp_replace(parsed, '(''[^'']+'')$', '(\1 | ' || quote_literal(last_word) || ':*)');
    END IF;
    FOR mixed IN
        SELECT DISTINCT parts[1] FROM regexp_matches(parsed, '''([a-z]+[0-9]+)''(?!:)', 'g') parts
    LOOP
        apart := phraseto_tsquery(config::regconfig, regexp_replace(mixed, '(?=[0-9])', ' '));
        -- Without a stop word, which would leave the number alone.
        IF numnode(apart) = 3 THEN
            parsed := regexp_replace(parsed, '''' || mixed || '''(?!:)', '(''' || mixed || ''' | ' || apart::text || ')', 'g');
        END IF;
    END LOOP;
    RETURN regexp_replace(parsed, '''([\u2e80-\U0003ffff])''(?!:)', '''\1'':*', 'g')::tsquery;
END $$;

CREATE OR REPLACE FUNCTION search_query(config text, typed text) RETURNS tsquery LANGUAGE plpgsql STABLE AS $$
DECLARE
    tokens text := search_tokens(typed);
    parsed tsquery;
    unaccented tsquery;
BEGIN
    -- The last character of a run is a word of its own only where a phrase continues behind it.
    IF strpos(typed, '"') = 0 THEN
        tokens := regexp_replace(tokens, '([^\u0001\u0005]{2})\u0005.\u0001(?=\s|$)', '\1', 'g');
    END IF;
    -- The digit of a typed `m²` joins its word, and also matches apart.
    tokens := regexp_replace(tokens, '([a-z])\u0001([0-9]+)\u0001', '\1\2', 'g');
    parsed := search_parsed(config, tokens);
    IF octet_length(tokens) = length(tokens) THEN
        RETURN parsed;
    END IF;
    unaccented := search_parsed('unaccented_' || config, tokens);
    -- An excluded word is excluded with and without its accents.
    RETURN CASE WHEN parsed = unaccented OR unaccented::text LIKE '%!%' THEN unaccented ELSE parsed || unaccented END;
END $$;

-- Returns a text for the comparison by trigrams: without accents, and with one ASCII character for each other letter,
-- because pg_trgm skips letters that the locale of the database doesn't know.
CREATE OR REPLACE FUNCTION search_letters(given text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT coalesce(string_agg(
        CASE
            WHEN ascii(letter) < 128 THEN letter
            WHEN letter ~ '[[:alnum:]]' THEN substr('abcdefghijklmnopqrstuvwxyz0123456789', ascii(letter) % 36 + 1, 1)
            ELSE ' '
        END, '' ORDER BY place), '')
    FROM regexp_split_to_table(lower(unaccent(search_folded(given))), '') WITH ORDINALITY AS letters (letter, place)
$$;

-- Returns the part of a text from which the matches are taken. It surrounds a word that begins like a typed one, or is the
-- beginning, or much of the text if the word is written otherwise. It begins and ends between tags and, where words have
-- spaces between them, between words, so that no address is cut.
CREATE FUNCTION search_excerpt(html text, is_match boolean, stems text[]) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
    characters CONSTANT int := 20000;
    before CONSTANT int := 150;
    most int := 400;
    lowered text;
    place int := 1;
    first int;
    part text;
BEGIN
    IF is_match THEN
        lowered := lower(left(html, characters));
        place := search_place(lowered, stems);
        IF place IS NULL THEN
            place := search_place(unaccent(search_folded(lowered)), stems);
            -- Without accents, the text before it has another length.
            place := 2 * place - length(unaccent(search_folded(left(lowered, place))));
        END IF;
        IF place IS NULL THEN
            most := characters;
        END IF;
    END IF;
    first := greatest(coalesce(place, 1) - before, 1);
    part := substr(html, first, most);
    IF first > 1 THEN
        part := regexp_replace(part, '^([^<>]*>|[!-;=?-~]*)', '');
    END IF;
    IF first + most <= length(html) THEN
        part := regexp_replace(part, '(<[^<>]*|[!-;=?-~]*)$', '');
    END IF;
    RETURN search_html(part);
END $$;

-- Returns the place of the longest stem that stands in the HTML, but not in a tag.
CREATE FUNCTION search_place(html text, stems text[]) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT place
    FROM unnest(stems) stem
    CROSS JOIN LATERAL (SELECT strpos(html, left(stem, greatest(3, length(stem) - 1))) AS place OFFSET 0) found
    WHERE place > 0 AND substr(html, place, 300) !~ '^[^<>]*>'
    ORDER BY length(stem) DESC, stem LIMIT 1
$$;

-- Marks in tokens what matches, without accents unless the words match with them only.
CREATE FUNCTION search_marked(config text, tokens text, query tsquery, stems text[], options text) RETURNS text
LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF octet_length(tokens) > length(tokens)
        AND (NOT tsvector_to_array(to_tsvector(config::regconfig, tokens)) && stems
            OR tsvector_to_array(to_tsvector(('unaccented_' || config)::regconfig, tokens)) && stems)
    THEN
        config := 'unaccented_' || config;
    END IF;
    RETURN ts_headline(config::regconfig, tokens, query, options);
END $$;

CREATE OR REPLACE FUNCTION index_memos(ids uuid[]) RETURNS void LANGUAGE sql AS $$
    INSERT INTO memo_search (memo_id, edition_id, date, publish_at, config, title_letters, words)
    SELECT memo.id, edition.id, edition.date, edition.publish_at, config, search_letters(memo.title),
        setweight(search_words(config, search_tokens(memo.title)), 'A')
        || setweight(search_words(config, search_tokens(memo.media_title || ' ' || search_html(memo.media_text))), 'C')
        || setweight(search_words(config, search_tokens(search_html(memo.content))), 'D')
    FROM memo
    JOIN edition ON edition.id = memo.edition_id AND edition.status = 'published'
    CROSS JOIN LATERAL (SELECT search_config_of(memo.language) AS config) language
    WHERE memo.id = ANY (ids)
    ON CONFLICT (memo_id) DO UPDATE SET edition_id = excluded.edition_id, date = excluded.date,
        publish_at = excluded.publish_at, config = excluded.config,
        title_letters = excluded.title_letters, words = excluded.words
$$;

CREATE OR REPLACE FUNCTION index_articles(ids uuid[]) RETURNS void LANGUAGE sql AS $$
    INSERT INTO article_search (article_id, config, title_letters, words)
    SELECT article.id, config, search_letters(article.title),
        setweight(search_words(config, search_tokens(article.title)), 'A')
        || setweight(search_words(config, search_tokens(article.media_title)), 'C')
        || setweight(search_words(config, search_tokens(search_html(left(article.content, 150000)))), 'D')
    FROM article
    CROSS JOIN LATERAL (SELECT search_config_of(article.language) AS config) language
    WHERE article.id = ANY (ids) AND article.status = 'published'
    ON CONFLICT (article_id) DO UPDATE SET config = excluded.config,
        title_letters = excluded.title_letters, words = excluded.words
$$;

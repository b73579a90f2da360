-- Full-text search. Triggers index what is published, and nothing else: memos of published editions, and articles.
-- Articles have a table of their own, which searches of visitors never read.

CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- Returns the text search configuration of a BCP 47 tag; `simple`, without grammar, for a language that Postgres lacks.
CREATE FUNCTION search_config(language text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE lower(split_part(language, '-', 1))
    WHEN 'ar' THEN 'arabic'
    WHEN 'ca' THEN 'catalan'
    WHEN 'da' THEN 'danish'
    WHEN 'de' THEN 'german'
    WHEN 'el' THEN 'greek'
    WHEN 'en' THEN 'english'
    WHEN 'es' THEN 'spanish'
    WHEN 'et' THEN 'estonian'
    WHEN 'eu' THEN 'basque'
    WHEN 'fi' THEN 'finnish'
    WHEN 'fr' THEN 'french'
    WHEN 'ga' THEN 'irish'
    WHEN 'hi' THEN 'hindi'
    WHEN 'hu' THEN 'hungarian'
    WHEN 'hy' THEN 'armenian'
    WHEN 'id' THEN 'indonesian'
    WHEN 'it' THEN 'italian'
    WHEN 'lt' THEN 'lithuanian'
    WHEN 'nb' THEN 'norwegian'
    WHEN 'ne' THEN 'nepali'
    WHEN 'nl' THEN 'dutch'
    WHEN 'nn' THEN 'norwegian'
    WHEN 'no' THEN 'norwegian'
    WHEN 'pt' THEN 'portuguese'
    WHEN 'ro' THEN 'romanian'
    WHEN 'ru' THEN 'russian'
    WHEN 'sr' THEN 'serbian'
    WHEN 'sv' THEN 'swedish'
    WHEN 'ta' THEN 'tamil'
    WHEN 'tr' THEN 'turkish'
    WHEN 'yi' THEN 'yiddish'
    ELSE 'simple'
END;


-- Returns sanitized HTML without inline tags, which may stand inside a word. The parser skips the other tags.
CREATE FUNCTION search_html(html text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN regexp_replace(html, '</?(strong|b|em|i|u|s|a|code|sup|sub|abbr|span|bdi|bdo)( [^>]*)?>', '', 'g');

-- Parses what a reader typed, as web search engines do. The last word also matches as the beginning of a word, unless
-- it is short.
CREATE FUNCTION search_query(config text, typed text) RETURNS tsquery LANGUAGE plpgsql STABLE AS $$
DECLARE
    parsed tsquery := websearch_to_tsquery(config::regconfig, typed);
    last_word text := lower(substring(typed FROM '(?:^|[\s"-])([[:alnum:]]{3,})$'));
BEGIN
    -- Without the second condition, a stop word at the end would widen the search.
    IF last_word IS NULL OR numnode(plainto_tsquery(config::regconfig, last_word)) <> 1 THEN
        RETURN parsed;
    END IF;
    RETURN regexp_replace(parsed::text, '(''[^'']+'')$', '(\1 | ''' || last_word || ''':*)')::tsquery;
END $$;

-- Returns a text for the comparison by trigrams: without accents, and with one ASCII character for each other letter,
-- because pg_trgm skips letters that the locale of the database doesn't know.
CREATE FUNCTION search_letters(given text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT coalesce(string_agg(
        CASE
            WHEN ascii(letter) < 128 THEN letter
            WHEN letter ~ '[[:alnum:]]' THEN substr('abcdefghijklmnopqrstuvwxyz0123456789', ascii(letter) % 36 + 1, 1)
            ELSE ' '
        END, '' ORDER BY place), '')
    FROM regexp_split_to_table(
        regexp_replace(normalize(lower(given), NFD), '[\u0300-\u036f\u064b-\u065f]', '', 'g'), '')
        WITH ORDINALITY AS letters (letter, place)
$$;

-- The language of texts without their own: the setting of the site.
CREATE TABLE search_site (
    id smallint PRIMARY KEY DEFAULT 1 CONSTRAINT search_site_id_check CHECK (id = 1),
    language varchar(35) NOT NULL
);
INSERT INTO search_site (language) VALUES ('en');

CREATE TABLE memo_search (
    memo_id uuid PRIMARY KEY REFERENCES memo (id) ON DELETE CASCADE ON UPDATE CASCADE,
    edition_id uuid NOT NULL REFERENCES edition (id) ON DELETE CASCADE ON UPDATE CASCADE,
    date date NOT NULL,
    publish_at timestamptz(3) NOT NULL,
    -- By name, because pg_upgrade rejects columns of the type regconfig.
    config varchar(63) NOT NULL,
    title_letters text NOT NULL,
    words tsvector NOT NULL
);
CREATE INDEX memo_search_words_idx ON memo_search USING gin (words);
CREATE INDEX memo_search_title_idx ON memo_search USING gin (title_letters gin_trgm_ops);
CREATE INDEX memo_search_config_idx ON memo_search (config);
CREATE INDEX memo_search_edition_id_idx ON memo_search (edition_id);

CREATE TABLE article_search (
    article_id uuid PRIMARY KEY REFERENCES article (id) ON DELETE CASCADE ON UPDATE CASCADE,
    config varchar(63) NOT NULL,
    title_letters text NOT NULL,
    words tsvector NOT NULL
);
CREATE INDEX article_search_words_idx ON article_search USING gin (words);

CREATE FUNCTION search_config_of(language text) RETURNS text LANGUAGE sql STABLE
RETURN search_config(coalesce(nullif(language, ''), (SELECT site.language FROM search_site site)));

-- Indexes those of the memos whose edition is published.
CREATE FUNCTION index_memos(ids uuid[]) RETURNS void LANGUAGE sql AS $$
    INSERT INTO memo_search (memo_id, edition_id, date, publish_at, config, title_letters, words)
    SELECT memo.id, edition.id, edition.date, edition.publish_at, config, search_letters(memo.title),
        setweight(to_tsvector(config::regconfig, memo.title), 'A')
        || setweight(to_tsvector(config::regconfig, memo.media_title || ' ' || search_html(memo.media_text)), 'C')
        || setweight(to_tsvector(config::regconfig, search_html(memo.content)), 'D')
    FROM memo
    JOIN edition ON edition.id = memo.edition_id AND edition.status = 'published'
    CROSS JOIN LATERAL (SELECT search_config_of(memo.language) AS config) language
    WHERE memo.id = ANY (ids)
    ON CONFLICT (memo_id) DO UPDATE SET edition_id = excluded.edition_id, date = excluded.date,
        publish_at = excluded.publish_at, config = excluded.config,
        title_letters = excluded.title_letters, words = excluded.words
$$;

-- Indexes those of the articles that are published. The limit keeps every text below the size of a tsvector.
CREATE FUNCTION index_articles(ids uuid[]) RETURNS void LANGUAGE sql AS $$
    INSERT INTO article_search (article_id, config, title_letters, words)
    SELECT article.id, config, search_letters(article.title),
        setweight(to_tsvector(config::regconfig, article.title), 'A')
        || setweight(to_tsvector(config::regconfig, article.media_title), 'C')
        || setweight(to_tsvector(config::regconfig, left(search_html(article.content), 100000)), 'D')
    FROM article
    CROSS JOIN LATERAL (SELECT search_config_of(article.language) AS config) language
    WHERE article.id = ANY (ids) AND article.status = 'published'
    ON CONFLICT (article_id) DO UPDATE SET config = excluded.config,
        title_letters = excluded.title_letters, words = excluded.words
$$;

CREATE FUNCTION index_changed_memo() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM index_memos(ARRAY[NEW.id]);
    RETURN NULL;
END $$;

CREATE TRIGGER memo_search_memo
    AFTER INSERT OR UPDATE OF edition_id, title, content, media_title, media_text, language ON memo
    FOR EACH ROW EXECUTE FUNCTION index_changed_memo();

CREATE FUNCTION index_changed_edition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.status = 'published' THEN
        PERFORM index_memos(ARRAY(SELECT id FROM memo WHERE edition_id = NEW.id));
    ELSE
        DELETE FROM memo_search WHERE edition_id = NEW.id;
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER memo_search_edition AFTER UPDATE OF status, date, publish_at ON edition
    FOR EACH ROW
    WHEN ((OLD.status, OLD.date, OLD.publish_at) IS DISTINCT FROM (NEW.status, NEW.date, NEW.publish_at))
    EXECUTE FUNCTION index_changed_edition();

CREATE FUNCTION index_changed_article() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.status = 'published' THEN
        PERFORM index_articles(ARRAY[NEW.id]);
    ELSE
        DELETE FROM article_search WHERE article_id = NEW.id;
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER article_search_article
    AFTER INSERT OR UPDATE OF title, content, media_title, language, status ON article
    FOR EACH ROW EXECUTE FUNCTION index_changed_article();

-- Returns the memos whose titles have words like the typed ones, despite typing errors.
CREATE FUNCTION similar_memo_titles(typed text, first_date date, last_date date, most int)
RETURNS TABLE (memo_id uuid, similarity real) LANGUAGE sql STABLE
-- Two exchanged letters leave 0.37 of 'receive'.
SET pg_trgm.word_similarity_threshold = 0.35 AS $$
    SELECT memo_id, word_similarity(letters, title_letters) AS similarity
    FROM (SELECT search_letters(typed) AS letters OFFSET 0) asked
    JOIN memo_search ON letters <% title_letters
    WHERE date BETWEEN first_date AND last_date
    ORDER BY similarity DESC, publish_at DESC, memo_id DESC
    LIMIT most
$$;

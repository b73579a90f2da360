-- The language of a memo or article, as a BCP 47 tag; empty for the site's language.

ALTER TABLE memo ADD COLUMN language varchar(35) NOT NULL DEFAULT ''
    CONSTRAINT memo_language_check CHECK (language ~ '^([A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*)?$');
COMMENT ON COLUMN memo.language IS 'BCP 47 language tag; empty for the language of the site';

ALTER TABLE article ADD COLUMN language varchar(35) NOT NULL DEFAULT ''
    CONSTRAINT article_language_check CHECK (language ~ '^([A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*)?$');
COMMENT ON COLUMN article.language IS 'BCP 47 language tag; empty for the language of the site';

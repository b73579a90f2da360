-- What people write before readers see it, and what they can go back to.
ALTER TABLE edition
    ADD COLUMN subject VARCHAR(200) NOT NULL DEFAULT '',
    ADD COLUMN own_version INTEGER NOT NULL DEFAULT 1,
    ADD COLUMN order_version INTEGER NOT NULL DEFAULT 1,
    ADD COLUMN withdrawn_published_at TIMESTAMPTZ(3);

ALTER TABLE memo
    ADD COLUMN is_ready BOOLEAN NOT NULL DEFAULT false,
    ADD COLUMN note VARCHAR(500) NOT NULL DEFAULT '',
    ADD COLUMN noted_at TIMESTAMPTZ(3),
    ADD COLUMN field_versions JSONB NOT NULL DEFAULT '{}',
    ADD COLUMN saved_by_id UUID,
    ADD COLUMN saved_by VARCHAR(100) NOT NULL DEFAULT '';

ALTER TABLE article
    ADD COLUMN field_versions JSONB NOT NULL DEFAULT '{}',
    ADD COLUMN saved_by_id UUID,
    ADD COLUMN saved_by VARCHAR(100) NOT NULL DEFAULT '';

CREATE TYPE text_kind AS ENUM ('memo', 'article');

CREATE TABLE working_copy (
    id UUID NOT NULL,
    kind text_kind NOT NULL,
    edition_id UUID,
    place INTEGER,
    base_version INTEGER NOT NULL,
    version INTEGER NOT NULL,
    fields JSONB NOT NULL,
    changed JSONB NOT NULL DEFAULT '{}',
    is_ready BOOLEAN NOT NULL DEFAULT false,
    saved_by_id UUID,
    saved_by VARCHAR(100) NOT NULL DEFAULT '',
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT working_copy_pkey PRIMARY KEY (id),
    CONSTRAINT working_copy_edition_id_fkey FOREIGN KEY (edition_id) REFERENCES edition (id)
        ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT working_copy_edition_check CHECK ((kind = 'memo') = (edition_id IS NOT NULL)),
    CONSTRAINT working_copy_place_check CHECK ((place IS NOT NULL) = (base_version = 0))
);
CREATE INDEX working_copy_edition_id_idx ON working_copy (edition_id);
CREATE INDEX working_copy_media_idx ON working_copy ((fields ->> 'media')) WHERE fields ->> 'media' <> '';

CREATE TYPE text_version_kind AS ENUM ('first', 'session', 'published', 'refused', 'deleted');

CREATE TABLE text_version (
    id UUID NOT NULL DEFAULT uuidv7(),
    text_id UUID NOT NULL,
    kind text_version_kind NOT NULL,
    fields JSONB NOT NULL,
    started_at TIMESTAMPTZ(3) NOT NULL,
    ended_at TIMESTAMPTZ(3) NOT NULL,
    saved_by_id UUID,
    saved_by VARCHAR(100) NOT NULL DEFAULT '',
    CONSTRAINT text_version_pkey PRIMARY KEY (id)
);
CREATE INDEX text_version_text_id_id_idx ON text_version (text_id, id);
CREATE INDEX text_version_media_idx ON text_version ((fields ->> 'media')) WHERE fields ->> 'media' <> '';

CREATE TABLE deleted_memo (
    memo_id UUID NOT NULL,
    edition_key VARCHAR(30) NOT NULL,
    position INTEGER NOT NULL,
    was_public BOOLEAN NOT NULL,
    fields JSONB NOT NULL,
    version INTEGER NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL,
    like_count INTEGER NOT NULL DEFAULT 0,
    reader_ids UUID[],
    deleted_at TIMESTAMPTZ(3) NOT NULL,
    deleted_by_id UUID,
    deleted_by VARCHAR(100) NOT NULL DEFAULT '',
    CONSTRAINT deleted_memo_pkey PRIMARY KEY (memo_id)
);
CREATE INDEX deleted_memo_deleted_at_idx ON deleted_memo (deleted_at);
CREATE INDEX deleted_memo_media_idx ON deleted_memo ((fields ->> 'media')) WHERE fields ->> 'media' <> '';

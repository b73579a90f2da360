-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "edition_status" AS ENUM ('draft', 'scheduled', 'published', 'held');

-- CreateEnum
CREATE TYPE "article_status" AS ENUM ('draft', 'published');

-- CreateEnum
CREATE TYPE "contact_kind" AS ENUM ('email', 'phone');

-- CreateTable
CREATE TABLE "rate_limit" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "rate_limit_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "edition" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "date" DATE NOT NULL,
    "slot" VARCHAR(12) NOT NULL,
    "status" "edition_status" NOT NULL DEFAULT 'draft',
    "publish_at" TIMESTAMPTZ(3) NOT NULL,
    "published_at" TIMESTAMPTZ(3),
    "held_reason" TEXT,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "edition_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "memo" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "edition_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "title" VARCHAR(300) NOT NULL,
    "content" TEXT NOT NULL,
    "source" VARCHAR(2000) NOT NULL DEFAULT '',
    "media_file" VARCHAR(64),
    "media_title" VARCHAR(500) NOT NULL DEFAULT '',
    "media_text" TEXT NOT NULL DEFAULT '',
    "like_count" INTEGER NOT NULL DEFAULT 0,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "memo_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "memo_like" (
    "memo_id" UUID NOT NULL,
    "reader_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "memo_like_pkey" PRIMARY KEY ("memo_id","reader_id")
);

-- CreateTable
CREATE TABLE "article" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "title" VARCHAR(300) NOT NULL,
    "content" TEXT NOT NULL,
    "media_file" VARCHAR(64),
    "media_title" VARCHAR(500) NOT NULL DEFAULT '',
    "status" "article_status" NOT NULL DEFAULT 'draft',
    "published_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "article_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "editor_key" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "name" VARCHAR(100) NOT NULL,
    "secret_hash" CHAR(64) NOT NULL,
    "scopes" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "editor_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_entry" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "editor_key_id" UUID,
    "action" VARCHAR(60) NOT NULL,
    "subject" VARCHAR(100) NOT NULL,
    "details" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_record" (
    "editor_key_id" UUID NOT NULL,
    "key" VARCHAR(200) NOT NULL,
    "request_hash" CHAR(64) NOT NULL,
    "status" INTEGER NOT NULL,
    "etag" VARCHAR(40),
    "reply" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_record_pkey" PRIMARY KEY ("editor_key_id","key")
);

-- CreateTable
CREATE TABLE "media" (
    "file" VARCHAR(64) NOT NULL,
    "width" INTEGER NOT NULL,
    "height" INTEGER NOT NULL,
    "bytes" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "media_pkey" PRIMARY KEY ("file")
);

-- CreateTable
CREATE TABLE "reader_contact" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "kind" "contact_kind" NOT NULL,
    "value" VARCHAR(320) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "reader_contact_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "edition_status_publish_at_idx" ON "edition"("status", "publish_at");

-- CreateIndex
CREATE UNIQUE INDEX "edition_date_slot_key" ON "edition"("date", "slot");

-- CreateIndex
CREATE INDEX "memo_media_file_idx" ON "memo"("media_file");

-- Checked when a transaction ends, so that memos can change places within one.
ALTER TABLE "memo" ADD CONSTRAINT "memo_edition_id_position_key" UNIQUE ("edition_id", "position") DEFERRABLE INITIALLY DEFERRED;

-- CreateIndex
CREATE INDEX "article_status_published_at_idx" ON "article"("status", "published_at");

-- CreateIndex
CREATE INDEX "article_media_file_idx" ON "article"("media_file");

-- CreateIndex
CREATE UNIQUE INDEX "editor_key_secret_hash_key" ON "editor_key"("secret_hash");

-- CreateIndex
CREATE INDEX "audit_entry_subject_id_idx" ON "audit_entry"("subject", "id");

-- CreateIndex
CREATE INDEX "audit_entry_editor_key_id_idx" ON "audit_entry"("editor_key_id");

-- CreateIndex
CREATE INDEX "idempotency_record_created_at_idx" ON "idempotency_record"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "reader_contact_kind_value_key" ON "reader_contact"("kind", "value");

-- AddForeignKey
ALTER TABLE "memo" ADD CONSTRAINT "memo_edition_id_fkey" FOREIGN KEY ("edition_id") REFERENCES "edition"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memo" ADD CONSTRAINT "memo_media_file_fkey" FOREIGN KEY ("media_file") REFERENCES "media"("file") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memo_like" ADD CONSTRAINT "memo_like_memo_id_fkey" FOREIGN KEY ("memo_id") REFERENCES "memo"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "article" ADD CONSTRAINT "article_media_file_fkey" FOREIGN KEY ("media_file") REFERENCES "media"("file") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "audit_entry" ADD CONSTRAINT "audit_entry_editor_key_id_fkey" FOREIGN KEY ("editor_key_id") REFERENCES "editor_key"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "idempotency_record" ADD CONSTRAINT "idempotency_record_editor_key_id_fkey" FOREIGN KEY ("editor_key_id") REFERENCES "editor_key"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What every row must hold to, whoever writes it. Prisma's schema language has no words for these.
ALTER TABLE "edition"
    ADD CONSTRAINT "edition_date_check" CHECK ("date" BETWEEN DATE '2000-01-01' AND DATE '2099-12-31'),
    ADD CONSTRAINT "edition_slot_check" CHECK ("slot" ~ '^[0-9A-Za-z]{1,12}$'),
    ADD CONSTRAINT "edition_published_at_check" CHECK (("status" = 'published') = ("published_at" IS NOT NULL)),
    ADD CONSTRAINT "edition_held_reason_check" CHECK (("status" = 'held') = ("held_reason" IS NOT NULL)),
    ADD CONSTRAINT "edition_version_check" CHECK ("version" >= 1);

ALTER TABLE "memo"
    ADD CONSTRAINT "memo_position_check" CHECK ("position" >= 1),
    ADD CONSTRAINT "memo_like_count_check" CHECK ("like_count" >= 0),
    ADD CONSTRAINT "memo_version_check" CHECK ("version" >= 1);

ALTER TABLE "article"
    ADD CONSTRAINT "article_published_at_check" CHECK (("status" = 'published') = ("published_at" IS NOT NULL)),
    ADD CONSTRAINT "article_version_check" CHECK ("version" >= 1);

-- A missing list would slip through the other two conditions.
ALTER TABLE "editor_key"
    ADD CONSTRAINT "editor_key_scopes_check" CHECK (
        "scopes" IS NOT NULL AND cardinality("scopes") > 0 AND "scopes" <@ ARRAY['read', 'write', 'publish']
    );

ALTER TABLE "media"
    ADD CONSTRAINT "media_file_check" CHECK ("file" ~ '^[a-z0-9]{20,40}\.jpg$'),
    ADD CONSTRAINT "media_size_check" CHECK ("width" > 0 AND "height" > 0 AND "bytes" > 0);

ALTER TABLE "reader_contact"
    ADD CONSTRAINT "reader_contact_value_check" CHECK ("value" <> '');

ALTER TABLE "idempotency_record"
    ADD CONSTRAINT "idempotency_record_status_check" CHECK ("status" BETWEEN 100 AND 599);

-- CreateEnum
CREATE TYPE "comment_vote" AS ENUM ('UP', 'DOWN');

-- CreateEnum
CREATE TYPE "code_purpose" AS ENUM ('reset', 'login', 'signup', 'verification');

-- CreateEnum
CREATE TYPE "plan_connection_type" AS ENUM ('FREE', 'SUBSCRIPTION', 'ONETIME');

-- CreateEnum
CREATE TYPE "secure_content_type" AS ENUM ('HTML', 'CSS', 'LINK', 'JS', 'JSON', 'TEXT', 'IMAGE', 'FILE');

-- AlterTable
ALTER TABLE "article" ADD COLUMN     "group_id" VARCHAR(32);

-- CreateTable
CREATE TABLE "comment_channel" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "app_id" VARCHAR(64) NOT NULL,
    "key" VARCHAR(200) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "comment_channel_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "comment_post" (
    "id" VARCHAR(32) NOT NULL,
    "channel_id" UUID NOT NULL,
    "member_id" VARCHAR(32) NOT NULL,
    "content" TEXT NOT NULL,
    "internal_order" BIGSERIAL NOT NULL,
    "thread_count" INTEGER NOT NULL DEFAULT 0,
    "liked_by" INTEGER NOT NULL DEFAULT 0,
    "disliked_by" INTEGER NOT NULL DEFAULT 0,
    "hidden_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "edited_at" TIMESTAMPTZ(3),

    CONSTRAINT "comment_post_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "comment_thread" (
    "id" VARCHAR(32) NOT NULL,
    "post_id" VARCHAR(32) NOT NULL,
    "member_id" VARCHAR(32) NOT NULL,
    "content" TEXT NOT NULL,
    "internal_order" BIGSERIAL NOT NULL,
    "liked_by" INTEGER NOT NULL DEFAULT 0,
    "hidden_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "edited_at" TIMESTAMPTZ(3),

    CONSTRAINT "comment_thread_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "comment_post_vote" (
    "post_id" VARCHAR(32) NOT NULL,
    "member_id" VARCHAR(32) NOT NULL,
    "vote" "comment_vote" NOT NULL,

    CONSTRAINT "comment_post_vote_pkey" PRIMARY KEY ("post_id","member_id")
);

-- CreateTable
CREATE TABLE "comment_thread_vote" (
    "thread_id" VARCHAR(32) NOT NULL,
    "member_id" VARCHAR(32) NOT NULL,
    "vote" "comment_vote" NOT NULL,

    CONSTRAINT "comment_thread_vote_pkey" PRIMARY KEY ("thread_id","member_id")
);

-- CreateTable
CREATE TABLE "comment_subscription" (
    "channel_id" UUID NOT NULL,
    "member_id" VARCHAR(32) NOT NULL,

    CONSTRAINT "comment_subscription_pkey" PRIMARY KEY ("channel_id","member_id")
);

-- CreateTable
CREATE TABLE "membership_app" (
    "id" VARCHAR(64) NOT NULL,
    "public_key" VARCHAR(100) NOT NULL,
    "config" JSONB NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "membership_app_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "member" (
    "id" VARCHAR(32) NOT NULL,
    "app_id" VARCHAR(64) NOT NULL,
    "email" VARCHAR(320) NOT NULL,
    "verified" BOOLEAN NOT NULL DEFAULT false,
    "password_hash" VARCHAR(200),
    "custom_fields" JSONB NOT NULL DEFAULT '{}',
    "meta_data" JSONB NOT NULL DEFAULT '{}',
    "json" JSONB NOT NULL DEFAULT '{}',
    "profile_image" VARCHAR(64),
    "stripe_customer_id" VARCHAR(64),
    "last_login_at" TIMESTAMPTZ(3),
    "terms_accepted_at" TIMESTAMPTZ(3) NOT NULL,
    "terms_origin" VARCHAR(300) NOT NULL DEFAULT '',
    "comments_hidden_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "member_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "member_identity" (
    "app_id" VARCHAR(64) NOT NULL,
    "provider" VARCHAR(64) NOT NULL,
    "subject" VARCHAR(255) NOT NULL,
    "member_id" VARCHAR(32) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "member_identity_pkey" PRIMARY KEY ("app_id","provider","subject")
);

-- CreateTable
CREATE TABLE "member_session" (
    "id" UUID NOT NULL,
    "member_id" VARCHAR(32) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "user_agent" VARCHAR(300) NOT NULL DEFAULT '',

    CONSTRAINT "member_session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "signing_key" (
    "id" VARCHAR(64) NOT NULL,
    "public_key" JSONB NOT NULL,
    "private_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "retired_at" TIMESTAMPTZ(3),

    CONSTRAINT "signing_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "one_time_code" (
    "id" UUID NOT NULL,
    "app_id" VARCHAR(64) NOT NULL,
    "purpose" "code_purpose" NOT NULL,
    "email" VARCHAR(320) NOT NULL,
    "code_hash" CHAR(64),
    "lookup_hash" CHAR(64),
    "tries" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "sent_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "one_time_code_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account_notice" (
    "id" UUID NOT NULL,
    "app_id" VARCHAR(64) NOT NULL,
    "kind" VARCHAR(40) NOT NULL,
    "email" VARCHAR(320) NOT NULL,
    "details" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "sent_at" TIMESTAMPTZ(3),

    CONSTRAINT "account_notice_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "identity_flow" (
    "state_hash" CHAR(64) NOT NULL,
    "app_id" VARCHAR(64) NOT NULL,
    "provider" VARCHAR(64) NOT NULL,
    "mode" VARCHAR(10) NOT NULL,
    "hostname" VARCHAR(255) NOT NULL,
    "browser_hash" CHAR(64) NOT NULL,
    "nonce" VARCHAR(100) NOT NULL,
    "code_verifier" VARCHAR(200) NOT NULL,
    "details" JSONB NOT NULL DEFAULT '{}',
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "identity_flow_pkey" PRIMARY KEY ("state_hash")
);

-- CreateTable
CREATE TABLE "used_captcha" (
    "solution_hash" CHAR(64) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "used_captcha_pkey" PRIMARY KEY ("solution_hash")
);

-- CreateTable
CREATE TABLE "plan_connection" (
    "id" VARCHAR(32) NOT NULL,
    "member_id" VARCHAR(32) NOT NULL,
    "plan_id" VARCHAR(100) NOT NULL,
    "type" "plan_connection_type" NOT NULL,
    "status" VARCHAR(30) NOT NULL DEFAULT 'ACTIVE',
    "active" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "plan_connection_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "content_group" (
    "id" VARCHAR(32) NOT NULL,
    "app_id" VARCHAR(64) NOT NULL,
    "key" VARCHAR(100) NOT NULL,
    "name" VARCHAR(200) NOT NULL,
    "permissions" TEXT[],
    "plans" TEXT[],
    "redirect" VARCHAR(2000) NOT NULL DEFAULT '',
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "content_group_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "secure_content" (
    "app_id" VARCHAR(64) NOT NULL,
    "content_id" VARCHAR(100) NOT NULL,
    "type" "secure_content_type" NOT NULL,
    "content" TEXT NOT NULL,
    "permissions" TEXT[],
    "plans" TEXT[],
    "group_id" VARCHAR(32),
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "secure_content_pkey" PRIMARY KEY ("app_id","content_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "comment_channel_app_id_key_key" ON "comment_channel"("app_id", "key");

-- CreateIndex
CREATE UNIQUE INDEX "comment_post_internal_order_key" ON "comment_post"("internal_order");

-- CreateIndex
CREATE INDEX "comment_post_channel_id_internal_order_idx" ON "comment_post"("channel_id", "internal_order");

-- CreateIndex
CREATE INDEX "comment_post_member_id_idx" ON "comment_post"("member_id");

-- CreateIndex
CREATE UNIQUE INDEX "comment_thread_internal_order_key" ON "comment_thread"("internal_order");

-- CreateIndex
CREATE INDEX "comment_thread_post_id_internal_order_idx" ON "comment_thread"("post_id", "internal_order");

-- CreateIndex
CREATE INDEX "comment_thread_member_id_idx" ON "comment_thread"("member_id");

-- CreateIndex
CREATE INDEX "comment_post_vote_member_id_idx" ON "comment_post_vote"("member_id");

-- CreateIndex
CREATE INDEX "comment_thread_vote_member_id_idx" ON "comment_thread_vote"("member_id");

-- CreateIndex
CREATE INDEX "comment_subscription_member_id_idx" ON "comment_subscription"("member_id");

-- CreateIndex
CREATE UNIQUE INDEX "membership_app_public_key_key" ON "membership_app"("public_key");

-- CreateIndex
CREATE UNIQUE INDEX "member_stripe_customer_id_key" ON "member"("stripe_customer_id");

-- CreateIndex
CREATE INDEX "member_profile_image_idx" ON "member"("profile_image");

-- CreateIndex
CREATE UNIQUE INDEX "member_app_id_email_key" ON "member"("app_id", "email");

-- CreateIndex
CREATE UNIQUE INDEX "member_identity_member_id_provider_key" ON "member_identity"("member_id", "provider");

-- CreateIndex
CREATE INDEX "member_session_member_id_created_at_idx" ON "member_session"("member_id", "created_at");

-- CreateIndex
CREATE INDEX "member_session_expires_at_idx" ON "member_session"("expires_at");

-- CreateIndex
CREATE INDEX "one_time_code_address_idx" ON "one_time_code"("app_id", "email", "purpose", "created_at");

-- CreateIndex
CREATE INDEX "one_time_code_created_at_idx" ON "one_time_code"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "one_time_code_app_id_lookup_hash_key" ON "one_time_code"("app_id", "lookup_hash");

-- CreateIndex
CREATE INDEX "account_notice_created_at_idx" ON "account_notice"("created_at");

-- CreateIndex
CREATE INDEX "identity_flow_expires_at_idx" ON "identity_flow"("expires_at");

-- CreateIndex
CREATE INDEX "used_captcha_expires_at_idx" ON "used_captcha"("expires_at");

-- CreateIndex
CREATE INDEX "plan_connection_plan_id_idx" ON "plan_connection"("plan_id");

-- CreateIndex
CREATE UNIQUE INDEX "plan_connection_member_id_plan_id_key" ON "plan_connection"("member_id", "plan_id");

-- CreateIndex
CREATE UNIQUE INDEX "content_group_app_id_key_key" ON "content_group"("app_id", "key");

-- CreateIndex
CREATE INDEX "secure_content_group_id_idx" ON "secure_content"("group_id");

-- CreateIndex
CREATE INDEX "article_group_id_idx" ON "article"("group_id");

-- AddForeignKey
ALTER TABLE "comment_post" ADD CONSTRAINT "comment_post_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "comment_channel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "comment_post" ADD CONSTRAINT "comment_post_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "member"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "comment_thread" ADD CONSTRAINT "comment_thread_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "comment_post"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "comment_thread" ADD CONSTRAINT "comment_thread_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "member"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "comment_post_vote" ADD CONSTRAINT "comment_post_vote_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "comment_post"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "comment_post_vote" ADD CONSTRAINT "comment_post_vote_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "member"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "comment_thread_vote" ADD CONSTRAINT "comment_thread_vote_thread_id_fkey" FOREIGN KEY ("thread_id") REFERENCES "comment_thread"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "comment_thread_vote" ADD CONSTRAINT "comment_thread_vote_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "member"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "comment_subscription" ADD CONSTRAINT "comment_subscription_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "comment_channel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "comment_subscription" ADD CONSTRAINT "comment_subscription_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "member"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "article" ADD CONSTRAINT "article_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "content_group"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "member" ADD CONSTRAINT "member_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "membership_app"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "member_identity" ADD CONSTRAINT "member_identity_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "member"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "member_session" ADD CONSTRAINT "member_session_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "member"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "plan_connection" ADD CONSTRAINT "plan_connection_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "member"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "secure_content" ADD CONSTRAINT "secure_content_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "content_group"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What every row must hold to, whoever writes it.
ALTER TABLE "membership_app"
    ADD CONSTRAINT "membership_app_id_check" CHECK ("id" ~ '^app_[0-9A-Za-z]+$'),
    ADD CONSTRAINT "membership_app_public_key_check" CHECK ("public_key" ~ '^pk_[0-9A-Za-z_]+$'),
    ADD CONSTRAINT "membership_app_version_check" CHECK ("version" >= 1);

ALTER TABLE "member"
    ADD CONSTRAINT "member_id_check" CHECK ("id" ~ '^mem_[0-9A-Za-z]+$'),
    ADD CONSTRAINT "member_email_check" CHECK ("email" = lower("email") AND "email" LIKE '_%@_%'),
    -- A password is never kept but as argon2id.
    ADD CONSTRAINT "member_password_hash_check" CHECK ("password_hash" LIKE '$argon2id$%'),
    ADD CONSTRAINT "member_json_check" CHECK (
        jsonb_typeof("custom_fields") = 'object' AND jsonb_typeof("meta_data") = 'object'
    );

ALTER TABLE "member_session"
    ADD CONSTRAINT "member_session_expires_at_check" CHECK ("expires_at" > "created_at");

ALTER TABLE "one_time_code"
    ADD CONSTRAINT "one_time_code_tries_check" CHECK ("tries" >= 0),
    ADD CONSTRAINT "one_time_code_lookup_hash_check" CHECK ("lookup_hash" IS NULL OR "purpose" = 'reset');

ALTER TABLE "plan_connection"
    ADD CONSTRAINT "plan_connection_id_check" CHECK ("id" ~ '^con_[0-9A-Za-z]+$');

ALTER TABLE "content_group"
    ADD CONSTRAINT "content_group_lists_check" CHECK ("permissions" IS NOT NULL AND "plans" IS NOT NULL),
    ADD CONSTRAINT "content_group_version_check" CHECK ("version" >= 1);

ALTER TABLE "secure_content"
    ADD CONSTRAINT "secure_content_lists_check" CHECK ("permissions" IS NOT NULL AND "plans" IS NOT NULL),
    ADD CONSTRAINT "secure_content_version_check" CHECK ("version" >= 1);

ALTER TABLE "comment_post"
    ADD CONSTRAINT "comment_post_content_check" CHECK ("content" <> ''),
    ADD CONSTRAINT "comment_post_counts_check" CHECK (
        "thread_count" >= 0 AND "liked_by" >= 0 AND "disliked_by" >= 0
    );

ALTER TABLE "comment_thread"
    ADD CONSTRAINT "comment_thread_content_check" CHECK ("content" <> ''),
    ADD CONSTRAINT "comment_thread_counts_check" CHECK ("liked_by" >= 0);

-- What is hidden is rare: looking past it must not cost what looking through it would.
CREATE INDEX "member_comments_hidden_idx" ON "member"("id") WHERE "comments_hidden_at" IS NOT NULL;
CREATE INDEX "comment_post_shown_idx" ON "comment_post"("channel_id", "member_id") WHERE "hidden_at" IS NULL;

-- Counts follow their rows within the same transaction, whoever changes them: votes at once, a member who leaves with all
-- of theirs, an editor who hides a reply. The row of the count is locked by its update, so nothing is lost between two.
-- One update for each change: a row that is updated twice in a transaction has its author looked at again.
CREATE FUNCTION "count_post_votes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "comment_post" SET
        "liked_by" = "liked_by"
            + coalesce((NEW."vote" = 'UP')::int, 0) - coalesce((OLD."vote" = 'UP')::int, 0),
        "disliked_by" = "disliked_by"
            + coalesce((NEW."vote" = 'DOWN')::int, 0) - coalesce((OLD."vote" = 'DOWN')::int, 0)
    WHERE "id" = coalesce(NEW."post_id", OLD."post_id");
    RETURN NULL;
END $$;

CREATE TRIGGER "comment_post_vote_count" AFTER INSERT OR UPDATE OR DELETE ON "comment_post_vote"
    FOR EACH ROW EXECUTE FUNCTION "count_post_votes"();

CREATE FUNCTION "count_thread_votes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "comment_thread" SET
        "liked_by" = "liked_by"
            + coalesce((NEW."vote" = 'UP')::int, 0) - coalesce((OLD."vote" = 'UP')::int, 0)
    WHERE "id" = coalesce(NEW."thread_id", OLD."thread_id");
    RETURN NULL;
END $$;

CREATE TRIGGER "comment_thread_vote_count" AFTER INSERT OR UPDATE OR DELETE ON "comment_thread_vote"
    FOR EACH ROW EXECUTE FUNCTION "count_thread_votes"();

-- A hidden reply is not counted.
CREATE FUNCTION "count_threads"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "comment_post" SET
        "thread_count" = "thread_count"
            + (TG_OP <> 'DELETE' AND NEW."hidden_at" IS NULL)::int
            - (TG_OP <> 'INSERT' AND OLD."hidden_at" IS NULL)::int
    WHERE "id" = coalesce(NEW."post_id", OLD."post_id");
    RETURN NULL;
END $$;

CREATE TRIGGER "comment_thread_count" AFTER INSERT OR DELETE OR UPDATE OF "hidden_at" ON "comment_thread"
    FOR EACH ROW EXECUTE FUNCTION "count_threads"();

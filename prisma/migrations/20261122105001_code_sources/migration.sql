-- AlterTable
ALTER TABLE "one_time_code" ADD COLUMN     "browser_hash" VARCHAR(32) NOT NULL DEFAULT '',
ADD COLUMN     "captcha_solved" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "guessed_at" TIMESTAMPTZ(3),
ADD COLUMN     "guesses" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "is_source_known" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "mailbox" VARCHAR(320) NOT NULL DEFAULT '',
ADD COLUMN     "network_hash" VARCHAR(32) NOT NULL DEFAULT '',
ADD COLUMN     "source_hash" VARCHAR(32) NOT NULL DEFAULT '',
ADD COLUMN     "source_tries" JSONB NOT NULL DEFAULT '{}';

-- CreateIndex
CREATE INDEX "one_time_code_mailbox_idx" ON "one_time_code"("app_id", "mailbox", "purpose", "created_at");

-- CreateIndex
CREATE INDEX "one_time_code_network_idx" ON "one_time_code"("network_hash", "created_at");

-- CreateIndex
CREATE INDEX "one_time_code_browser_idx" ON "one_time_code"("browser_hash", "created_at");

-- CreateIndex
CREATE INDEX "one_time_code_guessed_at_idx" ON "one_time_code"("guessed_at");

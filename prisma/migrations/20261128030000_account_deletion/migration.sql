-- CreateTable
CREATE TABLE "account_deletion" (
    "member_id" VARCHAR(32) NOT NULL,
    "app_id" VARCHAR(64) NOT NULL,
    "customer_id" VARCHAR(64) NOT NULL,
    "email" VARCHAR(320),
    "recipient" VARCHAR(320),
    "is_proved" BOOLEAN NOT NULL,
    "plan_name" VARCHAR(200),
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "account_deletion_pkey" PRIMARY KEY ("member_id")
);

-- CreateIndex
CREATE INDEX "account_deletion_next_attempt_at_idx" ON "account_deletion"("next_attempt_at");

-- CreateIndex
CREATE UNIQUE INDEX "account_deletion_app_id_email_key" ON "account_deletion"("app_id", "email");

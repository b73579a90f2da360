-- CreateTable
CREATE TABLE "payment_account" (
    "id" SMALLINT NOT NULL DEFAULT 1,
    "account_id" VARCHAR(64) NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "adopted_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_account_pkey" PRIMARY KEY ("id")
);

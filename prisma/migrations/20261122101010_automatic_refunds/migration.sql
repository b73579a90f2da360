-- Payments that are refunded automatically, or left to the merchant (ADR 0027).
CREATE TYPE "refund_status" AS ENUM ('REFUNDED', 'FAILED', 'TASK');

CREATE TABLE "payment_refund" (
    "payment_intent_id" VARCHAR(64) NOT NULL,
    "invoice_id" VARCHAR(64) NOT NULL,
    "customer_id" VARCHAR(64) NOT NULL,
    "refund_id" VARCHAR(64),
    "reason" VARCHAR(32) NOT NULL,
    "amount" INTEGER NOT NULL,
    "currency" VARCHAR(3) NOT NULL,
    "status" "refund_status" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_refund_pkey" PRIMARY KEY ("payment_intent_id")
);

CREATE INDEX "payment_refund_created_at_idx" ON "payment_refund"("created_at");

ALTER TABLE "payment_customer" ADD COLUMN "settled" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[];

-- Emails that were waiting to be sent take the shape of now.
UPDATE "account_notice"
SET "kind" = 'refund', "details" = "details" || '{"reason": "paid-twice", "status": "refunded"}'
WHERE "kind" = 'double-payment-refunded';

-- CreateEnum
CREATE TYPE "billing_interval" AS ENUM ('MONTHLY', 'YEARLY');

-- AlterTable
ALTER TABLE "plan_connection" ADD COLUMN     "amount" INTEGER,
ADD COLUMN     "currency" VARCHAR(3),
ADD COLUMN     "ends_at" TIMESTAMPTZ(3),
ADD COLUMN     "interval" "billing_interval",
ADD COLUMN     "last_billed_at" TIMESTAMPTZ(3),
ADD COLUMN     "next_price_id" VARCHAR(100),
ADD COLUMN     "past_due_at" TIMESTAMPTZ(3),
ADD COLUMN     "period_ends_at" TIMESTAMPTZ(3),
ADD COLUMN     "price_id" VARCHAR(100),
ADD COLUMN     "subscription_id" VARCHAR(64);

-- CreateTable
CREATE TABLE "stripe_price" (
    "id" VARCHAR(64) NOT NULL,
    "product_id" VARCHAR(64) NOT NULL,
    "app_id" VARCHAR(64) NOT NULL,
    "plan_id" VARCHAR(100) NOT NULL,
    "price_id" VARCHAR(100) NOT NULL,
    "amount" INTEGER NOT NULL,
    "currency" VARCHAR(3) NOT NULL,
    "interval" "billing_interval",
    "current" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "stripe_price_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payment_customer" (
    "id" VARCHAR(64) NOT NULL,
    "app_id" VARCHAR(64) NOT NULL,
    "member_id" VARCHAR(32),
    "wanted" INTEGER NOT NULL DEFAULT 0,
    "done" INTEGER NOT NULL DEFAULT 0,
    "begun" INTEGER NOT NULL DEFAULT 0,
    "stored" INTEGER NOT NULL DEFAULT 0,
    "wanted_at" TIMESTAMPTZ(3),
    "read_at" TIMESTAMPTZ(3),
    "disputed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_customer_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payment_event" (
    "id" VARCHAR(255) NOT NULL,
    "type" VARCHAR(100) NOT NULL,
    "customer_id" VARCHAR(64),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payment_setup" (
    "app_id" VARCHAR(64) NOT NULL,
    "portal_configuration_id" VARCHAR(64) NOT NULL,
    "synced_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_setup_pkey" PRIMARY KEY ("app_id")
);

-- CreateIndex
CREATE INDEX "stripe_price_app_id_price_id_idx" ON "stripe_price"("app_id", "price_id");

-- CreateIndex
CREATE UNIQUE INDEX "payment_customer_member_id_key" ON "payment_customer"("member_id");

-- CreateIndex
CREATE INDEX "payment_event_received_at_idx" ON "payment_event"("received_at");

-- CreateIndex
CREATE UNIQUE INDEX "plan_connection_subscription_id_key" ON "plan_connection"("subscription_id");

-- CreateIndex
CREATE INDEX "plan_connection_past_due_at_idx" ON "plan_connection"("past_due_at");

-- AddForeignKey
ALTER TABLE "payment_customer" ADD CONSTRAINT "payment_customer_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "member"("id") ON DELETE SET NULL ON UPDATE CASCADE;


-- Customers that are to be read again, which are few of many.
CREATE INDEX "payment_customer_waiting_idx" ON "payment_customer"("wanted_at") WHERE "wanted" > "done";
-- And those whose payments are disputed.
CREATE INDEX "payment_customer_disputed_idx" ON "payment_customer"("id") WHERE "disputed_at" IS NOT NULL;

ALTER TABLE "plan_connection" ADD CONSTRAINT "plan_connection_paid_check" CHECK (
  ("type" = 'FREE') = ("price_id" IS NULL)
);

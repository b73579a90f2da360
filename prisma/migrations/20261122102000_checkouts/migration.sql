-- AlterTable
ALTER TABLE "payment_customer" ADD COLUMN     "checkout_until" TIMESTAMPTZ(3),
ADD COLUMN     "checkouts" INTEGER NOT NULL DEFAULT 0;

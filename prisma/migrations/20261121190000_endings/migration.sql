-- AlterTable
ALTER TABLE "payment_customer" ADD COLUMN     "dispute_lost_at" TIMESTAMPTZ(3),
ADD COLUMN     "ending_until" TIMESTAMPTZ(3),
ADD COLUMN     "leaving_at" TIMESTAMPTZ(3);

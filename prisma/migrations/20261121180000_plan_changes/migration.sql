-- AlterTable
ALTER TABLE "payment_customer" ADD COLUMN     "changing_by" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "changing_to" VARCHAR(100),
ADD COLUMN     "changing_until" TIMESTAMPTZ(3);

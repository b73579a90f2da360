-- AlterTable
ALTER TABLE "payment_setup" ADD COLUMN     "is_pending" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "stripe_price" ADD COLUMN     "replaced_at" TIMESTAMPTZ(3);

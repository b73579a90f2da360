-- AlterTable
ALTER TABLE "member" ADD COLUMN     "former_email" VARCHAR(320);

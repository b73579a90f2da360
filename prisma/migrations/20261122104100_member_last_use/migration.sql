-- Accounts from before count as used: whether they were is not known, and unused ones may be removed.
ALTER TABLE "member" ADD COLUMN     "last_used_at" TIMESTAMPTZ(3) DEFAULT now();
ALTER TABLE "member" ALTER COLUMN "last_used_at" DROP DEFAULT;

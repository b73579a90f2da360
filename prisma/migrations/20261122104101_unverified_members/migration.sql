-- The hourly clean-up looks for old accounts that nobody has verified.
CREATE INDEX "member_unverified_idx" ON "member"("created_at") WHERE NOT "verified" AND "stripe_customer_id" IS NULL;

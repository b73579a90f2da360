-- A dispute cancels the subscription at once; nothing about it is kept (ADR 0026).
ALTER TABLE "payment_customer" DROP COLUMN "disputed_at", DROP COLUMN "dispute_lost_at";

-- Emails of a kind that no longer exists.
DELETE FROM "account_notice" WHERE "kind" = 'disputed-time-refunded';

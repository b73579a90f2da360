-- Two changes at once are told apart by Stripe itself.
ALTER TABLE "payment_customer" DROP COLUMN "changing_by", DROP COLUMN "changing_to", DROP COLUMN "changing_until";

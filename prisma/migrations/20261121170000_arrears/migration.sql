-- Whoever looks for plans whose time to pay is over looks for those that are still open; closed ones are many and stay.
DROP INDEX "plan_connection_past_due_at_idx";
CREATE INDEX "plan_connection_arrears_idx" ON "plan_connection"("past_due_at") WHERE "active";

-- Customers with a pending or running sync are few.
DROP INDEX payment_customer_pending_sync_idx;
CREATE INDEX payment_customer_pending_sync_idx ON payment_customer (sync_requested_at)
    WHERE sync_requested_at IS NOT NULL;
CREATE INDEX payment_customer_running_sync_idx ON payment_customer (leased_until) WHERE leased_until IS NOT NULL;

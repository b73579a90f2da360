-- The time of a request is now set only while a sync is pending.
UPDATE payment_customer SET sync_requested_at = NULL
WHERE sync_requested_at IS NOT NULL AND syncs_requested <= syncs_completed;

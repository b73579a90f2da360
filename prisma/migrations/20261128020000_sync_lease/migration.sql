-- A sync has a lease on its customer (ADR 0067). The previous version still counts in the columns that this replaces, so a
-- later migration drops syncs_requested, syncs_completed, syncs_started, last_stored_sync and cancellation_locked_until.
ALTER TABLE payment_customer ADD COLUMN lease_owner uuid, ADD COLUMN leased_until timestamptz(3);

-- The emails that wait to be sent are few among those of 15 days. Metrics count them at each scrape.
CREATE INDEX outbox_email_waiting_idx ON outbox_email (created_at) WHERE sent_at IS NULL AND held_for IS NULL;

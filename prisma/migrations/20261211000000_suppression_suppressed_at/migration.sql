-- For the number of addresses that were suppressed in the last days.
CREATE INDEX suppression_suppressed_at_idx ON suppression (suppressed_at);

-- The number that links to the preferences carry. Links that were sent before count as 0.
ALTER TABLE member ADD COLUMN link_version INTEGER NOT NULL DEFAULT 0;

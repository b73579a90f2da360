-- Which texts said how to stop, so that one of each month does.

ALTER TABLE delivery ADD COLUMN stop_notice boolean NOT NULL DEFAULT false;
CREATE INDEX delivery_stop_notice_idx ON delivery (member_id, claimed_at) WHERE stop_notice;

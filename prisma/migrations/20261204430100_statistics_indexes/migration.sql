-- For the statistics of some days.
CREATE INDEX memo_like_created_at_idx ON memo_like (created_at);
CREATE INDEX member_app_id_created_at_idx ON member (app_id, created_at);

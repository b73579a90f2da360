-- Members and the likes of memos are counted in an index alone, not in tables that grow to millions of rows.
CREATE INDEX member_verified_idx ON member (app_id) WHERE verified;
CREATE INDEX memo_like_created_at_memo_id_idx ON memo_like (created_at, memo_id);
DROP INDEX memo_like_created_at_idx;
-- For what needs an editor, and for the progress of deliveries, which each desk asks for every ten seconds.
CREATE INDEX delivery_run_created_at_idx ON delivery_run (created_at);
CREATE INDEX delivery_run_finished_at_idx ON delivery_run (finished_at);
CREATE INDEX delivery_run_unfinished_idx ON delivery_run (id) WHERE state <> 'done';

-- Memos that are added after sending began are not delivered.

ALTER TABLE delivery_run ADD COLUMN memo_ids uuid[];

-- What a worker's folder knows is compared with these, so that a ledger that went back in time sends nothing.

ALTER TABLE delivery_control
  ADD COLUMN site_url varchar(300),
  ADD COLUMN written_by bigint,
  ADD COLUMN epoch integer NOT NULL DEFAULT 0,
  ADD COLUMN suspended_reason varchar(40);

CREATE TABLE sending_folder (
  id uuid PRIMARY KEY,
  process varchar(200) NOT NULL,
  accepted_at timestamptz(3),
  used_at timestamptz(3),
  seen_at timestamptz(3) NOT NULL,
  held_reason varchar(40),
  settled_for varchar(200)
);

CREATE TABLE sending_mark (
  id uuid PRIMARY KEY,
  folder_id uuid NOT NULL,
  counter integer NOT NULL,
  used_at timestamptz(3) NOT NULL
);
CREATE INDEX sending_mark_folder_id_idx ON sending_mark (folder_id);

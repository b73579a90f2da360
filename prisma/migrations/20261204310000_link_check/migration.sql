-- The results of asking for the links of memos.
CREATE TABLE link_check (
  id uuid NOT NULL,
  url varchar(2000) NOT NULL,
  outcome varchar(10),
  status smallint,
  checked_at timestamptz(3),
  requested_at timestamptz(3) NOT NULL,
  CONSTRAINT link_check_pkey PRIMARY KEY (id)
);

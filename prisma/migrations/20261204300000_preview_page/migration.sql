-- The previews that editors look at, for some minutes. Losing them in a crash costs nothing.
CREATE UNLOGGED TABLE preview_page (
  token_hash char(64) NOT NULL,
  type varchar(40) NOT NULL,
  content bytea NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT preview_page_pkey PRIMARY KEY (token_hash)
);

CREATE INDEX preview_page_expires_at_idx ON preview_page (expires_at);

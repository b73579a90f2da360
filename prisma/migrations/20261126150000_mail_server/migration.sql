-- What a mail server offers, so that a sign-up at an address that it can't reach says so.

CREATE TABLE mail_server (
  name VARCHAR(300) NOT NULL,
  offers_smtp_utf8 BOOLEAN NOT NULL,
  checked_at TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT mail_server_pkey PRIMARY KEY (name)
);

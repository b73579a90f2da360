-- What the next payments of a plan charge, with discounts and tax.

ALTER TABLE plan_connection
  ADD COLUMN renewal jsonb,
  ADD COLUMN adjusted_by varchar(64);

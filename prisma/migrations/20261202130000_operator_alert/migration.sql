-- Which problems the operator was told about by email, and when.
CREATE TABLE operator_alert (
  kind varchar(40) NOT NULL,
  recipient varchar(320) NOT NULL,
  since timestamptz(3),
  told_since timestamptz(3),
  told_at timestamptz(3),
  leased_until timestamptz(3),
  PRIMARY KEY (kind, recipient)
);

-- When readers last got another text of a memo than before.
ALTER TABLE memo ADD COLUMN text_changed_at timestamptz(3);

-- The notes about corrections that editors send to members who got the old text.
CREATE TABLE correction_note (
  id uuid NOT NULL,
  memo_id uuid NOT NULL,
  corrected_at timestamptz(3) NOT NULL,
  note varchar(1000) NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- Of delivery_control, when it was planned.
  epoch integer NOT NULL,
  CONSTRAINT correction_note_pkey PRIMARY KEY (id),
  CONSTRAINT correction_note_memo_id_fkey FOREIGN KEY (memo_id) REFERENCES memo (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX correction_note_memo_id_corrected_at_key ON correction_note (memo_id, corrected_at);

CREATE TYPE correction_state AS ENUM ('planned', 'sending', 'sent', 'unconfirmed', 'not_delivered');

-- One note to one member, once.
CREATE TABLE correction_delivery (
  note_id uuid NOT NULL,
  member_id varchar(32) NOT NULL,
  -- The delivery that had the old text.
  delivery_id uuid NOT NULL,
  method delivery_method NOT NULL,
  state correction_state NOT NULL DEFAULT 'planned',
  reason varchar(300),
  updated_at timestamptz(3) NOT NULL,
  CONSTRAINT correction_delivery_pkey PRIMARY KEY (note_id, member_id),
  CONSTRAINT correction_delivery_note_id_fkey FOREIGN KEY (note_id) REFERENCES correction_note (id)
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT correction_delivery_member_id_fkey FOREIGN KEY (member_id) REFERENCES member (id)
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX correction_delivery_member_id_idx ON correction_delivery (member_id);
CREATE INDEX correction_delivery_note_id_state_idx ON correction_delivery (note_id, state);

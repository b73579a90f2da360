-- The texts that are limited by the day: codes, and tests of editors. Also whether codes to new accounts are stopped.

CREATE TYPE limited_text_kind AS ENUM ('code', 'test');

CREATE TABLE limited_text (
    id uuid NOT NULL DEFAULT uuidv7(),
    kind limited_text_kind NOT NULL,
    number_hash char(64) NOT NULL,
    member_id varchar(32),
    has_plan boolean NOT NULL,
    sent_at timestamptz(3) NOT NULL,
    entered_at timestamptz(3),
    is_refused boolean NOT NULL DEFAULT false,
    CONSTRAINT limited_text_pkey PRIMARY KEY (id),
    CONSTRAINT limited_text_member_id_fkey FOREIGN KEY (member_id) REFERENCES member (id)
        ON DELETE SET NULL ON UPDATE CASCADE
);

CREATE INDEX limited_text_sent_at_idx ON limited_text (sent_at);
CREATE INDEX limited_text_number_hash_sent_at_idx ON limited_text (number_hash, sent_at);
CREATE INDEX limited_text_member_id_sent_at_idx ON limited_text (member_id, sent_at);

CREATE TABLE phone_code_stop (
    id smallint NOT NULL DEFAULT 1 CONSTRAINT phone_code_stop_id_check CHECK (id = 1),
    stopped_until timestamptz(3),
    allowed_at timestamptz(3),
    CONSTRAINT phone_code_stop_pkey PRIMARY KEY (id)
);

INSERT INTO phone_code_stop (id) VALUES (1);

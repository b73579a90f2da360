-- The phone number that a member verifies by a code in a text.

CREATE TABLE member_phone (
    member_id varchar(32) NOT NULL,
    text varchar(2000) NOT NULL,
    number varchar(20) NOT NULL,
    code_hash char(64),
    code_expires_at timestamptz(3) NOT NULL,
    code_tries integer NOT NULL DEFAULT 0,
    verified_at timestamptz(3),
    time_zone varchar(64),
    consent_at timestamptz(3) NOT NULL,
    consent_origin varchar(300) NOT NULL,
    consent_text varchar(500) NOT NULL,
    CONSTRAINT member_phone_pkey PRIMARY KEY (member_id),
    CONSTRAINT member_phone_member_id_fkey FOREIGN KEY (member_id) REFERENCES member (id)
        ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX member_phone_number_idx ON member_phone (number);

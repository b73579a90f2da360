-- People who work at the desk, beside the keys of scripts.
CREATE TABLE person (
    id UUID NOT NULL DEFAULT uuidv7(),
    email VARCHAR(254) NOT NULL,
    name VARCHAR(100) NOT NULL,
    roles TEXT[],
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    removed_at TIMESTAMPTZ(3),
    CONSTRAINT person_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX person_email_key ON person (email);

ALTER TABLE audit_entry ADD COLUMN person_id UUID;
ALTER TABLE audit_entry
    ADD CONSTRAINT audit_entry_person_id_fkey FOREIGN KEY (person_id) REFERENCES person (id)
    ON DELETE RESTRICT ON UPDATE CASCADE;
CREATE INDEX audit_entry_person_id_idx ON audit_entry (person_id, id);

-- A person's requests have Idempotency-Keys as well.
ALTER TABLE idempotency_record DROP CONSTRAINT idempotency_record_editor_key_id_fkey;

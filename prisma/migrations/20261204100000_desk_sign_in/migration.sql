-- How people sign in at the desk.
ALTER TABLE person ADD COLUMN time_zone VARCHAR(64);

CREATE TABLE passkey (
    id UUID NOT NULL DEFAULT uuidv7(),
    person_id UUID NOT NULL,
    credential_id VARCHAR(1400) NOT NULL,
    public_key BYTEA NOT NULL,
    counter BIGINT NOT NULL,
    transports TEXT[],
    name VARCHAR(100) NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL,
    last_used_at TIMESTAMPTZ(3),
    CONSTRAINT passkey_pkey PRIMARY KEY (id),
    CONSTRAINT passkey_person_id_fkey FOREIGN KEY (person_id) REFERENCES person (id)
        ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX passkey_credential_id_key ON passkey (credential_id);
CREATE INDEX passkey_person_id_idx ON passkey (person_id);

CREATE TABLE desk_session (
    id UUID NOT NULL DEFAULT uuidv7(),
    person_id UUID NOT NULL,
    secret_hash CHAR(64) NOT NULL,
    device VARCHAR(200) NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL,
    last_used_at TIMESTAMPTZ(3) NOT NULL,
    proved_at TIMESTAMPTZ(3),
    CONSTRAINT desk_session_pkey PRIMARY KEY (id),
    CONSTRAINT desk_session_person_id_fkey FOREIGN KEY (person_id) REFERENCES person (id)
        ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX desk_session_secret_hash_key ON desk_session (secret_hash);
CREATE INDEX desk_session_person_id_idx ON desk_session (person_id);

CREATE TABLE invitation (
    id UUID NOT NULL,
    email VARCHAR(254) NOT NULL,
    roles TEXT[],
    invited_by_id UUID,
    created_at TIMESTAMPTZ(3) NOT NULL,
    expires_at TIMESTAMPTZ(3) NOT NULL,
    ended_at TIMESTAMPTZ(3),
    CONSTRAINT invitation_pkey PRIMARY KEY (id),
    CONSTRAINT invitation_invited_by_id_fkey FOREIGN KEY (invited_by_id) REFERENCES person (id)
        ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE INDEX invitation_email_idx ON invitation (email);
CREATE INDEX invitation_expires_at_idx ON invitation (expires_at);

CREATE TABLE sign_in_link (
    id UUID NOT NULL,
    email VARCHAR(254) NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL,
    sent_at TIMESTAMPTZ(3),
    used_at TIMESTAMPTZ(3),
    CONSTRAINT sign_in_link_pkey PRIMARY KEY (id)
);
CREATE INDEX sign_in_link_email_idx ON sign_in_link (email, created_at);
CREATE INDEX sign_in_link_created_at_idx ON sign_in_link (created_at);

CREATE TABLE passkey_challenge (
    challenge VARCHAR(64) NOT NULL,
    purpose VARCHAR(100) NOT NULL,
    expires_at TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT passkey_challenge_pkey PRIMARY KEY (challenge)
);
CREATE INDEX passkey_challenge_expires_at_idx ON passkey_challenge (expires_at);

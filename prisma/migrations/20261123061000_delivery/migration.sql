-- The ledger of deliveries: one row for each edition or digest, member and method.

CREATE TYPE delivery_run_state AS ENUM ('planned', 'sending', 'stopped', 'held', 'done');
CREATE TYPE delivery_method AS ENUM ('memo_email', 'memo_sms', 'pdf_email', 'pdf_sms', 'digest');
CREATE TYPE delivery_state AS ENUM (
    'planned', 'sending', 'sent', 'delivered', 'bounced', 'failed', 'suppressed', 'unconfirmed'
);
CREATE TYPE suppression_kind AS ENUM ('bounce', 'complaint');

CREATE TABLE delivery_run (
    id serial PRIMARY KEY,
    edition_id uuid CONSTRAINT delivery_run_edition_id_key UNIQUE
        REFERENCES edition (id) ON DELETE CASCADE ON UPDATE CASCADE,
    digest_date date CONSTRAINT delivery_run_digest_date_key UNIQUE,
    state delivery_run_state NOT NULL DEFAULT 'planned',
    held_reason text,
    created_at timestamptz(3) NOT NULL,
    planned_at timestamptz(3),
    send_after timestamptz(3) NOT NULL,
    started_at timestamptz(3),
    active_at timestamptz(3),
    finished_at timestamptz(3),
    report jsonb,
    archived_at timestamptz(3),
    CONSTRAINT delivery_run_content_check CHECK ((edition_id IS NULL) <> (digest_date IS NULL)),
    CONSTRAINT delivery_run_held_reason_check CHECK ((state = 'held') = (held_reason IS NOT NULL))
);
-- The sweep reads the runs that are not finished.
CREATE INDEX delivery_run_open_idx ON delivery_run (send_after) WHERE state IN ('planned', 'sending');

CREATE TABLE delivery (
    id uuid PRIMARY KEY DEFAULT uuidv7(),
    run_id integer NOT NULL REFERENCES delivery_run (id) ON DELETE CASCADE ON UPDATE CASCADE,
    member_id varchar(32),
    method delivery_method NOT NULL,
    state delivery_state NOT NULL DEFAULT 'planned',
    recipient varchar(320) NOT NULL,
    attempts smallint NOT NULL DEFAULT 0,
    next_attempt_at timestamptz(3),
    claimed_by uuid,
    claimed_at timestamptz(3),
    sent_at timestamptz(3),
    edition_version integer,
    reason varchar(300),
    updated_at timestamptz(3) NOT NULL
);
-- New rows go to the end of every index: run ids and UUIDs of version 7 grow.
CREATE UNIQUE INDEX delivery_run_id_member_id_method_key ON delivery (run_id, member_id, method);
-- What is still to be sent, in order, and what awaits an answer: empty between sendings.
CREATE INDEX delivery_planned_idx ON delivery (run_id, id) WHERE state = 'planned' AND claimed_by IS NULL;
CREATE INDEX delivery_claimed_idx ON delivery (claimed_by) WHERE claimed_by IS NOT NULL AND state IN ('planned', 'sending');
CREATE INDEX delivery_unconfirmed_idx ON delivery (id) WHERE state = 'unconfirmed';

CREATE TABLE delivery_sender (
    id uuid PRIMARY KEY,
    run_id integer NOT NULL,
    process varchar(200) NOT NULL,
    heartbeat_at timestamptz(3) NOT NULL
);

CREATE TABLE delivery_control (
    id smallint PRIMARY KEY DEFAULT 1 CONSTRAINT delivery_control_id_check CHECK (id = 1),
    instance varchar(300) NOT NULL,
    confirmed_at timestamptz(3) NOT NULL,
    held_at timestamptz(3)
);

CREATE TABLE suppression (
    address varchar(320) PRIMARY KEY,
    kind suppression_kind NOT NULL,
    reason varchar(300) NOT NULL DEFAULT '',
    bounces integer NOT NULL DEFAULT 0,
    suppressed_at timestamptz(3),
    lifted_at timestamptz(3)
);

-- A member pauses all deliveries until a day.
ALTER TABLE member ADD COLUMN deliveries_paused_until date;

-- Anonymizes the deliveries of a deleted member and cancels those not sent yet, whichever statement deletes the member.
-- One index probe for each run that is not archived.
CREATE FUNCTION anonymize_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE delivery SET
        member_id = NULL,
        recipient = '',
        state = CASE WHEN delivery.state = 'planned' THEN 'suppressed' ELSE delivery.state END,
        reason = CASE WHEN delivery.state = 'planned' THEN 'account-deleted' ELSE delivery.reason END
    FROM delivery_run AS run
    WHERE run.id = delivery.run_id AND run.archived_at IS NULL AND delivery.member_id = OLD.id;
    RETURN OLD;
END $$;

CREATE TRIGGER member_anonymize_deliveries BEFORE DELETE ON member
    FOR EACH ROW EXECUTE FUNCTION anonymize_deliveries();

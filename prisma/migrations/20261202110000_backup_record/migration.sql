-- When backups were completed, for the metric of the last one.
CREATE TABLE backup_record (
    id UUID NOT NULL DEFAULT uuidv7(),
    finished_at TIMESTAMPTZ(3) NOT NULL,
    bytes BIGINT NOT NULL,
    kind VARCHAR(20) NOT NULL,
    CONSTRAINT backup_record_pkey PRIMARY KEY (id)
);
CREATE INDEX backup_record_finished_at_idx ON backup_record (finished_at);

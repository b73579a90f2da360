-- The process that makes a PDF claims it (ADR 0088). Unlogged: claims need no flush to disk, and after a crash none is left.
CREATE UNLOGGED TABLE pdf_claim (
    name varchar(80) NOT NULL,
    token uuid NOT NULL,
    claimed_until timestamptz(3) NOT NULL,
    CONSTRAINT pdf_claim_pkey PRIMARY KEY (name)
);

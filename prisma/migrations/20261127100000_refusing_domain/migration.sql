-- Domains whose servers refuse us, not one of their addresses. Their other messages wait.

-- The domain of an email address; empty for a number, and for an address that was removed.
CREATE FUNCTION receiving_domain(address text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN coalesce(lower(substring(address FROM '@([^@]*)$')), '');

CREATE TABLE refusing_domain (
    domain varchar(255) PRIMARY KEY,
    since timestamptz(3) NOT NULL,
    refusals integer NOT NULL,
    first_reply varchar(300) NOT NULL,
    last_reply varchar(300) NOT NULL,
    last_refused_at timestamptz(3) NOT NULL,
    waits smallint NOT NULL,
    retry_at timestamptz(3)
);

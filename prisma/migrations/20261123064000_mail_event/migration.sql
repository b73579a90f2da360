-- The events of mail services that were received: each is recorded once.
CREATE TABLE mail_event (
    id varchar(200) PRIMARY KEY,
    received_at timestamptz(3) NOT NULL
);
CREATE INDEX mail_event_received_at_idx ON mail_event (received_at);

-- What bounces and complaints say of an address goes with the last account that has it.
CREATE FUNCTION forget_suppression() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM suppression WHERE address = OLD.email AND NOT EXISTS (SELECT FROM member WHERE email = OLD.email);
    RETURN OLD;
END $$;

CREATE TRIGGER member_forget_suppression AFTER DELETE ON member
    FOR EACH ROW EXECUTE FUNCTION forget_suppression();

-- The verified addresses and numbers that members had before. The desk finds with them what was sent there, without an index of
-- recipients, which every delivery would have to maintain.
CREATE TABLE former_recipient (
    recipient varchar(320) NOT NULL,
    member_id varchar(32) NOT NULL,
    changed_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT former_recipient_pkey PRIMARY KEY (recipient, member_id),
    CONSTRAINT former_recipient_member_id_fkey FOREIGN KEY (member_id) REFERENCES member (id)
        ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX former_recipient_member_id_idx ON former_recipient (member_id);

-- NOTE: deleting a member deletes the number too, when there is no member left to remember it for.
CREATE FUNCTION remember_recipient(former text, of_member text) RETURNS void LANGUAGE sql AS $$
    INSERT INTO former_recipient (recipient, member_id)
    SELECT former, id FROM member WHERE id = of_member FOR KEY SHARE
    ON CONFLICT ON CONSTRAINT former_recipient_pkey DO UPDATE SET changed_at = now();
$$;

CREATE FUNCTION remember_address() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM remember_recipient(OLD.email, OLD.id);
    RETURN NULL;
END $$;

CREATE TRIGGER member_remember_address AFTER UPDATE OF email ON member
    FOR EACH ROW WHEN (OLD.verified AND OLD.email <> NEW.email) EXECUTE FUNCTION remember_address();

CREATE FUNCTION remember_number() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM remember_recipient(OLD.number, OLD.member_id);
    RETURN NULL;
END $$;

CREATE TRIGGER member_phone_remember_number AFTER UPDATE OF number ON member_phone
    FOR EACH ROW WHEN (OLD.verified_at IS NOT NULL AND OLD.number <> NEW.number) EXECUTE FUNCTION remember_number();

CREATE TRIGGER member_phone_remember_removed AFTER DELETE ON member_phone
    FOR EACH ROW WHEN (OLD.verified_at IS NOT NULL) EXECUTE FUNCTION remember_number();

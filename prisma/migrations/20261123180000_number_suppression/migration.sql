-- The suppression of a phone number ends with the last member who has the number.

CREATE FUNCTION forget_number_suppression() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM suppression WHERE address = OLD.number
        AND NOT EXISTS (SELECT FROM member_phone WHERE number = OLD.number);
    RETURN NULL;
END $$;

CREATE TRIGGER member_phone_forget_suppression AFTER DELETE OR UPDATE OF number ON member_phone
    FOR EACH ROW EXECUTE FUNCTION forget_number_suppression();

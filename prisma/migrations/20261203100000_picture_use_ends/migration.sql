-- A picture that a memo or an article no longer shows stays for as long as one that was uploaded now: emails that were sent
-- still show it, and the change may be undone.
CREATE FUNCTION note_picture_use_ended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE media SET created_at = now() WHERE file = OLD.media_file;
  RETURN NULL;
END
$$;

CREATE TRIGGER memo_picture_use_ended AFTER DELETE OR UPDATE OF media_file ON memo
  FOR EACH ROW WHEN (OLD.media_file IS NOT NULL) EXECUTE FUNCTION note_picture_use_ended();

CREATE TRIGGER article_picture_use_ended AFTER DELETE OR UPDATE OF media_file ON article
  FOR EACH ROW WHEN (OLD.media_file IS NOT NULL) EXECUTE FUNCTION note_picture_use_ended();

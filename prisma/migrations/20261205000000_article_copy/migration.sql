-- Editors also find an article by words that only its working copy has.
CREATE INDEX working_copy_desk_text_idx ON working_copy
    USING gin (desk_text(fields ->> 'title', fields ->> 'memo_content', fields ->> 'media_title') gin_trgm_ops)
    WHERE kind = 'article';

-- Lists of articles that a person saved last.
CREATE INDEX working_copy_saved_by_id_idx ON working_copy (saved_by_id);
CREATE INDEX article_saved_by_id_idx ON article (saved_by_id);

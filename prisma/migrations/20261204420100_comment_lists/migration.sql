-- For the editors' lists: new comments, hidden ones, and words in comments and in their authors' names.
CREATE INDEX comment_post_created_at_idx ON comment_post (created_at);
CREATE INDEX comment_thread_created_at_idx ON comment_thread (created_at);
CREATE INDEX comment_post_hidden_idx ON comment_post (internal_order) WHERE hidden_at IS NOT NULL;
CREATE INDEX comment_thread_hidden_idx ON comment_thread (internal_order) WHERE hidden_at IS NOT NULL;
CREATE INDEX comment_post_desk_text_idx ON comment_post USING gin (desk_text('', content, '') gin_trgm_ops);
CREATE INDEX comment_thread_desk_text_idx ON comment_thread USING gin (desk_text('', content, '') gin_trgm_ops);
-- For the search of a member by an address.
CREATE INDEX member_former_email_idx ON member (former_email) WHERE former_email IS NOT NULL;
CREATE INDEX member_desk_name_idx ON member USING gin (desk_folded(custom_fields->>'name') gin_trgm_ops);

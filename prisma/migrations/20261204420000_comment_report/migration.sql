-- Readers' reports of comments, until an editor keeps the comment.
CREATE TABLE comment_report (
    id UUID NOT NULL DEFAULT uuidv7(),
    post_id VARCHAR(32),
    thread_id VARCHAR(32),
    member_id VARCHAR(32) NOT NULL,
    reason VARCHAR(200) NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL,
    ended_at TIMESTAMPTZ(3),
    CONSTRAINT comment_report_pkey PRIMARY KEY (id),
    CONSTRAINT comment_report_comment_check CHECK (num_nonnulls(post_id, thread_id) = 1),
    CONSTRAINT comment_report_post_id_fkey FOREIGN KEY (post_id) REFERENCES comment_post (id)
        ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT comment_report_thread_id_fkey FOREIGN KEY (thread_id) REFERENCES comment_thread (id)
        ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT comment_report_member_id_fkey FOREIGN KEY (member_id) REFERENCES member (id)
        ON DELETE CASCADE ON UPDATE CASCADE
);
-- One for each reader and comment, also once it has ended.
CREATE UNIQUE INDEX comment_report_post_id_member_id_key ON comment_report (post_id, member_id);
CREATE UNIQUE INDEX comment_report_thread_id_member_id_key ON comment_report (thread_id, member_id);
CREATE INDEX comment_report_member_id_idx ON comment_report (member_id);
-- The open ones are few.
CREATE INDEX comment_report_open_idx ON comment_report (id) WHERE ended_at IS NULL;

-- The private feed address of a member.

CREATE TABLE member_feed (
    member_id varchar(32) PRIMARY KEY REFERENCES member (id) ON DELETE CASCADE ON UPDATE CASCADE,
    token_hash char(64) NOT NULL CONSTRAINT member_feed_token_hash_key UNIQUE,
    created_at timestamptz(3) NOT NULL
);

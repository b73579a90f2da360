-- The tables by domain, referenced ones first. `prisma/schema` documents the columns. Checks, partial indexes, deferred
-- constraints and triggers are only here, because Prisma's schema language has none of them.

-- Rate limits -----------------------------------------------------------------

CREATE TABLE rate_limit (
    key varchar(255) PRIMARY KEY,
    points integer NOT NULL DEFAULT 0,
    expire bigint
);

-- Media -----------------------------------------------------------------------

CREATE TABLE media (
    file varchar(64) PRIMARY KEY,
    width integer NOT NULL,
    height integer NOT NULL,
    bytes integer NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT media_file_check CHECK (file ~ '^[a-z0-9]{20,40}\.jpg$'),
    CONSTRAINT media_size_check CHECK (width > 0 AND height > 0 AND bytes > 0)
);

-- Editions --------------------------------------------------------------------

CREATE TYPE edition_status AS ENUM ('draft', 'scheduled', 'published', 'held');

CREATE TABLE edition (
    id uuid PRIMARY KEY DEFAULT uuidv7(),
    date date NOT NULL,
    slot varchar(12) NOT NULL,
    status edition_status NOT NULL DEFAULT 'draft',
    publish_at timestamptz(3) NOT NULL,
    published_at timestamptz(3),
    held_reason text,
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT edition_date_check CHECK (date BETWEEN DATE '2000-01-01' AND DATE '2099-12-31'),
    CONSTRAINT edition_slot_check CHECK (slot ~ '^[0-9A-Za-z]{1,12}$'),
    CONSTRAINT edition_published_at_check CHECK ((status = 'published') = (published_at IS NOT NULL)),
    CONSTRAINT edition_held_reason_check CHECK ((status = 'held') = (held_reason IS NOT NULL)),
    CONSTRAINT edition_version_check CHECK (version >= 1)
);
CREATE INDEX edition_status_publish_at_idx ON edition (status, publish_at);
CREATE UNIQUE INDEX edition_date_slot_key ON edition (date, slot);

CREATE TABLE memo (
    id uuid PRIMARY KEY DEFAULT uuidv7(),
    edition_id uuid NOT NULL REFERENCES edition (id) ON DELETE RESTRICT ON UPDATE CASCADE,
    position integer NOT NULL,
    title varchar(300) NOT NULL,
    content text NOT NULL,
    source varchar(2000) NOT NULL DEFAULT '',
    media_file varchar(64) REFERENCES media (file) ON DELETE RESTRICT ON UPDATE CASCADE,
    media_title varchar(500) NOT NULL DEFAULT '',
    media_text text NOT NULL DEFAULT '',
    like_count integer NOT NULL DEFAULT 0,
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    -- Checked at the end of a transaction, so that memos can swap positions within one.
    CONSTRAINT memo_edition_id_position_key UNIQUE (edition_id, position) DEFERRABLE INITIALLY DEFERRED,
    CONSTRAINT memo_position_check CHECK (position >= 1),
    CONSTRAINT memo_like_count_check CHECK (like_count >= 0),
    CONSTRAINT memo_version_check CHECK (version >= 1)
);
CREATE INDEX memo_media_file_idx ON memo (media_file);

CREATE TABLE memo_like (
    memo_id uuid NOT NULL REFERENCES memo (id) ON DELETE CASCADE ON UPDATE CASCADE,
    reader_id uuid NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    PRIMARY KEY (memo_id, reader_id)
);

-- Apps and their content ------------------------------------------------------

CREATE TABLE membership_app (
    id varchar(64) PRIMARY KEY,
    public_key varchar(100) NOT NULL,
    config jsonb NOT NULL,
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT membership_app_id_check CHECK (id ~ '^app_[0-9A-Za-z]+$'),
    CONSTRAINT membership_app_public_key_check CHECK (public_key ~ '^pk_[0-9A-Za-z_]+$'),
    CONSTRAINT membership_app_version_check CHECK (version >= 1)
);
CREATE UNIQUE INDEX membership_app_public_key_key ON membership_app (public_key);

CREATE TABLE content_group (
    id varchar(32) PRIMARY KEY,
    app_id varchar(64) NOT NULL,
    key varchar(100) NOT NULL,
    name varchar(200) NOT NULL,
    permissions text[],
    plans text[],
    redirect varchar(2000) NOT NULL DEFAULT '',
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT content_group_lists_check CHECK (permissions IS NOT NULL AND plans IS NOT NULL),
    CONSTRAINT content_group_version_check CHECK (version >= 1)
);
CREATE UNIQUE INDEX content_group_app_id_key_key ON content_group (app_id, key);

CREATE TYPE article_status AS ENUM ('draft', 'published');

CREATE TABLE article (
    id uuid PRIMARY KEY DEFAULT uuidv7(),
    title varchar(300) NOT NULL,
    content text NOT NULL,
    media_file varchar(64) REFERENCES media (file) ON DELETE RESTRICT ON UPDATE CASCADE,
    media_title varchar(500) NOT NULL DEFAULT '',
    group_id varchar(32) REFERENCES content_group (id) ON DELETE RESTRICT ON UPDATE CASCADE,
    status article_status NOT NULL DEFAULT 'draft',
    published_at timestamptz(3),
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT article_published_at_check CHECK ((status = 'published') = (published_at IS NOT NULL)),
    CONSTRAINT article_version_check CHECK (version >= 1)
);
CREATE INDEX article_status_published_at_idx ON article (status, published_at);
CREATE INDEX article_media_file_idx ON article (media_file);
CREATE INDEX article_group_id_idx ON article (group_id);

CREATE TYPE secure_content_type AS ENUM ('HTML', 'CSS', 'LINK', 'JS', 'JSON', 'TEXT', 'IMAGE', 'FILE');

CREATE TABLE secure_content (
    app_id varchar(64) NOT NULL,
    content_id varchar(100) NOT NULL,
    type secure_content_type NOT NULL,
    content text NOT NULL,
    permissions text[],
    plans text[],
    group_id varchar(32) REFERENCES content_group (id) ON DELETE RESTRICT ON UPDATE CASCADE,
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    PRIMARY KEY (app_id, content_id),
    CONSTRAINT secure_content_lists_check CHECK (permissions IS NOT NULL AND plans IS NOT NULL),
    CONSTRAINT secure_content_version_check CHECK (version >= 1)
);
CREATE INDEX secure_content_group_id_idx ON secure_content (group_id);

-- Readers ---------------------------------------------------------------------

CREATE TYPE contact_kind AS ENUM ('email', 'phone');

CREATE TABLE reader_contact (
    id uuid PRIMARY KEY DEFAULT uuidv7(),
    kind contact_kind NOT NULL,
    value varchar(320) NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT reader_contact_value_check CHECK (value <> '')
);
CREATE UNIQUE INDEX reader_contact_kind_value_key ON reader_contact (kind, value);

-- Editors ---------------------------------------------------------------------

CREATE TABLE editor_key (
    id uuid PRIMARY KEY DEFAULT uuidv7(),
    name varchar(100) NOT NULL,
    secret_hash char(64) NOT NULL,
    scopes text[],
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    last_used_at timestamptz(3),
    revoked_at timestamptz(3),
    -- The other two conditions accept NULL.
    CONSTRAINT editor_key_scopes_check CHECK (
        scopes IS NOT NULL AND cardinality(scopes) > 0 AND scopes <@ ARRAY['read', 'write', 'publish']
    )
);
CREATE UNIQUE INDEX editor_key_secret_hash_key ON editor_key (secret_hash);

CREATE TABLE audit_entry (
    id uuid PRIMARY KEY DEFAULT uuidv7(),
    at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    editor_key_id uuid REFERENCES editor_key (id) ON DELETE RESTRICT ON UPDATE CASCADE,
    action varchar(60) NOT NULL,
    subject varchar(100) NOT NULL,
    details jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX audit_entry_subject_id_idx ON audit_entry (subject, id);
CREATE INDEX audit_entry_editor_key_id_idx ON audit_entry (editor_key_id);

CREATE TABLE idempotency_record (
    editor_key_id uuid NOT NULL REFERENCES editor_key (id) ON DELETE CASCADE ON UPDATE CASCADE,
    key varchar(200) NOT NULL,
    request_hash char(64) NOT NULL,
    status integer NOT NULL,
    etag varchar(40),
    body jsonb NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    PRIMARY KEY (editor_key_id, key),
    CONSTRAINT idempotency_record_status_check CHECK (status BETWEEN 100 AND 599)
);
CREATE INDEX idempotency_record_created_at_idx ON idempotency_record (created_at);

-- Members ---------------------------------------------------------------------

CREATE TABLE member (
    id varchar(32) PRIMARY KEY,
    app_id varchar(64) NOT NULL REFERENCES membership_app (id) ON DELETE RESTRICT ON UPDATE CASCADE,
    email varchar(320) NOT NULL,
    former_email varchar(320),
    verified boolean NOT NULL DEFAULT false,
    password_hash varchar(200),
    custom_fields jsonb NOT NULL DEFAULT '{}',
    meta_data jsonb NOT NULL DEFAULT '{}',
    json jsonb NOT NULL DEFAULT '{}',
    profile_image varchar(64),
    stripe_customer_id varchar(64),
    last_login_at timestamptz(3),
    last_used_at timestamptz(3),
    terms_accepted_at timestamptz(3) NOT NULL,
    terms_origin varchar(300) NOT NULL DEFAULT '',
    comments_hidden_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT member_id_check CHECK (id ~ '^mem_[0-9A-Za-z]+$'),
    CONSTRAINT member_email_check CHECK (email = lower(email) AND email LIKE '_%@_%'),
    -- Passwords are stored as argon2id only.
    CONSTRAINT member_password_hash_check CHECK (password_hash LIKE '$argon2id$%'),
    CONSTRAINT member_json_check CHECK (
        jsonb_typeof(custom_fields) = 'object' AND jsonb_typeof(meta_data) = 'object'
    )
);
CREATE UNIQUE INDEX member_stripe_customer_id_key ON member (stripe_customer_id);
CREATE INDEX member_profile_image_idx ON member (profile_image);
CREATE UNIQUE INDEX member_app_id_email_key ON member (app_id, email);
-- Hidden comments are rare, so excluding them must not cost a scan.
CREATE INDEX member_comments_hidden_idx ON member (id) WHERE comments_hidden_at IS NOT NULL;
-- The hourly clean-up reads old unverified accounts.
CREATE INDEX member_unverified_idx ON member (created_at) WHERE NOT verified AND stripe_customer_id IS NULL;

CREATE TABLE member_identity (
    app_id varchar(64) NOT NULL,
    provider varchar(64) NOT NULL,
    subject varchar(255) NOT NULL,
    member_id varchar(32) NOT NULL REFERENCES member (id) ON DELETE CASCADE ON UPDATE CASCADE,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    PRIMARY KEY (app_id, provider, subject)
);
CREATE UNIQUE INDEX member_identity_member_id_provider_key ON member_identity (member_id, provider);

CREATE TABLE member_session (
    id uuid PRIMARY KEY,
    member_id varchar(32) NOT NULL REFERENCES member (id) ON DELETE CASCADE ON UPDATE CASCADE,
    created_at timestamptz(3) NOT NULL,
    last_used_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    user_agent varchar(300) NOT NULL DEFAULT '',
    CONSTRAINT member_session_expires_at_check CHECK (expires_at > created_at)
);
CREATE INDEX member_session_member_id_created_at_idx ON member_session (member_id, created_at);
CREATE INDEX member_session_expires_at_idx ON member_session (expires_at);

CREATE TABLE known_source (
    member_id varchar(32) NOT NULL REFERENCES member (id) ON DELETE CASCADE ON UPDATE CASCADE,
    source_hash char(32) NOT NULL,
    last_used_at timestamptz(3) NOT NULL,
    PRIMARY KEY (member_id, source_hash)
);
CREATE INDEX known_source_last_used_at_idx ON known_source (last_used_at);

CREATE TABLE signing_key (
    id varchar(64) PRIMARY KEY,
    public_key jsonb NOT NULL,
    private_key text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    retired_at timestamptz(3)
);

CREATE TYPE code_purpose AS ENUM ('reset', 'login', 'signup', 'verification');

CREATE TABLE one_time_code (
    id uuid PRIMARY KEY,
    app_id varchar(64) NOT NULL,
    purpose code_purpose NOT NULL,
    email varchar(320) NOT NULL,
    code_hash char(64),
    lookup_hash char(64),
    mailbox varchar(320) NOT NULL DEFAULT '',
    network_hash varchar(32) NOT NULL DEFAULT '',
    browser_hash varchar(32) NOT NULL DEFAULT '',
    source_hash varchar(32) NOT NULL DEFAULT '',
    is_source_known boolean NOT NULL DEFAULT false,
    captcha_solved boolean NOT NULL DEFAULT false,
    tries integer NOT NULL DEFAULT 0,
    source_tries jsonb NOT NULL DEFAULT '{}',
    guesses integer NOT NULL DEFAULT 0,
    guessed_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    sent_at timestamptz(3),
    expires_at timestamptz(3) NOT NULL,
    used_at timestamptz(3),
    CONSTRAINT one_time_code_tries_check CHECK (tries >= 0),
    CONSTRAINT one_time_code_lookup_hash_check CHECK (lookup_hash IS NULL OR purpose = 'reset')
);
CREATE INDEX one_time_code_address_idx ON one_time_code (app_id, email, purpose, created_at);
CREATE INDEX one_time_code_created_at_idx ON one_time_code (created_at);
CREATE UNIQUE INDEX one_time_code_app_id_lookup_hash_key ON one_time_code (app_id, lookup_hash);
CREATE INDEX one_time_code_mailbox_idx ON one_time_code (app_id, mailbox, purpose, created_at);
CREATE INDEX one_time_code_network_idx ON one_time_code (network_hash, created_at);
CREATE INDEX one_time_code_browser_idx ON one_time_code (browser_hash, created_at);
CREATE INDEX one_time_code_guessed_at_idx ON one_time_code (guessed_at);

CREATE TABLE outbox_email (
    id uuid PRIMARY KEY,
    app_id varchar(64) NOT NULL,
    kind varchar(40) NOT NULL,
    recipient varchar(320) NOT NULL,
    data jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz(3) NOT NULL,
    sent_at timestamptz(3)
);
CREATE INDEX outbox_email_created_at_idx ON outbox_email (created_at);

CREATE TABLE identity_flow (
    state_hash char(64) PRIMARY KEY,
    app_id varchar(64) NOT NULL,
    provider varchar(64) NOT NULL,
    mode varchar(10) NOT NULL,
    hostname varchar(255) NOT NULL,
    browser_hash char(64) NOT NULL,
    nonce varchar(100) NOT NULL,
    code_verifier varchar(200) NOT NULL,
    details jsonb NOT NULL DEFAULT '{}',
    expires_at timestamptz(3) NOT NULL
);
CREATE INDEX identity_flow_expires_at_idx ON identity_flow (expires_at);

CREATE TABLE used_captcha (
    solution_hash char(64) PRIMARY KEY,
    expires_at timestamptz(3) NOT NULL
);
CREATE INDEX used_captcha_expires_at_idx ON used_captcha (expires_at);

-- Plans -----------------------------------------------------------------------

CREATE TYPE plan_connection_type AS ENUM ('FREE', 'SUBSCRIPTION', 'ONETIME');
CREATE TYPE billing_interval AS ENUM ('MONTHLY', 'YEARLY');

CREATE TABLE plan_connection (
    id varchar(32) PRIMARY KEY,
    member_id varchar(32) NOT NULL REFERENCES member (id) ON DELETE CASCADE ON UPDATE CASCADE,
    plan_id varchar(100) NOT NULL,
    type plan_connection_type NOT NULL,
    status varchar(30) NOT NULL DEFAULT 'ACTIVE',
    active boolean NOT NULL DEFAULT true,
    created_at timestamptz(3) NOT NULL,
    subscription_id varchar(64),
    price_id varchar(100),
    amount integer,
    currency varchar(3),
    interval billing_interval,
    last_billed_at timestamptz(3),
    period_ends_at timestamptz(3),
    ends_at timestamptz(3),
    past_due_at timestamptz(3),
    next_price_id varchar(100),
    CONSTRAINT plan_connection_paid_check CHECK ((type = 'FREE') = (price_id IS NULL)),
    CONSTRAINT plan_connection_id_check CHECK (id ~ '^con_[0-9A-Za-z]+$')
);
CREATE INDEX plan_connection_plan_id_idx ON plan_connection (plan_id);
CREATE UNIQUE INDEX plan_connection_member_id_plan_id_key ON plan_connection (member_id, plan_id);
CREATE UNIQUE INDEX plan_connection_subscription_id_key ON plan_connection (subscription_id);
-- The grace period ends for open plans only; closed ones are many.
CREATE INDEX plan_connection_past_due_idx ON plan_connection (past_due_at) WHERE active;

-- Payments --------------------------------------------------------------------

CREATE TABLE stripe_price (
    id varchar(64) PRIMARY KEY,
    product_id varchar(64) NOT NULL,
    app_id varchar(64) NOT NULL,
    plan_id varchar(100) NOT NULL,
    price_id varchar(100) NOT NULL,
    amount integer NOT NULL,
    currency varchar(3) NOT NULL,
    interval billing_interval,
    current boolean NOT NULL DEFAULT true,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX stripe_price_app_id_price_id_idx ON stripe_price (app_id, price_id);

CREATE TABLE payment_customer (
    id varchar(64) PRIMARY KEY,
    app_id varchar(64) NOT NULL,
    member_id varchar(32) REFERENCES member (id) ON DELETE SET NULL ON UPDATE CASCADE,
    syncs_requested integer NOT NULL DEFAULT 0,
    syncs_completed integer NOT NULL DEFAULT 0,
    syncs_started integer NOT NULL DEFAULT 0,
    last_stored_sync integer NOT NULL DEFAULT 0,
    sync_requested_at timestamptz(3),
    synced_at timestamptz(3),
    settled_subscription_ids text[] NOT NULL DEFAULT ARRAY[]::text[],
    cancellation_locked_until timestamptz(3),
    deletion_requested_at timestamptz(3),
    checkout_count integer NOT NULL DEFAULT 0,
    checkout_open_until timestamptz(3),
    created_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX payment_customer_member_id_key ON payment_customer (member_id);
-- Customers with a pending sync are few.
CREATE INDEX payment_customer_pending_sync_idx ON payment_customer (sync_requested_at)
    WHERE syncs_requested > syncs_completed;

CREATE TABLE payment_event (
    id varchar(255) PRIMARY KEY,
    type varchar(100) NOT NULL,
    customer_id varchar(64),
    created_at timestamptz(3) NOT NULL,
    received_at timestamptz(3) NOT NULL
);
CREATE INDEX payment_event_received_at_idx ON payment_event (received_at);

CREATE TABLE payment_setup (
    app_id varchar(64) PRIMARY KEY,
    portal_configuration_id varchar(64) NOT NULL,
    synced_at timestamptz(3) NOT NULL
);

CREATE TABLE payment_account (
    id smallint PRIMARY KEY DEFAULT 1,
    account_id varchar(64) NOT NULL,
    livemode boolean NOT NULL,
    bound_at timestamptz(3) NOT NULL
);

CREATE TYPE refund_status AS ENUM ('REFUNDED', 'FAILED', 'MANUAL');

CREATE TABLE payment_refund (
    payment_intent_id varchar(64) PRIMARY KEY,
    invoice_id varchar(64) NOT NULL,
    customer_id varchar(64) NOT NULL,
    refund_id varchar(64),
    reason varchar(32) NOT NULL,
    amount integer NOT NULL,
    currency varchar(3) NOT NULL,
    status refund_status NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL
);
CREATE INDEX payment_refund_created_at_idx ON payment_refund (created_at);

-- Comments --------------------------------------------------------------------
-- Triggers count in the transaction of each change, cascades included. The counted row is locked, so no change is lost.
-- One UPDATE per change, because a row updated twice in a transaction has its foreign keys checked again.

CREATE TABLE comment_channel (
    id uuid PRIMARY KEY DEFAULT uuidv7(),
    app_id varchar(64) NOT NULL,
    key varchar(200) NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX comment_channel_app_id_key_key ON comment_channel (app_id, key);

CREATE TABLE comment_post (
    id varchar(32) PRIMARY KEY,
    channel_id uuid NOT NULL REFERENCES comment_channel (id) ON DELETE CASCADE ON UPDATE CASCADE,
    member_id varchar(32) NOT NULL REFERENCES member (id) ON DELETE CASCADE ON UPDATE CASCADE,
    content text NOT NULL,
    internal_order bigserial NOT NULL,
    thread_count integer NOT NULL DEFAULT 0,
    liked_by integer NOT NULL DEFAULT 0,
    disliked_by integer NOT NULL DEFAULT 0,
    hidden_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    edited_at timestamptz(3),
    CONSTRAINT comment_post_content_check CHECK (content <> ''),
    CONSTRAINT comment_post_counts_check CHECK (thread_count >= 0 AND liked_by >= 0 AND disliked_by >= 0)
);
CREATE UNIQUE INDEX comment_post_internal_order_key ON comment_post (internal_order);
CREATE INDEX comment_post_channel_id_internal_order_idx ON comment_post (channel_id, internal_order);
-- For counting the visible posts of a channel.
CREATE INDEX comment_post_visible_idx ON comment_post (channel_id, member_id) WHERE hidden_at IS NULL;
CREATE INDEX comment_post_member_id_internal_order_idx ON comment_post (member_id, internal_order);

CREATE TABLE comment_thread (
    id varchar(32) PRIMARY KEY,
    post_id varchar(32) NOT NULL REFERENCES comment_post (id) ON DELETE CASCADE ON UPDATE CASCADE,
    member_id varchar(32) NOT NULL REFERENCES member (id) ON DELETE CASCADE ON UPDATE CASCADE,
    content text NOT NULL,
    internal_order bigserial NOT NULL,
    liked_by integer NOT NULL DEFAULT 0,
    hidden_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    edited_at timestamptz(3),
    CONSTRAINT comment_thread_content_check CHECK (content <> ''),
    CONSTRAINT comment_thread_counts_check CHECK (liked_by >= 0)
);
CREATE UNIQUE INDEX comment_thread_internal_order_key ON comment_thread (internal_order);
CREATE INDEX comment_thread_post_id_internal_order_idx ON comment_thread (post_id, internal_order);
CREATE INDEX comment_thread_member_id_internal_order_idx ON comment_thread (member_id, internal_order);

-- A hidden reply is not counted.
CREATE FUNCTION count_threads() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE comment_post SET
        thread_count = thread_count
            + (TG_OP <> 'DELETE' AND NEW.hidden_at IS NULL)::int
            - (TG_OP <> 'INSERT' AND OLD.hidden_at IS NULL)::int
    WHERE id = coalesce(NEW.post_id, OLD.post_id);
    RETURN NULL;
END $$;

CREATE TRIGGER comment_thread_count AFTER INSERT OR DELETE OR UPDATE OF hidden_at ON comment_thread
    FOR EACH ROW EXECUTE FUNCTION count_threads();

CREATE TYPE comment_vote AS ENUM ('UP', 'DOWN');

CREATE TABLE comment_post_vote (
    post_id varchar(32) NOT NULL REFERENCES comment_post (id) ON DELETE CASCADE ON UPDATE CASCADE,
    member_id varchar(32) NOT NULL REFERENCES member (id) ON DELETE CASCADE ON UPDATE CASCADE,
    vote comment_vote NOT NULL,
    PRIMARY KEY (post_id, member_id)
);
CREATE INDEX comment_post_vote_member_id_idx ON comment_post_vote (member_id);

CREATE FUNCTION count_post_votes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE comment_post SET
        liked_by = liked_by
            + coalesce((NEW.vote = 'UP')::int, 0) - coalesce((OLD.vote = 'UP')::int, 0),
        disliked_by = disliked_by
            + coalesce((NEW.vote = 'DOWN')::int, 0) - coalesce((OLD.vote = 'DOWN')::int, 0)
    WHERE id = coalesce(NEW.post_id, OLD.post_id);
    RETURN NULL;
END $$;

CREATE TRIGGER comment_post_vote_count AFTER INSERT OR UPDATE OR DELETE ON comment_post_vote
    FOR EACH ROW EXECUTE FUNCTION count_post_votes();

CREATE TABLE comment_thread_vote (
    thread_id varchar(32) NOT NULL REFERENCES comment_thread (id) ON DELETE CASCADE ON UPDATE CASCADE,
    member_id varchar(32) NOT NULL REFERENCES member (id) ON DELETE CASCADE ON UPDATE CASCADE,
    vote comment_vote NOT NULL,
    PRIMARY KEY (thread_id, member_id)
);
CREATE INDEX comment_thread_vote_member_id_idx ON comment_thread_vote (member_id);

CREATE FUNCTION count_thread_votes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE comment_thread SET
        liked_by = liked_by
            + coalesce((NEW.vote = 'UP')::int, 0) - coalesce((OLD.vote = 'UP')::int, 0)
    WHERE id = coalesce(NEW.thread_id, OLD.thread_id);
    RETURN NULL;
END $$;

CREATE TRIGGER comment_thread_vote_count AFTER INSERT OR UPDATE OR DELETE ON comment_thread_vote
    FOR EACH ROW EXECUTE FUNCTION count_thread_votes();

CREATE TABLE comment_subscription (
    channel_id uuid NOT NULL REFERENCES comment_channel (id) ON DELETE CASCADE ON UPDATE CASCADE,
    member_id varchar(32) NOT NULL REFERENCES member (id) ON DELETE CASCADE ON UPDATE CASCADE,
    PRIMARY KEY (channel_id, member_id)
);
CREATE INDEX comment_subscription_member_id_idx ON comment_subscription (member_id);

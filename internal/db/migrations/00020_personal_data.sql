-- Export of personal data, and deletion of accounts.

-- The one message about their data that a user was asked to sign, and the session that asked.
CREATE TABLE data_challenges (
    user_id      UUID PRIMARY KEY REFERENCES users (id),
    purpose      TEXT NOT NULL CONSTRAINT data_challenges_purpose CHECK (purpose IN ('export', 'deletion')),
    session_hash BYTEA NOT NULL,
    nonce        TEXT NOT NULL,
    issued_at    BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL CONSTRAINT data_challenges_expires_at CHECK (expires_at > issued_at)
);

-- Permissions to fetch an export once. The archive itself is never stored.
CREATE TABLE data_exports (
    id           UUID PRIMARY KEY,
    user_id      UUID NOT NULL REFERENCES users (id),
    session_hash BYTEA NOT NULL,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL CONSTRAINT data_exports_expires_at CHECK (expires_at > created_at),
    fetched_at   BIGINT -- NULL until it is fetched
);
CREATE INDEX data_exports_by_expiry ON data_exports (expires_at);
CREATE INDEX data_exports_by_user ON data_exports (user_id);

-- A user is deleted some days after they asked for it, unless they cancel.
ALTER TABLE users ADD COLUMN deletion_asked_at BIGINT;
ALTER TABLE users ADD COLUMN deletion_due_at BIGINT CONSTRAINT users_deletion_due_at CHECK ((deletion_due_at IS NULL) = (deletion_asked_at IS NULL));
ALTER TABLE users ADD COLUMN deletion_waits_for TEXT NOT NULL DEFAULT ''; -- why a deletion that is due had to wait
ALTER TABLE users ADD COLUMN deleted_at BIGINT;
CREATE INDEX users_by_deletion ON users (deletion_due_at) WHERE deletion_due_at IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX users_deleted ON users (deleted_at) WHERE deleted_at IS NOT NULL;

-- What a deleted user's wallet gets back when it signs in again, under a keyed hash of its address.
CREATE TABLE kept_limits (
    address_hash        BYTEA PRIMARY KEY,
    counted_at          BIGINT NOT NULL,
    lost_day_cents      BIGINT NOT NULL,
    lost_week_cents     BIGINT NOT NULL,
    lost_month_cents    BIGINT NOT NULL,
    added_day_cents     BIGINT NOT NULL,
    added_week_cents    BIGINT NOT NULL,
    added_month_cents   BIGINT NOT NULL,
    spent_day_cents     BIGINT NOT NULL,
    opens_day           BIGINT NOT NULL,
    opened_at           BIGINT NOT NULL,
    most_lost_day_cents    BIGINT NOT NULL,
    most_lost_week_cents   BIGINT NOT NULL,
    most_lost_month_cents  BIGINT NOT NULL,
    most_added_day_cents   BIGINT NOT NULL,
    most_added_week_cents  BIGINT NOT NULL,
    most_added_month_cents BIGINT NOT NULL,
    timed_out_until     BIGINT NOT NULL,
    excluded_until      BIGINT NOT NULL,
    ends_at             BIGINT NOT NULL -- deleted then
);
CREATE INDEX kept_limits_by_end ON kept_limits (ends_at);

-- The counters that an account began with, because its wallet had an account before.
CREATE TABLE inherited_counters (
    user_id           UUID PRIMARY KEY REFERENCES users (id),
    counted_at        BIGINT NOT NULL,
    lost_day_cents    BIGINT NOT NULL,
    lost_week_cents   BIGINT NOT NULL,
    lost_month_cents  BIGINT NOT NULL,
    added_day_cents   BIGINT NOT NULL,
    added_week_cents  BIGINT NOT NULL,
    added_month_cents BIGINT NOT NULL,
    spent_day_cents   BIGINT NOT NULL,
    opens_day         BIGINT NOT NULL,
    opened_at         BIGINT NOT NULL
);
KEEP inherited_counters;

-- Rows of these tables name users. Their names and addresses are replaced when a user is deleted;
-- the column lists the ids of the deleted users.
ALTER TABLE admin_acts ADD COLUMN erased TEXT NOT NULL DEFAULT '';
ALTER TABLE solo_acts ADD COLUMN erased TEXT NOT NULL DEFAULT '';
ERASABLE admin_acts id, user_id, act, created_at;
ERASABLE solo_acts number, user_id, road, amount_cents, created_at, in_total;

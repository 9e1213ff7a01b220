-- Admins' notes about a user. Only admins see them.
CREATE TABLE user_notes (
    id         UUID PRIMARY KEY,
    user_id    UUID NOT NULL REFERENCES users (id),
    admin_id   UUID NOT NULL REFERENCES users (id), -- the author
    text       TEXT NOT NULL CONSTRAINT user_notes_text CHECK (text <> ''),
    created_at BIGINT NOT NULL
);
CREATE INDEX user_notes_by_user ON user_notes (user_id, id);
KEEP user_notes;

-- For the admins' search and the filters of their lists.
CREATE INDEX users_by_time ON users (created_at, id);
CREATE INDEX users_by_wallet ON users (wallet_address BYTEWISE);
CREATE INDEX users_by_name ON users (LOWER(first_name) BYTEWISE) WHERE first_name <> '';
CREATE INDEX admin_acts_by_subject ON admin_acts (subject BYTEWISE, id);
CREATE INDEX deposit_payments_by_signature ON deposit_payments (signature);
-- Filled bids are paid from the money held for them, so they are no lines of their bidder.
CREATE INDEX transfers_by_bidder ON transfers (debit, ref) WHERE kind = 'bid-fill';

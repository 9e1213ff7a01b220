-- A user's handle, such as "mei-lin", which names their public profile; empty = none. The folded form
-- is the same for handles that look alike, so no two of them exist.
ALTER TABLE users ADD COLUMN handle TEXT NOT NULL DEFAULT '';
ALTER TABLE users ADD COLUMN handle_folded TEXT NOT NULL DEFAULT '' CONSTRAINT users_handle_folded CHECK ((handle_folded = '') = (handle = ''));
ALTER TABLE users ADD COLUMN handle_changed_at BIGINT NOT NULL DEFAULT 0; -- when the user last took one; 0 = never
ALTER TABLE users ADD COLUMN is_public BOOLEAN NOT NULL DEFAULT FALSE CONSTRAINT users_is_public CHECK (NOT is_public OR handle <> '');
-- The language of the profile's preview picture.
ALTER TABLE users ADD COLUMN public_language TEXT NOT NULL DEFAULT '' CONSTRAINT users_public_language CHECK (public_language IN ('', 'en', 'zh') AND (NOT is_public OR public_language <> ''));
ALTER TABLE users ADD COLUMN pages_hidden BOOLEAN NOT NULL DEFAULT FALSE; -- an admin hides the user's profile and pull pages
CREATE UNIQUE INDEX users_by_handle ON users (handle BYTEWISE) WHERE handle <> '';
CREATE UNIQUE INDEX users_by_folded_handle ON users (handle_folded) WHERE handle_folded <> '';

-- Earlier handles, which nobody else can take.
CREATE TABLE handle_reservations (
    hash       BYTEA PRIMARY KEY, -- keyed, of the folded handle
    user_id    UUID REFERENCES users (id), -- who can take it back; NULL = nobody, as the user was deleted or an admin removed it
    expires_at BIGINT, -- NULL = never
    CONSTRAINT handle_reservations_expires_at CHECK (user_id IS NULL OR expires_at IS NOT NULL)
);
CREATE INDEX handle_reservations_by_user ON handle_reservations (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX handle_reservations_by_end ON handle_reservations (expires_at) WHERE expires_at IS NOT NULL;

-- Opens with a public page. Its row is deleted when the user stops sharing.
CREATE TABLE shared_pulls (
    opening_id UUID PRIMARY KEY REFERENCES openings (id),
    user_id    UUID NOT NULL REFERENCES users (id),
    language   TEXT NOT NULL CONSTRAINT shared_pulls_language CHECK (language IN ('en', 'zh')), -- of its preview picture
    shared_at  BIGINT NOT NULL
);
CREATE INDEX shared_pulls_by_user ON shared_pulls (user_id, opening_id);

-- Entries that users show on their profiles. Those that they don't own any more aren't shown.
CREATE TABLE showcase (
    user_id      UUID NOT NULL REFERENCES users (id),
    position     BIGINT NOT NULL CONSTRAINT showcase_position CHECK (position BETWEEN 0 AND 11),
    inventory_id UUID NOT NULL REFERENCES inventory (id),
    PRIMARY KEY (user_id, position),
    UNIQUE (user_id, inventory_id)
);
CREATE INDEX showcase_by_entry ON showcase (inventory_id);

-- A user's best opens. Partial, so that most opens write nothing into it.
CREATE INDEX openings_by_value ON openings (user_id, total_value_cents, id) WHERE total_value_cents >= 10000; -- policy.TopPull
-- A user's listings, newest first.
CREATE INDEX inventory_listed_by_user ON inventory (user_id, listing_id) WHERE state = 'listed';

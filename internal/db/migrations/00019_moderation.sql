-- When an account was frozen; 0 = it isn't. Acts read it while they hold the account's lock.
ALTER TABLE accounts ADD COLUMN frozen_at BIGINT NOT NULL DEFAULT 0;

-- Every time an account was frozen.
CREATE TABLE freezes (
    id        UUID PRIMARY KEY,
    user_id   UUID NOT NULL REFERENCES users (id),
    reason    TEXT NOT NULL, -- shown to the user
    frozen_at BIGINT NOT NULL,
    ended_at  BIGINT CONSTRAINT freezes_ended_at CHECK (ended_at >= frozen_at) -- NULL = still frozen
);
CREATE UNIQUE INDEX freezes_in_force ON freezes (user_id) WHERE ended_at IS NULL;
CREATE INDEX freezes_by_user ON freezes (user_id, frozen_at);

-- Why a user may not change their name and picture; empty = they may.
ALTER TABLE users ADD COLUMN profile_lock_reason TEXT NOT NULL DEFAULT '';

-- A bid can end because its user was frozen.
ALTER TABLE bids RENAME TO bids_before;
DROP INDEX bids_of_user;
DROP INDEX bids_by_user;
DROP INDEX bids_best;
DROP INDEX bids_by_end;
CREATE TABLE bids (
    id             UUID PRIMARY KEY,
    user_id        UUID NOT NULL REFERENCES users (id),
    scope          TEXT NOT NULL, -- one entry, one item, or all items that match a criterion
    peg_percent    BIGINT NOT NULL CONSTRAINT bids_peg_percent CHECK (peg_percent = 0 OR peg_percent BETWEEN 50 AND 120), -- of the item's value; 0 = a fixed price
    price_cents    BIGINT NOT NULL CONSTRAINT bids_price_cents CHECK (price_cents > 0), -- the most that it pays for one
    quantity       BIGINT NOT NULL CONSTRAINT bids_quantity CHECK (quantity > 0),
    remaining      BIGINT NOT NULL CONSTRAINT bids_remaining CHECK (remaining BETWEEN 0 AND quantity),
    place          UUID NOT NULL, -- among bids at the same price: ascending in time
    hold           UUID NOT NULL UNIQUE, -- the ref of the transfer that funded it
    state          TEXT NOT NULL CONSTRAINT bids_state CHECK (state IN ('open', 'filled', 'withdrawn', 'expired', 'ended', 'frozen')),
    created_at     BIGINT NOT NULL,
    expires_at     BIGINT NOT NULL CONSTRAINT bids_expires_at CHECK (expires_at > created_at),
    ended_at       BIGINT CONSTRAINT bids_ended_at CHECK ((state = 'open') = (ended_at IS NULL)),
    warned         BOOLEAN NOT NULL DEFAULT FALSE, -- the user was alerted that it expires soon
    counter_cents  BIGINT CONSTRAINT bids_counter_cents CHECK (counter_cents > 0), -- the owner's counter-offer
    counter_by     UUID REFERENCES users (id),
    counter_at     BIGINT,
    CONSTRAINT bids_left CHECK ((state = 'filled') = (remaining = 0)),
    CONSTRAINT bids_counter CHECK ((counter_cents IS NULL) = (counter_by IS NULL) AND (counter_cents IS NULL) = (counter_at IS NULL))
);
INSERT INTO bids (id, user_id, scope, peg_percent, price_cents, quantity, remaining, place, hold, state, created_at, expires_at, ended_at, warned, counter_cents, counter_by, counter_at)
    SELECT id, user_id, scope, peg_percent, price_cents, quantity, remaining, place, hold, state, created_at, expires_at, ended_at, warned, counter_cents, counter_by, counter_at
    FROM bids_before;
DROP TABLE bids_before;
CREATE UNIQUE INDEX bids_of_user ON bids (user_id, scope) WHERE state = 'open';
CREATE INDEX bids_by_user ON bids (user_id, id);
-- The best of a scope: the first of each percentage, which is its best at any value.
CREATE INDEX bids_best ON bids (scope, peg_percent, price_cents DESC, place) WHERE state = 'open';
CREATE INDEX bids_by_end ON bids (expires_at) WHERE state = 'open';
-- Open counter-offers by their owner, to end them with an account.
CREATE INDEX bids_by_counter ON bids (counter_by) WHERE counter_by IS NOT NULL AND state = 'open';

-- Points that admins took back from users.
CREATE TABLE debits (
    id          UUID PRIMARY KEY,
    user_id     UUID NOT NULL REFERENCES users (id),
    admin_id    UUID NOT NULL REFERENCES users (id),
    approval_id UUID REFERENCES approvals (id), -- NULL = within the admin's daily total
    asked_cents BIGINT NOT NULL CONSTRAINT debits_asked_cents CHECK (asked_cents > 0),
    taken_cents BIGINT NOT NULL CONSTRAINT debits_taken_cents CHECK (taken_cents BETWEEN 0 AND asked_cents), -- at most what the user had
    reason      TEXT NOT NULL, -- shown to the user
    created_at  BIGINT NOT NULL
);
CREATE INDEX debits_by_user ON debits (user_id, id);
KEEP debits;

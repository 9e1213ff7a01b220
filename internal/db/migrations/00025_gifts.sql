-- Entries can be given to another user. While a gift waits for its receiver, its entries are in the state 'giving'.
ALTER TABLE inventory DROP CONSTRAINT inventory_state;
ALTER TABLE inventory ADD CONSTRAINT inventory_state CHECK (state IN ('held', 'listed', 'claimed', 'giving', 'sold-back', 'delivered', 'made-good'));
ALTER TABLE inventory DROP CONSTRAINT inventory_acquired_from;
ALTER TABLE inventory ADD CONSTRAINT inventory_acquired_from CHECK (acquired_from IN ('pack', 'market', 'offer', 'gift'));

CREATE TABLE gifts (
    id          UUID PRIMARY KEY,
    giver_id    UUID NOT NULL REFERENCES users (id),
    wallet      TEXT, -- of the receiver, who may never have signed in; NULL = by link
    secret_hash BYTEA, -- SHA-256 of the link's secret; NULL = to a wallet
    receiver_id UUID REFERENCES users (id), -- who accepted or refused it
    state       TEXT NOT NULL CONSTRAINT gifts_state CHECK (state IN ('waiting', 'accepted', 'refused', 'canceled', 'expired', 'ended')),
    withheld_at BIGINT, -- since when its receiver can't see or accept it; the giver isn't told
    message     TEXT NOT NULL, -- that the giver signed; empty once the giver or the receiver was deleted
    signature   TEXT NOT NULL, -- base58
    created_at  BIGINT NOT NULL,
    expires_at  BIGINT NOT NULL CONSTRAINT gifts_expires_at CHECK (expires_at > created_at),
    ended_at    BIGINT CONSTRAINT gifts_ended_at CHECK ((state = 'waiting') = (ended_at IS NULL)),
    CONSTRAINT gifts_way CHECK ((wallet IS NULL) <> (secret_hash IS NULL)),
    CONSTRAINT gifts_receiver CHECK ((state IN ('accepted', 'refused')) = (receiver_id IS NOT NULL)),
    CONSTRAINT gifts_refused CHECK (state <> 'refused' OR wallet IS NOT NULL),
    CONSTRAINT gifts_withheld CHECK (withheld_at IS NULL OR wallet IS NOT NULL AND state NOT IN ('accepted', 'refused'))
);
CREATE INDEX gifts_by_state ON gifts (state, id);
CREATE INDEX gifts_by_giver ON gifts (giver_id, id);
CREATE INDEX gifts_by_wallet ON gifts (wallet, id) WHERE wallet IS NOT NULL;
CREATE INDEX gifts_by_receiver ON gifts (receiver_id, id) WHERE receiver_id IS NOT NULL;
CREATE INDEX gifts_accepted ON gifts (ended_at) WHERE state = 'accepted'; -- pairs of users who trade
CREATE INDEX gifts_waiting ON gifts (expires_at) WHERE state = 'waiting';

CREATE TABLE gift_items (
    gift_id      UUID NOT NULL REFERENCES gifts (id),
    position     BIGINT NOT NULL CONSTRAINT gift_items_position CHECK (position >= 0),
    inventory_id UUID NOT NULL REFERENCES inventory (id),
    value_cents  BIGINT NOT NULL CONSTRAINT gift_items_value_cents CHECK (value_cents >= 0), -- when it was given
    waiting      BOOLEAN NOT NULL DEFAULT TRUE, -- its gift waits
    PRIMARY KEY (gift_id, position),
    UNIQUE (gift_id, inventory_id)
);
-- An entry is in one waiting gift.
CREATE UNIQUE INDEX gift_items_waiting ON gift_items (inventory_id) WHERE waiting;
CREATE INDEX gift_items_by_entry ON gift_items (inventory_id);

CREATE TABLE gift_challenges (
    user_id    UUID PRIMARY KEY REFERENCES users (id),
    nonce      TEXT NOT NULL,
    issued_at  BIGINT NOT NULL,
    expires_at BIGINT NOT NULL CONSTRAINT gift_challenges_expires_at CHECK (expires_at > issued_at)
);

-- Givers whose gifts a user doesn't want.
CREATE TABLE gift_blocks (
    id         UUID PRIMARY KEY,
    user_id    UUID NOT NULL REFERENCES users (id),
    giver_id   UUID NOT NULL REFERENCES users (id),
    created_at BIGINT NOT NULL,
    UNIQUE (user_id, giver_id),
    CONSTRAINT gift_blocks_giver CHECK (giver_id <> user_id)
);
CREATE INDEX gift_blocks_by_giver ON gift_blocks (giver_id);

-- A user who wants no gifts at all.
ALTER TABLE users ADD COLUMN gifts_off BOOLEAN NOT NULL DEFAULT FALSE;

ALTER TABLE alerts DROP CONSTRAINT alerts_kind;
ALTER TABLE alerts ADD CONSTRAINT alerts_kind CHECK (kind IN ('outbid', 'filled', 'counter', 'expiring', 'ended', 'gift'));
ALTER TABLE alerts ADD COLUMN gift_id UUID;
ALTER TABLE alerts ADD COLUMN gift_event TEXT CONSTRAINT alerts_gift_event CHECK (gift_event IN ('offered', 'accepted', 'refused', 'expired'));

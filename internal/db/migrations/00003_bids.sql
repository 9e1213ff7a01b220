-- What users bid, and what happens on the market, in one order.

ALTER TABLE accounts ADD COLUMN in_bids_cents BIGINT NOT NULL DEFAULT 0 CONSTRAINT accounts_in_bids_cents CHECK (in_bids_cents >= 0); -- what the user's open bids hold

-- Bids on the entry below it are declined. Known to its owner alone, and gone with them.
ALTER TABLE inventory ADD COLUMN lowest_bid_cents BIGINT CONSTRAINT inventory_lowest_bid_cents CHECK (lowest_bid_cents > 0);

CREATE TABLE bids (
    id             UUID PRIMARY KEY,
    user_id        UUID NOT NULL REFERENCES users (id),
    scope          TEXT NOT NULL, -- what it is for: one entry, one item, or all items of a kind
    peg_percent    BIGINT NOT NULL CONSTRAINT bids_peg_percent CHECK (peg_percent = 0 OR peg_percent BETWEEN 50 AND 120), -- of the item's value; 0 = a fixed price
    price_cents    BIGINT NOT NULL CONSTRAINT bids_price_cents CHECK (price_cents > 0), -- the most that it pays for one
    quantity       BIGINT NOT NULL CONSTRAINT bids_quantity CHECK (quantity > 0),
    remaining      BIGINT NOT NULL CONSTRAINT bids_remaining CHECK (remaining BETWEEN 0 AND quantity),
    place          UUID NOT NULL, -- among bids of its price: in the order of time
    hold           UUID NOT NULL UNIQUE, -- what the transfer that took its money was for
    state          TEXT NOT NULL CONSTRAINT bids_state CHECK (state IN ('open', 'filled', 'withdrawn', 'expired', 'ended')),
    created_at     BIGINT NOT NULL,
    expires_at     BIGINT NOT NULL CONSTRAINT bids_expires_at CHECK (expires_at > created_at),
    ended_at       BIGINT CONSTRAINT bids_ended_at CHECK ((state = 'open') = (ended_at IS NULL)),
    warned         BOOLEAN NOT NULL DEFAULT FALSE, -- its user was told that it ends soon
    counter_cents  BIGINT CONSTRAINT bids_counter_cents CHECK (counter_cents > 0), -- what the owner asks instead
    counter_by     UUID REFERENCES users (id),
    counter_at     BIGINT,
    CONSTRAINT bids_left CHECK ((state = 'filled') = (remaining = 0)),
    CONSTRAINT bids_counter CHECK ((counter_cents IS NULL) = (counter_by IS NULL) AND (counter_cents IS NULL) = (counter_at IS NULL))
);
CREATE UNIQUE INDEX bids_of_user ON bids (user_id, scope) WHERE state = 'open';
CREATE INDEX bids_by_user ON bids (user_id, id);
-- The best of a scope: the first of each per cent, which is its best at any value.
CREATE INDEX bids_best ON bids (scope, peg_percent, price_cents DESC, place) WHERE state = 'open';
CREATE INDEX bids_by_end ON bids (expires_at) WHERE state = 'open';

-- How often a user's bids on an entry were declined on a day (UTC).
CREATE TABLE declined_bids (
    inventory_id UUID NOT NULL REFERENCES inventory (id),
    user_id      UUID NOT NULL REFERENCES users (id),
    day          BIGINT NOT NULL, -- when it began
    number       BIGINT NOT NULL CONSTRAINT declined_bids_number CHECK (number > 0),
    PRIMARY KEY (inventory_id, user_id, day)
);
CREATE INDEX declined_bids_by_day ON declined_bids (day);

-- Acts write what they did here; the mover gives it its number in market_events.
CREATE TABLE events_waiting (
    seq          AUTO_ID,
    kind         TEXT NOT NULL,
    item_id      TEXT NOT NULL, -- empty = of none alone
    inventory_id UUID,
    bid_id       UUID,
    price_cents  BIGINT NOT NULL, -- 0 = none
    created_at   BIGINT NOT NULL
);

CREATE TABLE market_events (
    number       BIGINT PRIMARY KEY CONSTRAINT market_events_number CHECK (number > 0),
    kind         TEXT NOT NULL,
    item_id      TEXT NOT NULL,
    inventory_id UUID,
    bid_id       UUID,
    price_cents  BIGINT NOT NULL,
    created_at   BIGINT NOT NULL
);
CREATE INDEX market_events_by_time ON market_events (created_at);

-- The one row that who gives numbers holds, and how far the readers of the events are.
CREATE TABLE market_readers (
    name     TEXT PRIMARY KEY,
    position BIGINT NOT NULL CONSTRAINT market_readers_position CHECK (position >= 0)
);
INSERT INTO market_readers (name, position) VALUES ('head', 0), ('crossing', 0);

-- What users are told that they wait for. Their ids are in the order of time.
CREATE TABLE alerts (
    id           UUID PRIMARY KEY,
    user_id      UUID NOT NULL REFERENCES users (id),
    kind         TEXT NOT NULL CONSTRAINT alerts_kind CHECK (kind IN ('outbid', 'filled', 'counter', 'expiring', 'ended')),
    item_id      TEXT REFERENCES items (id), -- what it is about, each where it is about one
    inventory_id UUID, -- held to nothing, so that who tells of an entry waits for none
    bid_id       UUID,
    price_cents  BIGINT CONSTRAINT alerts_price_cents CHECK (price_cents > 0)
);
CREATE INDEX alerts_by_user ON alerts (user_id, id);

-- Up to which alert a user has read, of those that are written and of those that are not.
CREATE TABLE alert_marks (
    user_id UUID PRIMARY KEY REFERENCES users (id),
    up_to   UUID NOT NULL
);

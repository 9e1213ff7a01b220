-- What users watch and search for. An id tells since when: what was for sale before is
-- no news.
CREATE TABLE watches (
    id          UUID PRIMARY KEY,
    user_id     UUID NOT NULL REFERENCES users (id),
    item_id     TEXT NOT NULL REFERENCES items (id),
    below_cents BIGINT CONSTRAINT watches_below_cents CHECK (below_cents > 0), -- told of at this price or less; NULL = never
    UNIQUE (user_id, item_id)
);

CREATE TABLE saved_searches (
    id      UUID PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES users (id),
    name    TEXT NOT NULL,
    query   TEXT NOT NULL, -- the marketplace's filter, as its address has it
    alert   BOOLEAN NOT NULL, -- told of new listings
    UNIQUE (user_id, name)
);

-- Up to which line each account's ledger was proven, and its balance then. Only the next
-- short audit believes it.
CREATE TABLE proven_lines (
    user_id       UUID PRIMARY KEY REFERENCES users (id),
    line          BIGINT NOT NULL CONSTRAINT proven_lines_line CHECK (line > 0),
    balance_cents BIGINT NOT NULL CONSTRAINT proven_lines_balance_cents CHECK (balance_cents >= 0)
);

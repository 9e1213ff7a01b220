-- Opens of sealed packs: paid at once, and drawn some seconds later with a round of a public
-- randomness beacon. The row in openings is written by the draw and has the same id.
CREATE TABLE orders (
    id              UUID PRIMARY KEY,
    user_id         UUID NOT NULL REFERENCES users (id),
    pack_id         TEXT NOT NULL,
    manifest_hash   BYTEA NOT NULL,
    nonce           BIGINT NOT NULL,
    commitment      BYTEA NOT NULL,
    sealed_seed     BYTEA CONSTRAINT orders_sealed_seed CHECK ((sealed_seed IS NULL) = (state <> 'sealed')), -- the server seed, encrypted
    next_commitment BYTEA NOT NULL, -- that the user was shown next
    client_seed     BYTEA NOT NULL,
    price_cents     BIGINT NOT NULL CONSTRAINT orders_price_cents CHECK (price_cents > 0),
    items           BIGINT NOT NULL CONSTRAINT orders_items CHECK (items > 0), -- cards that it draws
    draw_seq        BIGINT NOT NULL CONSTRAINT orders_draw_seq CHECK (draw_seq >= 0),
    beacon          BYTEA NOT NULL, -- chain hash
    round           BIGINT NOT NULL CONSTRAINT orders_round CHECK (round > 0),
    created_at      BIGINT NOT NULL,
    state           TEXT NOT NULL DEFAULT 'sealed' CONSTRAINT orders_state CHECK (state IN ('sealed', 'open', 'void')),
    settled_at      BIGINT CONSTRAINT orders_settled_at CHECK ((settled_at IS NULL) = (state = 'sealed')), -- when drawn or voided
    signature       BYTEA CONSTRAINT orders_signature CHECK ((signature IS NOT NULL) = (state = 'open')), -- of the round that drew it
    void_reason     TEXT NOT NULL DEFAULT '' CONSTRAINT orders_void_reason CHECK ((void_reason <> '') = (state = 'void')),
    void_seed       BYTEA CONSTRAINT orders_void_seed CHECK ((void_seed IS NOT NULL) = (void_reason = 'no-beacon')), -- revealed by the void
    UNIQUE (user_id, nonce),
    FOREIGN KEY (manifest_hash, pack_id) REFERENCES manifests (hash, pack_id)
);
PROVEN orders orders_user_id_fkey;
PROVEN orders orders_manifest_hash_pack_id_fkey;
CREATE INDEX orders_pending ON orders (beacon, round, draw_seq, id) WHERE state = 'sealed';
-- The orders of packs whose cards can run out, in the order of their draws.
CREATE INDEX orders_by_draw_seq ON orders (pack_id, draw_seq) WHERE draw_seq > 0;

-- Sold-back cards that return to the stock after the draws of earlier orders.
CREATE TABLE waiting_returns (
    pack_id  TEXT NOT NULL REFERENCES packs (id),
    draw_seq BIGINT NOT NULL CONSTRAINT waiting_returns_draw_seq CHECK (draw_seq > 0),
    item_id  TEXT NOT NULL REFERENCES items (id),
    PRIMARY KEY (pack_id, draw_seq)
);

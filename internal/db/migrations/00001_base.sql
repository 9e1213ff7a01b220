-- Money is whole cents, time is microseconds since 1970 (UTC), hashes and keys
-- are bytes. AUTO_ID stands for the engine's own counter, BYTEWISE for its way to
-- order text by bytes.

CREATE TABLE settings (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

-- Who may act.

CREATE TABLE users (
    id                TEXT PRIMARY KEY,
    wallet_address    TEXT NOT NULL UNIQUE,
    role              TEXT NOT NULL DEFAULT 'user' CHECK (role IN ('user', 'admin')),
    first_name        TEXT NOT NULL DEFAULT '',
    profile_image_url TEXT NOT NULL DEFAULT '',
    tag               TEXT NOT NULL UNIQUE,
    tag_salt          BYTEA NOT NULL,
    pictures_since    BIGINT NOT NULL DEFAULT 0, -- when the count below began
    pictures_taken    BIGINT NOT NULL DEFAULT 0,
    created_at        BIGINT NOT NULL
);
CREATE INDEX users_by_picture ON users (profile_image_url) WHERE profile_image_url <> '';

-- Pictures that lie elsewhere, fetched when somebody first looks.
CREATE TABLE pictures (
    id       TEXT PRIMARY KEY, -- made of kind and address
    kind     TEXT NOT NULL CHECK (kind IN ('person', 'thing')),
    address  TEXT NOT NULL,
    body     BYTEA,
    tried_at BIGINT NOT NULL DEFAULT 0
);

-- What admins did, for good.
CREATE TABLE admin_acts (
    id         TEXT PRIMARY KEY,
    user_id    TEXT NOT NULL REFERENCES users (id),
    act        TEXT NOT NULL,
    path       TEXT NOT NULL,
    request    TEXT NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE TABLE challenges (
    cookie_hash BYTEA PRIMARY KEY,
    address     TEXT NOT NULL,
    nonce       TEXT NOT NULL,
    issued_at   BIGINT NOT NULL,
    expires_at  BIGINT NOT NULL
);
CREATE INDEX challenges_by_expiry ON challenges (expires_at);

CREATE TABLE sessions (
    token_hash   BYTEA PRIMARY KEY,
    user_id      TEXT NOT NULL REFERENCES users (id),
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT NOT NULL
);
CREATE INDEX sessions_by_user ON sessions (user_id, created_at);
CREATE INDEX sessions_by_use ON sessions (last_used_at);

CREATE TABLE idempotency (
    owner       TEXT NOT NULL, -- whose key it is, as kind:name
    key         TEXT NOT NULL,
    fingerprint BYTEA NOT NULL,
    answer      BYTEA NOT NULL,
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (owner, key)
);
CREATE INDEX idempotency_by_age ON idempotency (created_at);

-- Money. One row a user holds balance, seed and nonce, so that they are locked as one.

CREATE TABLE accounts (
    user_id       TEXT PRIMARY KEY REFERENCES users (id),
    balance_cents BIGINT NOT NULL DEFAULT 0 CHECK (balance_cents >= 0),
    lines         BIGINT NOT NULL DEFAULT 0,
    nonce         BIGINT NOT NULL CHECK (nonce >= 0),
    commitment    BYTEA NOT NULL,
    sealed_seed   BYTEA NOT NULL
);

CREATE TABLE transfers (
    id                   TEXT NOT NULL,
    transaction_id       TEXT NOT NULL,
    debit                TEXT NOT NULL,
    credit               TEXT NOT NULL CHECK (credit <> debit),
    amount_cents         BIGINT NOT NULL CHECK (amount_cents > 0),
    debit_line           BIGINT,
    debit_balance_cents  BIGINT CHECK (debit_balance_cents >= 0),
    credit_line          BIGINT,
    credit_balance_cents BIGINT CHECK (credit_balance_cents >= 0),
    kind                 TEXT NOT NULL,
    ref                  TEXT NOT NULL,
    note                 TEXT NOT NULL DEFAULT '',
    created_at           BIGINT NOT NULL,
    PRIMARY KEY (kind, ref)
);
-- A user's lines are numbered without gaps, in the order in which the row was locked.
CREATE UNIQUE INDEX transfers_by_debit ON transfers (debit, debit_line) WHERE debit_line IS NOT NULL;
CREATE UNIQUE INDEX transfers_by_credit ON transfers (credit, credit_line) WHERE credit_line IS NOT NULL;

-- What can be pulled.

CREATE TABLE items (
    id               TEXT PRIMARY KEY,
    series           TEXT NOT NULL,
    name             TEXT NOT NULL,
    search           TEXT NOT NULL,
    rarity           TEXT NOT NULL CHECK (rarity IN ('Common', 'Rare', 'Epic', 'Legendary', 'Mythic', 'Grail')),
    grade_tenths     BIGINT CHECK (grade_tenths BETWEEN 10 AND 100),
    grader           TEXT NOT NULL,
    cert_number      TEXT NOT NULL,
    image_url        TEXT NOT NULL,
    base_value_cents BIGINT NOT NULL CHECK (base_value_cents >= 0),
    is_active        BOOLEAN NOT NULL DEFAULT TRUE,
    created_at       BIGINT NOT NULL
);
CREATE INDEX items_by_series ON items (series, id);
CREATE INDEX items_by_value ON items (base_value_cents, id);
CREATE INDEX items_by_name ON items (name BYTEWISE, id);

-- What an item was worth, and is: the last one is its base value.
CREATE TABLE valuations (
    item_id     TEXT NOT NULL REFERENCES items (id),
    number      BIGINT NOT NULL CHECK (number > 0),
    value_cents BIGINT NOT NULL CHECK (value_cents >= 0),
    source      TEXT NOT NULL,
    reason      TEXT NOT NULL,
    user_id     TEXT REFERENCES users (id), -- the admin; NULL for the catalogue's own data
    created_at  BIGINT NOT NULL,
    carried_at  BIGINT NOT NULL, -- from then on nobody draws by a manifest with an older value
    PRIMARY KEY (item_id, number),
    CHECK (carried_at >= created_at)
);

CREATE TABLE packs (
    id                          TEXT PRIMARY KEY,
    position                    BIGINT NOT NULL,
    name                        TEXT NOT NULL,
    description_en              TEXT NOT NULL,
    description_zh              TEXT NOT NULL,
    series                      TEXT NOT NULL,
    price_cents                 BIGINT NOT NULL CHECK (price_cents > 0),
    cover_image_url             TEXT NOT NULL,
    items_per_pack              BIGINT NOT NULL CHECK (items_per_pack BETWEEN 1 AND 20),
    supply                      BIGINT NOT NULL CHECK (supply >= -1),
    sold                        BIGINT NOT NULL DEFAULT 0 CHECK (sold >= 0 AND (supply = -1 OR sold <= supply)),
    is_active                   BOOLEAN NOT NULL,
    is_new                      BOOLEAN NOT NULL,
    is_demo                     BOOLEAN NOT NULL,
    listed_expected_value_cents BIGINT NOT NULL,
    odds_unit                   BIGINT NOT NULL CHECK (odds_unit > 0),
    definition                  TEXT NOT NULL,
    draw_seq                    BIGINT NOT NULL DEFAULT 0 CHECK (draw_seq >= 0),
    accepted_loss_cents         BIGINT CHECK (accepted_loss_cents >= -1),
    realised_loss_cents         BIGINT NOT NULL DEFAULT 0, -- by its draws, each card at the sell-back of its draw
    beyond_quotes_cents         BIGINT NOT NULL DEFAULT 0 CHECK (beyond_quotes_cents >= 0), -- what sell-backs paid more than that
    created_at                  BIGINT NOT NULL
);

CREATE TABLE stock (
    item_id TEXT PRIMARY KEY REFERENCES items (id),
    pack_id TEXT NOT NULL REFERENCES packs (id),
    remaining BIGINT NOT NULL CHECK (remaining >= 0)
);
CREATE INDEX stock_by_pack ON stock (pack_id, item_id);

CREATE TABLE manifests (
    hash    BYTEA PRIMARY KEY,
    pack_id TEXT NOT NULL REFERENCES packs (id),
    body    TEXT NOT NULL,
    UNIQUE (hash, pack_id)
);

CREATE TABLE publications (
    pack_id      TEXT NOT NULL REFERENCES packs (id),
    number       BIGINT NOT NULL CHECK (number > 0),
    hash         BYTEA NOT NULL REFERENCES manifests (hash),
    supply       BIGINT NOT NULL CHECK (supply >= -1),
    published_at BIGINT NOT NULL,
    effective_at BIGINT NOT NULL,
    PRIMARY KEY (pack_id, number)
);

-- What was pulled.

CREATE TABLE openings (
    id                TEXT PRIMARY KEY,
    user_id           TEXT NOT NULL REFERENCES users (id),
    pack_id           TEXT NOT NULL,
    manifest_hash     BYTEA NOT NULL,
    nonce             BIGINT NOT NULL,
    commitment        BYTEA NOT NULL,
    server_seed       BYTEA NOT NULL,
    client_seed       BYTEA NOT NULL,
    price_cents       BIGINT NOT NULL CHECK (price_cents > 0),
    total_value_cents BIGINT NOT NULL CHECK (total_value_cents >= 0),
    draw_seq          BIGINT NOT NULL CHECK (draw_seq >= 0),
    created_at        BIGINT NOT NULL,
    UNIQUE (user_id, nonce),
    FOREIGN KEY (manifest_hash, pack_id) REFERENCES manifests (hash, pack_id)
);

CREATE TABLE inventory (
    id                    TEXT PRIMARY KEY,
    user_id               TEXT NOT NULL REFERENCES users (id),
    item_id               TEXT NOT NULL REFERENCES items (id),
    opening_id            TEXT NOT NULL REFERENCES openings (id),
    position              BIGINT NOT NULL CHECK (position >= 0),
    pulled_value_cents    BIGINT NOT NULL CHECK (pulled_value_cents >= 0),
    sell_back_floor_cents BIGINT NOT NULL CHECK (sell_back_floor_cents >= 0),
    sell_back_until       BIGINT NOT NULL, -- 0, as the floor is, once somebody else owns it: both were the puller's alone
    state                 TEXT NOT NULL DEFAULT 'held' CHECK (state IN ('held', 'listed', 'claimed', 'sold-back', 'delivered')),
    vaulted               BOOLEAN NOT NULL DEFAULT FALSE,
    acquired_from         TEXT NOT NULL CHECK (acquired_from IN ('pack', 'market', 'offer')),
    acquired_at           BIGINT NOT NULL,
    listing_id            TEXT, -- in the order of time
    ended_listing_id      TEXT, -- the last one, sold or taken back: tells who came too late from who only guessed
    sale_price_cents      BIGINT CHECK (sale_price_cents > 0),
    version               BIGINT NOT NULL DEFAULT 0 CHECK (version >= 0), -- how many acts were done with it
    UNIQUE (opening_id, position),
    CHECK ((state = 'listed') = (sale_price_cents IS NOT NULL) AND (state = 'listed') = (listing_id IS NOT NULL))
);
CREATE INDEX inventory_by_user ON inventory (user_id, id);
-- Partial, so that a pull, which is neither vaulted nor listed at first, writes nothing into these.
CREATE INDEX inventory_in_vault ON inventory (user_id, id) WHERE vaulted;
CREATE UNIQUE INDEX inventory_listed ON inventory (listing_id) WHERE state = 'listed';
CREATE INDEX inventory_listed_by_price ON inventory (sale_price_cents, listing_id) WHERE state = 'listed';
CREATE INDEX inventory_listed_by_item ON inventory (item_id, sale_price_cents) WHERE state = 'listed';

-- What was done with an entry since it was pulled, act by act.
CREATE TABLE entry_events (
    inventory_id TEXT NOT NULL REFERENCES inventory (id),
    number       BIGINT NOT NULL CHECK (number > 0),
    act          TEXT NOT NULL,
    by_whom      TEXT NOT NULL, -- a user's id, or the house
    price_cents  BIGINT NOT NULL DEFAULT 0 CHECK (price_cents >= 0), -- 0 = none
    ref          TEXT NOT NULL DEFAULT '', -- the listing; of a sell-back, the quote that it was paid by
    created_at   BIGINT NOT NULL,
    PRIMARY KEY (inventory_id, number)
);

-- What the house took back. An entry ends with it, so it is sold back once.
CREATE TABLE sell_backs (
    inventory_id TEXT PRIMARY KEY REFERENCES inventory (id),
    user_id      TEXT NOT NULL REFERENCES users (id),
    value_cents  BIGINT NOT NULL CHECK (value_cents >= 0), -- what the item counted for
    quote        TEXT NOT NULL CHECK (quote IN ('floor', 'value')), -- by which it was paid
    payout_cents BIGINT NOT NULL CHECK (payout_cents > 0),
    draw_seq     BIGINT NOT NULL CHECK (draw_seq >= 0), -- of its return to the pack; 0 = it did not return
    created_at   BIGINT NOT NULL
);

-- Who bought what from whom. A listing ends with its sale, so it is sold once.

CREATE TABLE sales (
    listing_id   TEXT PRIMARY KEY,
    inventory_id TEXT NOT NULL REFERENCES inventory (id),
    item_id      TEXT NOT NULL REFERENCES items (id),
    seller_id    TEXT NOT NULL REFERENCES users (id),
    buyer_id     TEXT NOT NULL REFERENCES users (id) CHECK (buyer_id <> seller_id),
    price_cents  BIGINT NOT NULL CHECK (price_cents > 0),
    fee_cents    BIGINT NOT NULL CHECK (fee_cents >= 0 AND fee_cents < price_cents),
    created_at   BIGINT NOT NULL
);
CREATE INDEX sales_by_item ON sales (item_id, created_at);

-- The public log. A leaf is written with its fact and waits here until it gets its
-- place in the tree; seq is taken after the locks that decide its order.

CREATE TABLE log_waiting (
    seq        AUTO_ID,
    kind       TEXT NOT NULL,
    ref        TEXT NOT NULL,
    body       TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (kind, ref)
);

CREATE TABLE log_leaves (
    epoch      BIGINT NOT NULL,
    leaf_index BIGINT NOT NULL CHECK (leaf_index >= 0),
    kind       TEXT NOT NULL,
    ref        TEXT NOT NULL,
    body       TEXT NOT NULL,
    PRIMARY KEY (epoch, leaf_index),
    UNIQUE (kind, ref)
);

-- The tree's hashes, 256 neighbours of every eighth level a row.
CREATE TABLE log_tiles (
    epoch  BIGINT NOT NULL,
    level  BIGINT NOT NULL,
    number BIGINT NOT NULL,
    hashes BYTEA NOT NULL,
    PRIMARY KEY (epoch, level, number)
);

-- The last epoch's tree grows; the ones before ended when the database was restored.
CREATE TABLE log_tree (
    epoch       BIGINT PRIMARY KEY CHECK (epoch > 0),
    origin      TEXT NOT NULL UNIQUE,
    size        BIGINT NOT NULL CHECK (size >= 0),
    root        BYTEA NOT NULL,
    signed_size BIGINT NOT NULL DEFAULT 0 CHECK (signed_size BETWEEN 0 AND size),
    checkpoint  TEXT NOT NULL DEFAULT '',
    signed_at   BIGINT NOT NULL DEFAULT 0
);

-- Up to where each of the log's followers has read it; moved in the transaction that
-- keeps what was read.
CREATE TABLE log_followers (
    name     TEXT PRIMARY KEY,
    epoch    BIGINT NOT NULL,
    position BIGINT NOT NULL CHECK (position >= 0)
);
INSERT INTO log_followers (name, epoch, position) VALUES ('draws', 1, 0), ('standings', 1, 0);

-- What was drawn by each manifest, counted behind the log.

CREATE TABLE drawn_manifests (
    manifest_hash BYTEA PRIMARY KEY REFERENCES manifests (hash),
    opens         BIGINT NOT NULL
);

CREATE TABLE drawn_cards (
    manifest_hash BYTEA NOT NULL REFERENCES manifests (hash),
    item_id       TEXT NOT NULL,
    number        BIGINT NOT NULL,
    PRIMARY KEY (manifest_hash, item_id)
);

-- Who leads, counted behind the log. A period is 0 for all time or the
-- microsecond when a week began. Players are known by their tag in the log; a
-- player's row keeps the last week played.

CREATE TABLE standings (
    player              TEXT PRIMARY KEY REFERENCES users (tag),
    volume_cents        BIGINT NOT NULL,
    packs               BIGINT NOT NULL,
    top_pull_cents      BIGINT NOT NULL,
    week                BIGINT NOT NULL,
    week_volume_cents   BIGINT NOT NULL,
    week_packs          BIGINT NOT NULL,
    week_top_pull_cents BIGINT NOT NULL
);

-- A row holds the whole list, as nearly every batch of opens changes much of it.
CREATE TABLE leaders (
    period BIGINT NOT NULL,
    metric TEXT NOT NULL,
    list   TEXT NOT NULL,
    PRIMARY KEY (period, metric)
);

-- How many players stand at a value: level 0 has a row a value, each level above
-- one for 1,024 of the level below, so that a rank is a sum over few rows.
CREATE TABLE standing_counts (
    period  BIGINT NOT NULL,
    metric  TEXT NOT NULL,
    level   BIGINT NOT NULL,
    slot    BIGINT NOT NULL,
    players BIGINT NOT NULL CHECK (players >= 0),
    PRIMARY KEY (period, metric, level, slot)
);

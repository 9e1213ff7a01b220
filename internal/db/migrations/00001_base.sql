-- Money is whole cents, time is microseconds since 1970 (UTC), hashes and keys
-- are bytes. AUTO_ID stands for the engine's own counter, UUID for how it keeps the ids
-- that we make, BYTEWISE for its way to order text by bytes, KEEP for what lets no row
-- of a table be changed or deleted.

CREATE TABLE settings (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

-- Who may act.

CREATE TABLE users (
    id                UUID PRIMARY KEY,
    wallet_address    TEXT NOT NULL UNIQUE,
    role              TEXT NOT NULL DEFAULT 'user' CONSTRAINT users_role CHECK (role IN ('user', 'admin')),
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
    kind     TEXT NOT NULL CONSTRAINT pictures_kind CHECK (kind IN ('person', 'thing')),
    address  TEXT NOT NULL,
    body     BYTEA,
    tried_at BIGINT NOT NULL DEFAULT 0
);

-- What was done to the house, for good.
CREATE TABLE admin_acts (
    id         UUID PRIMARY KEY,
    user_id    UUID REFERENCES users (id), -- NULL = the program itself: a command or a job
    act        TEXT NOT NULL,
    path       TEXT NOT NULL,
    request    TEXT NOT NULL,
    subject    TEXT NOT NULL CONSTRAINT admin_acts_subject CHECK (subject <> ''), -- a kind and an id
    was        TEXT NOT NULL, -- of the subject, what differs, in JSON
    became     TEXT NOT NULL,
    reason     TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
KEEP admin_acts;

-- What one admin does not do alone.
CREATE TABLE approvals (
    id         UUID PRIMARY KEY,
    kind       TEXT NOT NULL,
    subject    TEXT NOT NULL, -- as admin_acts has it
    payload    TEXT NOT NULL, -- all that the act needs, in JSON
    reason     TEXT NOT NULL,
    asked_by   UUID NOT NULL REFERENCES users (id),
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL CONSTRAINT approvals_expires_at CHECK (expires_at > created_at),
    state      TEXT NOT NULL CONSTRAINT approvals_state CHECK (state IN ('pending', 'approved', 'refused', 'expired')),
    decided_by UUID REFERENCES users (id) CONSTRAINT approvals_decided_by CHECK (decided_by <> asked_by),
    decision   TEXT NOT NULL DEFAULT '', -- why
    decided_at BIGINT,
    CONSTRAINT approvals_decision CHECK ((state = 'pending') = (decided_at IS NULL) AND (state IN ('approved', 'refused')) = (decided_by IS NOT NULL))
);
CREATE UNIQUE INDEX approvals_waiting ON approvals (kind, subject) WHERE state = 'pending';

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
    user_id      UUID NOT NULL REFERENCES users (id),
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT NOT NULL
);
CREATE INDEX sessions_by_user ON sessions (user_id, created_at);
CREATE INDEX sessions_by_use ON sessions (last_used_at);

CREATE TABLE idempotency (
    place       BYTEA PRIMARY KEY, -- made of the key and whose it is
    fingerprint BYTEA NOT NULL,
    answer      BYTEA NOT NULL, -- or what it follows from
    created_at  BIGINT NOT NULL
);
CREATE INDEX idempotency_by_age ON idempotency (created_at);

-- Money. One row a user holds balance, seed and nonce, so that they are locked as one.

CREATE TABLE accounts (
    user_id       UUID PRIMARY KEY REFERENCES users (id),
    balance_cents BIGINT NOT NULL DEFAULT 0 CONSTRAINT accounts_balance_cents CHECK (balance_cents >= 0),
    lines         BIGINT NOT NULL DEFAULT 0,
    nonce         BIGINT NOT NULL CONSTRAINT accounts_nonce CHECK (nonce >= 0),
    commitment    BYTEA NOT NULL,
    sealed_seed   BYTEA NOT NULL
);

CREATE TABLE transfers (
    id                   UUID NOT NULL,
    debit                TEXT NOT NULL,
    credit               TEXT NOT NULL CONSTRAINT transfers_credit CHECK (credit <> debit),
    amount_cents         BIGINT NOT NULL CONSTRAINT transfers_amount_cents CHECK (amount_cents > 0),
    debit_line           BIGINT,
    debit_balance_cents  BIGINT CONSTRAINT transfers_debit_balance_cents CHECK (debit_balance_cents >= 0),
    credit_line          BIGINT,
    credit_balance_cents BIGINT CONSTRAINT transfers_credit_balance_cents CHECK (credit_balance_cents >= 0),
    kind                 TEXT NOT NULL,
    ref                  UUID NOT NULL,
    note                 TEXT NOT NULL DEFAULT '',
    created_at           BIGINT NOT NULL,
    PRIMARY KEY (ref, kind) -- in the order of time: pages that only ever grow at the end are full
);
-- A user's lines are numbered without gaps, in the order in which the row was locked.
CREATE UNIQUE INDEX transfers_by_debit ON transfers (debit, debit_line) WHERE debit_line IS NOT NULL;
CREATE UNIQUE INDEX transfers_by_credit ON transfers (credit, credit_line) WHERE credit_line IS NOT NULL;
-- The prices of opens, which are most of all, are found by their refs: ids in the order of time.
CREATE INDEX transfers_by_time ON transfers (created_at) WHERE kind <> 'open';
KEEP transfers;

-- Money that comes in. A deposit is in the state of its last event.

CREATE TABLE deposits (
    id                UUID PRIMARY KEY,
    user_id           UUID NOT NULL REFERENCES users (id),
    provider          TEXT NOT NULL CONSTRAINT deposits_provider CHECK (provider IN ('sandbox', 'helio')),
    amount_cents      BIGINT NOT NULL CONSTRAINT deposits_amount_cents CHECK (amount_cents > 0),
    state             TEXT NOT NULL CONSTRAINT deposits_state CHECK (state IN ('quoted', 'pending', 'verified', 'credited', 'expired', 'review', 'rejected', 'refunded')),
    exception         TEXT NOT NULL CONSTRAINT deposits_exception CHECK (exception IN ('', 'under', 'over', 'late')),
    confirming        BOOLEAN NOT NULL, -- the chain has the payment, but not for good
    charge_token      TEXT UNIQUE, -- NULL until the provider has made the charge
    sol_price_cents   BIGINT NOT NULL CONSTRAINT deposits_sol_price_cents CHECK (sol_price_cents > 0), -- for the estimate alone: what is owed is in dollars
    price_is_fallback BOOLEAN NOT NULL,
    version           BIGINT NOT NULL CONSTRAINT deposits_version CHECK (version > 0), -- how many events it has
    created_at        BIGINT NOT NULL,
    expires_at        BIGINT NOT NULL CONSTRAINT deposits_expires_at CHECK (expires_at > created_at),
    looks             BIGINT NOT NULL DEFAULT 0 CONSTRAINT deposits_looks CHECK (looks >= 0), -- how often it was looked at since it was last told of
    next_look_at      BIGINT -- NULL = not any more
);
CREATE INDEX deposits_by_user ON deposits (user_id, id);
CREATE INDEX deposits_by_state ON deposits (state, id);
CREATE INDEX deposits_to_look_at ON deposits (next_look_at) WHERE next_look_at IS NOT NULL;

CREATE TABLE deposit_events (
    deposit_id UUID NOT NULL REFERENCES deposits (id),
    number     BIGINT NOT NULL CONSTRAINT deposit_events_number CHECK (number > 0),
    state      TEXT NOT NULL,
    exception  TEXT NOT NULL,
    reason     TEXT NOT NULL, -- one of the code's, or an admin's words
    by_whom    TEXT NOT NULL, -- an admin's id, or the house
    created_at BIGINT NOT NULL,
    PRIMARY KEY (deposit_id, number)
);

-- The one payment that was accepted for a deposit, as provider and chain told it.
CREATE TABLE deposit_payments (
    deposit_id  UUID PRIMARY KEY REFERENCES deposits (id),
    provider    TEXT NOT NULL,
    payment_id  TEXT NOT NULL, -- the provider's
    network     TEXT NOT NULL,
    signature   TEXT NOT NULL,
    currency    TEXT NOT NULL,
    units       BIGINT NOT NULL CONSTRAINT deposit_payments_units CHECK (units > 0), -- smallest ones of the currency, that came to us
    over_units  BIGINT NOT NULL CONSTRAINT deposit_payments_over_units CHECK (over_units >= 0), -- of them, what was not owed
    paid_at     BIGINT NOT NULL,
    created_at  BIGINT NOT NULL,
    UNIQUE (provider, payment_id),
    UNIQUE (network, signature)
);

-- What the provider told by itself, or a sweep found: reasons to look, and no more.
CREATE TABLE payment_notices (
    provider   TEXT NOT NULL,
    payment_id TEXT NOT NULL, -- the provider's
    source     TEXT NOT NULL CONSTRAINT payment_notices_source CHECK (source IN ('webhook', 'sweep')),
    deposit_id UUID REFERENCES deposits (id), -- NULL = of no deposit that we know
    body       TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (provider, payment_id, source)
);

-- What can be pulled.

CREATE TABLE items (
    id               TEXT PRIMARY KEY,
    series           TEXT NOT NULL,
    name             TEXT NOT NULL,
    search           TEXT NOT NULL,
    rarity           TEXT NOT NULL CONSTRAINT items_rarity CHECK (rarity IN ('Common', 'Rare', 'Epic', 'Legendary', 'Mythic', 'Grail')),
    grade_tenths     BIGINT CONSTRAINT items_grade_tenths CHECK (grade_tenths BETWEEN 10 AND 100),
    grader           TEXT NOT NULL,
    cert_number      TEXT NOT NULL,
    image_url        TEXT NOT NULL,
    base_value_cents BIGINT NOT NULL CONSTRAINT items_base_value_cents CHECK (base_value_cents >= 0),
    is_active        BOOLEAN NOT NULL DEFAULT TRUE,
    created_at       BIGINT NOT NULL
);
CREATE INDEX items_by_series ON items (series, id);
CREATE INDEX items_by_value ON items (base_value_cents, id);
CREATE INDEX items_by_name ON items (name BYTEWISE, id);

-- What an item was worth, and is: the last one is its base value.
CREATE TABLE valuations (
    item_id     TEXT NOT NULL REFERENCES items (id),
    number      BIGINT NOT NULL CONSTRAINT valuations_number CHECK (number > 0),
    value_cents BIGINT NOT NULL CONSTRAINT valuations_value_cents CHECK (value_cents >= 0),
    source      TEXT NOT NULL,
    reason      TEXT NOT NULL,
    user_id     UUID REFERENCES users (id), -- the admin; NULL for the catalogue's own data
    created_at  BIGINT NOT NULL,
    carried_at  BIGINT NOT NULL, -- from then on nobody draws by a manifest with an older value
    PRIMARY KEY (item_id, number),
    CONSTRAINT valuations_carried CHECK (carried_at >= created_at)
);

CREATE TABLE packs (
    id                          TEXT PRIMARY KEY,
    position                    BIGINT NOT NULL,
    name                        TEXT NOT NULL,
    description_en              TEXT NOT NULL,
    description_zh              TEXT NOT NULL,
    series                      TEXT NOT NULL,
    price_cents                 BIGINT NOT NULL CONSTRAINT packs_price_cents CHECK (price_cents > 0),
    cover_image_url             TEXT NOT NULL,
    items_per_pack              BIGINT NOT NULL CONSTRAINT packs_items_per_pack CHECK (items_per_pack BETWEEN 1 AND 20),
    supply                      BIGINT NOT NULL CONSTRAINT packs_supply CHECK (supply >= -1),
    sold                        BIGINT NOT NULL DEFAULT 0 CONSTRAINT packs_sold CHECK (sold >= 0 AND (supply = -1 OR sold <= supply)),
    is_active                   BOOLEAN NOT NULL,
    is_new                      BOOLEAN NOT NULL,
    is_demo                     BOOLEAN NOT NULL,
    listed_expected_value_cents BIGINT NOT NULL,
    odds_unit                   BIGINT NOT NULL CONSTRAINT packs_odds_unit CHECK (odds_unit > 0),
    definition                  TEXT NOT NULL,
    draw_seq                    BIGINT NOT NULL DEFAULT 0 CONSTRAINT packs_draw_seq CHECK (draw_seq >= 0),
    accepted_loss_cents         BIGINT CONSTRAINT packs_accepted_loss_cents CHECK (accepted_loss_cents >= -1),
    realised_loss_cents         BIGINT NOT NULL DEFAULT 0, -- by its draws, each card at the sell-back of its draw
    beyond_quotes_cents         BIGINT NOT NULL DEFAULT 0 CONSTRAINT packs_beyond_quotes_cents CHECK (beyond_quotes_cents >= 0), -- what sell-backs paid more than that
    created_at                  BIGINT NOT NULL
);

CREATE TABLE stock (
    item_id TEXT PRIMARY KEY REFERENCES items (id),
    pack_id TEXT NOT NULL REFERENCES packs (id),
    remaining BIGINT NOT NULL CONSTRAINT stock_remaining CHECK (remaining >= 0)
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
    number       BIGINT NOT NULL CONSTRAINT publications_number CHECK (number > 0),
    hash         BYTEA NOT NULL REFERENCES manifests (hash),
    supply       BIGINT NOT NULL CONSTRAINT publications_supply CHECK (supply >= -1),
    published_at BIGINT NOT NULL,
    effective_at BIGINT NOT NULL,
    PRIMARY KEY (pack_id, number)
);

-- What was pulled.

CREATE TABLE openings (
    id                UUID PRIMARY KEY,
    user_id           UUID NOT NULL REFERENCES users (id),
    pack_id           TEXT NOT NULL,
    manifest_hash     BYTEA NOT NULL,
    nonce             BIGINT NOT NULL,
    server_seed       BYTEA NOT NULL, -- the commitment to it is its hash
    next_commitment   BYTEA NOT NULL, -- that the user was shown next
    client_seed       BYTEA NOT NULL,
    price_cents       BIGINT NOT NULL CONSTRAINT openings_price_cents CHECK (price_cents > 0),
    total_value_cents BIGINT NOT NULL CONSTRAINT openings_total_value_cents CHECK (total_value_cents >= 0),
    draw_seq          BIGINT NOT NULL CONSTRAINT openings_draw_seq CHECK (draw_seq >= 0),
    created_at        BIGINT NOT NULL,
    UNIQUE (user_id, nonce),
    FOREIGN KEY (manifest_hash, pack_id) REFERENCES manifests (hash, pack_id)
);

CREATE TABLE inventory (
    id                    UUID PRIMARY KEY,
    user_id               UUID NOT NULL REFERENCES users (id),
    item_id               TEXT NOT NULL REFERENCES items (id),
    opening_id            UUID NOT NULL REFERENCES openings (id),
    position              BIGINT NOT NULL CONSTRAINT inventory_position CHECK (position >= 0),
    pulled_value_cents    BIGINT NOT NULL CONSTRAINT inventory_pulled_value_cents CHECK (pulled_value_cents >= 0),
    sell_back_floor_cents BIGINT NOT NULL CONSTRAINT inventory_sell_back_floor_cents CHECK (sell_back_floor_cents >= 0),
    sell_back_until       BIGINT NOT NULL, -- 0, as the floor is, once somebody else owns it: both were the puller's alone
    state                 TEXT NOT NULL DEFAULT 'held' CONSTRAINT inventory_state CHECK (state IN ('held', 'listed', 'claimed', 'sold-back', 'delivered', 'made-good')),
    vaulted               BOOLEAN NOT NULL DEFAULT FALSE,
    acquired_from         TEXT NOT NULL CONSTRAINT inventory_acquired_from CHECK (acquired_from IN ('pack', 'market', 'offer')),
    acquired_at           BIGINT NOT NULL,
    listing_id            UUID, -- in the order of time
    ended_listing_id      UUID, -- the last one, sold or taken back: tells who came too late from who only guessed
    sale_price_cents      BIGINT CONSTRAINT inventory_sale_price_cents CHECK (sale_price_cents > 0),
    version               BIGINT NOT NULL DEFAULT 0 CONSTRAINT inventory_version CHECK (version >= 0), -- how many acts were done with it
    UNIQUE (opening_id, position),
    CONSTRAINT inventory_listing CHECK ((state = 'listed') = (sale_price_cents IS NOT NULL) AND (state = 'listed') = (listing_id IS NOT NULL))
);
CREATE INDEX inventory_by_user ON inventory (user_id, id);
-- Partial, so that a pull, which is neither vaulted nor listed at first, writes nothing into these.
CREATE INDEX inventory_in_vault ON inventory (user_id, id) WHERE vaulted;
CREATE INDEX inventory_by_value ON inventory (pulled_value_cents, id) WHERE pulled_value_cents >= 10000; -- terms.TopPull: few pulls
CREATE UNIQUE INDEX inventory_listed ON inventory (listing_id) WHERE state = 'listed';
CREATE INDEX inventory_listed_by_price ON inventory (sale_price_cents, listing_id) WHERE state = 'listed';
CREATE INDEX inventory_listed_by_item ON inventory (item_id, sale_price_cents) WHERE state = 'listed';

-- What was done with an entry since it was pulled, act by act.
CREATE TABLE entry_events (
    inventory_id UUID NOT NULL REFERENCES inventory (id),
    number       BIGINT NOT NULL CONSTRAINT entry_events_number CHECK (number > 0),
    act          TEXT NOT NULL,
    by_whom      TEXT NOT NULL, -- a user's id, or the house
    price_cents  BIGINT NOT NULL DEFAULT 0 CONSTRAINT entry_events_price_cents CHECK (price_cents >= 0), -- 0 = none
    ref          TEXT NOT NULL DEFAULT '', -- the listing, or the claim; of a sell-back, the quote that it was paid by
    created_at   BIGINT NOT NULL,
    PRIMARY KEY (inventory_id, number)
);

-- The few that end an entry, by when: the public books count them.
CREATE INDEX entry_events_ending ON entry_events (created_at) WHERE act IN ('sell back', 'deliver', 'refund');

-- What the house took back. An entry ends with it, so it is sold back once.
CREATE TABLE sell_backs (
    inventory_id UUID PRIMARY KEY REFERENCES inventory (id),
    user_id      UUID NOT NULL REFERENCES users (id),
    value_cents  BIGINT NOT NULL CONSTRAINT sell_backs_value_cents CHECK (value_cents >= 0), -- what the item counted for
    quote        TEXT NOT NULL CONSTRAINT sell_backs_quote CHECK (quote IN ('floor', 'value')), -- by which it was paid
    payout_cents BIGINT NOT NULL CONSTRAINT sell_backs_payout_cents CHECK (payout_cents > 0),
    draw_seq     BIGINT NOT NULL CONSTRAINT sell_backs_draw_seq CHECK (draw_seq >= 0), -- of its return to the pack; 0 = it did not return
    created_at   BIGINT NOT NULL
);

-- Owners who want the item itself. A claim is in the state that its last event left it in.

-- The one request for a signature that a user may answer.
CREATE TABLE claim_challenges (
    user_id        UUID PRIMARY KEY REFERENCES users (id),
    nonce          TEXT NOT NULL,
    shipping_cents BIGINT NOT NULL CONSTRAINT claim_challenges_shipping_cents CHECK (shipping_cents >= 0),
    issued_at      BIGINT NOT NULL,
    expires_at     BIGINT NOT NULL CONSTRAINT claim_challenges_expires_at CHECK (expires_at > issued_at)
);

CREATE TABLE claims (
    id             UUID PRIMARY KEY,
    user_id        UUID NOT NULL REFERENCES users (id),
    state          TEXT NOT NULL CONSTRAINT claims_state CHECK (state IN ('requested', 'packed', 'shipped', 'delivered', 'cancelled', 'lost', 'replacing', 'refunded')),
    shipping_cents BIGINT NOT NULL CONSTRAINT claims_shipping_cents CHECK (shipping_cents >= 0),
    message        TEXT NOT NULL, -- that the owner signed: items, the address's hash, price
    signature      TEXT NOT NULL, -- base58
    carrier        TEXT NOT NULL DEFAULT '',
    tracking       TEXT NOT NULL DEFAULT '',
    version        BIGINT NOT NULL CONSTRAINT claims_version CHECK (version > 0), -- how many events it has
    created_at     BIGINT NOT NULL
);
CREATE INDEX claims_by_user ON claims (user_id, id);
CREATE INDEX claims_by_state ON claims (state, id);

CREATE TABLE claim_items (
    claim_id     UUID NOT NULL REFERENCES claims (id),
    position     BIGINT NOT NULL CONSTRAINT claim_items_position CHECK (position >= 0),
    inventory_id UUID NOT NULL REFERENCES inventory (id),
    value_cents  BIGINT NOT NULL CONSTRAINT claim_items_value_cents CHECK (value_cents >= 0), -- when it was claimed
    refund_cents BIGINT CONSTRAINT claim_items_refund_cents CHECK (refund_cents >= value_cents), -- NULL = nothing was paid for it
    PRIMARY KEY (claim_id, position),
    UNIQUE (claim_id, inventory_id)
);

CREATE TABLE claim_events (
    claim_id   UUID NOT NULL REFERENCES claims (id),
    number     BIGINT NOT NULL CONSTRAINT claim_events_number CHECK (number > 0),
    act        TEXT NOT NULL,
    by_whom    TEXT NOT NULL, -- a user's id: the owner's, or an admin's
    note       TEXT NOT NULL, -- carrier and tracking number, or an admin's words
    created_at BIGINT NOT NULL,
    PRIMARY KEY (claim_id, number)
);

-- Where to. Readable only with a key that is not in the database.
CREATE TABLE claim_addresses (
    claim_id  UUID PRIMARY KEY REFERENCES claims (id),
    key_id    TEXT NOT NULL,
    sealed    BYTEA NOT NULL,
    forget_at BIGINT -- NULL until the claim has ended
);
CREATE INDEX claim_addresses_by_key ON claim_addresses (key_id);
CREATE INDEX claim_addresses_to_forget ON claim_addresses (forget_at) WHERE forget_at IS NOT NULL;

-- Who bought what from whom. A listing ends with its sale, so it is sold once.

CREATE TABLE sales (
    listing_id   UUID PRIMARY KEY,
    inventory_id UUID NOT NULL REFERENCES inventory (id),
    item_id      TEXT NOT NULL REFERENCES items (id),
    seller_id    UUID NOT NULL REFERENCES users (id),
    buyer_id     UUID NOT NULL REFERENCES users (id) CONSTRAINT sales_buyer_id CHECK (buyer_id <> seller_id),
    price_cents  BIGINT NOT NULL CONSTRAINT sales_price_cents CHECK (price_cents > 0),
    fee_cents    BIGINT NOT NULL CONSTRAINT sales_fee_cents CHECK (fee_cents >= 0 AND fee_cents < price_cents),
    created_at   BIGINT NOT NULL
);
CREATE INDEX sales_by_item ON sales (item_id, created_at);

-- The public log. A leaf is written with its fact and waits here until it gets its
-- place in the tree; seq is taken after the locks that decide its order.

CREATE TABLE log_waiting (
    seq  AUTO_ID,
    body TEXT NOT NULL
);

-- Neighbours that got their places together, as many as 256 in a row that begins with
-- the first one's index: the entry bundle of C2SP tlog-tiles or a part of it, deflated.
-- An open is found by its id, which is in the order of time: oldest and newest are
-- those of the row's opens, empty if it has none.
CREATE TABLE log_leaves (
    epoch      BIGINT NOT NULL,
    leaf_index BIGINT NOT NULL CONSTRAINT log_leaves_leaf_index CHECK (leaf_index >= 0),
    number     BIGINT NOT NULL CONSTRAINT log_leaves_number CHECK (number BETWEEN 1 AND 256),
    oldest     TEXT NOT NULL,
    newest     TEXT NOT NULL,
    entries    BYTEA NOT NULL,
    PRIMARY KEY (epoch, leaf_index)
);
CREATE INDEX log_leaves_by_open ON log_leaves (newest, oldest);

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
    epoch       BIGINT PRIMARY KEY CONSTRAINT log_tree_epoch CHECK (epoch > 0),
    origin      TEXT NOT NULL UNIQUE,
    size        BIGINT NOT NULL CONSTRAINT log_tree_size CHECK (size >= 0),
    root        BYTEA NOT NULL,
    signed_size BIGINT NOT NULL DEFAULT 0 CONSTRAINT log_tree_signed_size CHECK (signed_size BETWEEN 0 AND size),
    checkpoint  TEXT NOT NULL DEFAULT '',
    signed_at   BIGINT NOT NULL DEFAULT 0
);

-- Up to where each of the log's followers has read it; moved in the transaction that
-- keeps what was read.
CREATE TABLE log_followers (
    name     TEXT PRIMARY KEY,
    epoch    BIGINT NOT NULL,
    position BIGINT NOT NULL CONSTRAINT log_followers_position CHECK (position >= 0)
);
INSERT INTO log_followers (name, epoch, position) VALUES ('draws', 1, 0), ('standings', 1, 0);

-- The house's books at the end of each day (UTC), as the log has them.

CREATE TABLE book_days (
    day  BIGINT PRIMARY KEY, -- when it began
    body TEXT NOT NULL
);

-- How many of an item somebody owned at the end of the last of these days.
CREATE TABLE book_items (
    item_id TEXT PRIMARY KEY REFERENCES items (id),
    number  BIGINT NOT NULL CONSTRAINT book_items_number CHECK (number >= 0)
);

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
    players BIGINT NOT NULL CONSTRAINT standing_counts_players CHECK (players >= 0),
    PRIMARY KEY (period, metric, level, slot)
);

-- What the stand-in of --payments sandbox remembers: its charges, and the webhooks that
-- it has to send. An installation with real payments leaves both empty.

CREATE TABLE sandbox_charges (
    token          TEXT PRIMARY KEY,
    id             TEXT NOT NULL UNIQUE,
    deposit_id     TEXT NOT NULL,
    amount_cents   BIGINT NOT NULL CONSTRAINT sandbox_charges_amount_cents CHECK (amount_cents > 0),
    lamports       BIGINT NOT NULL CONSTRAINT sandbox_charges_lamports CHECK (lamports > 0), -- asked of the payer in all
    created_at     BIGINT NOT NULL,
    expires_at     BIGINT NOT NULL,
    state          TEXT NOT NULL DEFAULT 'open' CONSTRAINT sandbox_charges_state CHECK (state IN ('open', 'pending', 'paid', 'failed')),
    transaction_id TEXT UNIQUE,
    signature      TEXT UNIQUE,
    payer          TEXT,
    moved_lamports BIGINT NOT NULL DEFAULT 0,
    acted_at       BIGINT,
    CONSTRAINT sandbox_charges_payment CHECK ((state = 'open') = (transaction_id IS NULL) AND (state = 'open') = (signature IS NULL)
        AND (state = 'open') = (payer IS NULL) AND (state = 'open') = (acted_at IS NULL)),
    CONSTRAINT sandbox_charges_moved CHECK ((state = 'paid') = (moved_lamports <> 0))
);
CREATE INDEX sandbox_charges_by_act ON sandbox_charges (acted_at, token);

CREATE TABLE sandbox_webhooks (
    id           TEXT PRIMARY KEY,
    charge_token TEXT NOT NULL REFERENCES sandbox_charges (token),
    tries        BIGINT NOT NULL DEFAULT 0 CONSTRAINT sandbox_webhooks_tries CHECK (tries >= 0),
    due_at       BIGINT NOT NULL
);
CREATE INDEX sandbox_webhooks_by_time ON sandbox_webhooks (due_at, id);

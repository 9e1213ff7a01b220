-- Every trade of an entry, whoever buys it, in one table. Of a listing it bears the
-- listing's id, of a sell-back the entry's, which each happen once; transfers name it.

CREATE TABLE trades (
    id                UUID PRIMARY KEY,
    kind              TEXT NOT NULL CONSTRAINT trades_kind CHECK (kind IN ('listing', 'bid', 'counter', 'sell-back')), -- what was taken
    inventory_id      UUID NOT NULL REFERENCES inventory (id),
    item_id           TEXT NOT NULL REFERENCES items (id),
    seller_id         UUID NOT NULL REFERENCES users (id),
    buyer_id          UUID REFERENCES users (id) CONSTRAINT trades_buyer_id CHECK (buyer_id <> seller_id), -- NULL = the house
    price_cents       BIGINT NOT NULL CONSTRAINT trades_price_cents CHECK (price_cents > 0),
    fee_cents         BIGINT NOT NULL CONSTRAINT trades_fee_cents CHECK (fee_cents >= 0 AND fee_cents < price_cents),
    bid_id            UUID,
    listing_id        UUID,
    route             TEXT CONSTRAINT trades_route CHECK (route IN ('quick', 'direct')), -- on which a seller came to who paid; NULL = on none
    house_quote_cents BIGINT CONSTRAINT trades_house_quote_cents CHECK (house_quote_cents > 0), -- what the house would have paid
    best_bid_cents    BIGINT CONSTRAINT trades_best_bid_cents CHECK (best_bid_cents > 0), -- the best there was, by what the house says
    value_cents       BIGINT NOT NULL CONSTRAINT trades_value_cents CHECK (value_cents >= 0), -- the item's base value then
    told              BOOLEAN NOT NULL DEFAULT TRUE, -- it has a leaf in the log: those before this table have none
    created_at        BIGINT NOT NULL,
    CONSTRAINT trades_house CHECK ((kind = 'sell-back') = (buyer_id IS NULL)),
    CONSTRAINT trades_listing CHECK (kind <> 'listing' OR (listing_id IS NOT NULL AND listing_id = id)),
    CONSTRAINT trades_bid CHECK (kind NOT IN ('bid', 'counter') OR bid_id IS NOT NULL),
    CONSTRAINT trades_sell_back CHECK (kind <> 'sell-back' OR (id = inventory_id AND fee_cents = 0 AND bid_id IS NULL AND listing_id IS NULL
        AND route IS NOT NULL AND house_quote_cents IS NOT NULL AND house_quote_cents = price_cents)),
    CONSTRAINT trades_routed CHECK (kind IN ('sell-back', 'bid') OR route IS NULL),
    CONSTRAINT trades_compared CHECK (route IS NOT NULL OR (house_quote_cents IS NULL AND best_bid_cents IS NULL))
);

INSERT INTO trades (id, kind, inventory_id, item_id, seller_id, buyer_id, price_cents, fee_cents, listing_id, value_cents, told, created_at)
SELECT s.listing_id, 'listing', s.inventory_id, s.item_id, s.seller_id, s.buyer_id, s.price_cents, s.fee_cents, s.listing_id,
    COALESCE((SELECT v.value_cents FROM valuations v WHERE v.item_id = s.item_id AND v.created_at <= s.created_at ORDER BY v.number DESC LIMIT 1), i.base_value_cents),
    FALSE, s.created_at
FROM sales s JOIN items i ON i.id = s.item_id;
DROP TABLE sales;

INSERT INTO trades (id, kind, inventory_id, item_id, seller_id, price_cents, fee_cents, route, house_quote_cents, value_cents, told, created_at)
SELECT s.inventory_id, 'sell-back', s.inventory_id, n.item_id, s.user_id, s.payout_cents, 0, 'direct', s.payout_cents,
    COALESCE((SELECT v.value_cents FROM valuations v WHERE v.item_id = n.item_id AND v.created_at <= s.created_at ORDER BY v.number DESC LIMIT 1), i.base_value_cents),
    FALSE, s.created_at
FROM sell_backs s JOIN inventory n ON n.id = s.inventory_id JOIN items i ON i.id = n.item_id;

CREATE INDEX trades_by_time ON trades (created_at, id);
CREATE INDEX trades_by_item ON trades (item_id, created_at, id);
CREATE INDEX trades_by_seller ON trades (seller_id, created_at, id);
CREATE INDEX trades_by_buyer ON trades (buyer_id, created_at, id) WHERE buyer_id IS NOT NULL;
-- Listings that a bid ended, for who comes to buy them too late.
CREATE INDEX trades_by_listing ON trades (listing_id) WHERE kind <> 'listing' AND listing_id IS NOT NULL;
KEEP trades;

-- What a trade with the house has besides.
ALTER TABLE sell_backs RENAME TO sell_backs_before;
CREATE TABLE sell_backs (
    trade_id    UUID PRIMARY KEY REFERENCES trades (id),
    value_cents BIGINT NOT NULL CONSTRAINT sell_backs_value_cents CHECK (value_cents >= 0), -- what the item counted for
    quote       TEXT NOT NULL CONSTRAINT sell_backs_quote CHECK (quote IN ('floor', 'value')), -- by which it was paid
    draw_seq    BIGINT NOT NULL CONSTRAINT sell_backs_draw_seq CHECK (draw_seq >= 0) -- of its return to the pack; 0 = it did not return
);
INSERT INTO sell_backs (trade_id, value_cents, quote, draw_seq) SELECT inventory_id, value_cents, quote, draw_seq FROM sell_backs_before;
DROP TABLE sell_backs_before;

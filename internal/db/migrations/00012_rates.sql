-- The house's parts of trades, from a time on. Before the first row they are those of the
-- protocol (fair.FirstRates).
CREATE TABLE rates (
    number         BIGINT PRIMARY KEY CONSTRAINT rates_number CHECK (number > 0),
    listing_points BIGINT NOT NULL CONSTRAINT rates_listing_points CHECK (listing_points BETWEEN 0 AND 10000), -- hundredths of a per cent
    bid_points     BIGINT NOT NULL CONSTRAINT rates_bid_points CHECK (bid_points BETWEEN 0 AND 10000),
    counter_points BIGINT NOT NULL CONSTRAINT rates_counter_points CHECK (counter_points BETWEEN 0 AND 10000),
    announced_at   BIGINT NOT NULL,
    effective_at   BIGINT NOT NULL CONSTRAINT rates_effective_at CHECK (effective_at >= announced_at + 86400000000) -- a day, in microseconds
);
KEEP rates;

-- The rate that a trade's fee was taken at; NULL = its leaf is from before rates stood in leaves.
ALTER TABLE trades ADD COLUMN rate_points BIGINT CONSTRAINT trades_rate_points CHECK (rate_points BETWEEN 0 AND 10000);

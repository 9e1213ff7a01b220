-- Raised values count for quotes, bids and price limits later than they are set.
CREATE INDEX valuations_rising ON valuations (carried_at, item_id) WHERE carried_at > created_at;

-- The users whose own cards or bids an event is about: their ids, separated by spaces.
ALTER TABLE events_waiting ADD COLUMN users TEXT NOT NULL DEFAULT '';
ALTER TABLE market_events ADD COLUMN users TEXT NOT NULL DEFAULT '';

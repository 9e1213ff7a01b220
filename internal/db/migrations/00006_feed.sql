-- What an event tells beside entry, item and price, by its kind.
ALTER TABLE events_waiting ADD COLUMN detail TEXT NOT NULL DEFAULT '';
ALTER TABLE market_events ADD COLUMN detail TEXT NOT NULL DEFAULT '';

-- What happens too often to be told each time: when it was told last, and what waits.
CREATE TABLE market_digests (
    name    TEXT PRIMARY KEY,
    told_at BIGINT NOT NULL,
    waiting TEXT NOT NULL -- events, in JSON
);
INSERT INTO market_digests (name, told_at, waiting) VALUES ('opens', 0, '[]'), ('leaderboard', 0, '[]');

-- Opens that were there before are nobody's news.
INSERT INTO log_followers (name, epoch, position) SELECT 'live opens', epoch, position FROM log_followers WHERE name = 'standings';

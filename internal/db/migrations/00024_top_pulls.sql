-- The most valuable pulls, counted from the public log. A row holds a whole list of pack_id, or of all packs ('').
CREATE TABLE top_pulls (
    pack_id   TEXT NOT NULL,
    period    TEXT NOT NULL CONSTRAINT top_pulls_period CHECK (period IN ('today', 'week', 'all', 'last-big')),
    begins_at BIGINT NOT NULL, -- of the day or week; 0 = all time
    list      TEXT NOT NULL, -- JSON, best first
    PRIMARY KEY (pack_id, period)
);
INSERT INTO log_followers (name, epoch, position) VALUES ('top pulls', 1, 0);

-- The running nodes. A node that hasn't been seen for a while is gone.
CREATE TABLE nodes (
    id         UUID PRIMARY KEY,
    host       TEXT NOT NULL,
    process    BIGINT NOT NULL,
    address    TEXT NOT NULL, -- where it listens
    version    TEXT NOT NULL,
    keys       TEXT NOT NULL, -- JSON: kind and fingerprint of each key that it has loaded, in the order of its files
    started_at BIGINT NOT NULL,
    seen_at    BIGINT NOT NULL
);

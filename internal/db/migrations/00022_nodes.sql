-- The running nodes, and the keys that stored rows are encrypted with.

-- A node that hasn't been seen for a while is gone.
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

-- One row for the keys of seeds and one for those of shipping addresses. They are named by their
-- fingerprints, which are separated by spaces.
CREATE TABLE key_uses (
    kind    TEXT PRIMARY KEY CONSTRAINT key_uses_kind CHECK (kind IN ('seed', 'address')),
    in_use  TEXT NOT NULL CONSTRAINT key_uses_in_use CHECK (in_use <> ''), -- the first encrypts; rows may still be encrypted with the others
    retired TEXT NOT NULL DEFAULT '' -- fingerprint@microseconds: no row has been encrypted with it since
);
INSERT INTO key_uses (kind, in_use) SELECT 'seed', substr(value, 1, 16) FROM settings WHERE name = 'seed_key';
DELETE FROM settings WHERE name = 'seed_key';

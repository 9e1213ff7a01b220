-- Rounds of public randomness beacons that draws use. A signature is verified before it is stored.
CREATE TABLE beacon_rounds (
    chain      BYTEA NOT NULL, -- chain hash
    round      BIGINT NOT NULL CONSTRAINT beacon_rounds_round CHECK (round > 0),
    signature  BYTEA NOT NULL CONSTRAINT beacon_rounds_signature CHECK (length(signature) = 48),
    fetched_at BIGINT NOT NULL,
    PRIMARY KEY (chain, round)
);
KEEP beacon_rounds;

-- A sandbox's own beacon, in one row that the first start of a sandbox writes. Only its behavior changes.
CREATE TABLE sandbox_beacon (
    id       TEXT PRIMARY KEY, -- part of the chain hash, as are period and genesis
    period   BIGINT NOT NULL, -- seconds
    genesis  BIGINT NOT NULL, -- Unix time in seconds
    seed     BYTEA NOT NULL CONSTRAINT sandbox_beacon_seed CHECK (length(seed) = 32), -- of its key
    behavior TEXT NOT NULL DEFAULT 'punctual' CONSTRAINT sandbox_beacon_behavior CHECK (behavior IN ('punctual', 'silent', 'late', 'lying', 'forked'))
);

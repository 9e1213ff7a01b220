-- Witnesses cosign the public log's checkpoints.

-- The policies that the log has announced, one for each kaibao-witnesses/v1 leaf, in log order.
CREATE TABLE log_policies (
    number      BIGINT PRIMARY KEY CONSTRAINT log_policies_number CHECK (number > 0),
    leaf        TEXT NOT NULL,
    in_force_at BIGINT NOT NULL
);
KEEP log_policies;

-- Where the checkpoints are submitted (C2SP tlog-witness).
CREATE TABLE log_witnesses (
    verifier_key TEXT PRIMARY KEY,
    url          TEXT NOT NULL
);

-- Checkpoints that a quorum has cosigned, with their cosignatures: the largest one of each second.
CREATE TABLE log_cosigned (
    epoch      BIGINT NOT NULL,
    quorum_at  BIGINT NOT NULL CONSTRAINT log_cosigned_quorum_at CHECK (quorum_at > 0), -- in seconds: when the last witness of the quorum cosigned, by its clock
    size       BIGINT NOT NULL CONSTRAINT log_cosigned_size CHECK (size > 0),
    checkpoint TEXT NOT NULL,
    arrived_at BIGINT NOT NULL, -- when a node had the quorum
    PRIMARY KEY (epoch, quorum_at)
);
CREATE INDEX log_cosigned_by_size ON log_cosigned (epoch, size, quorum_at);
CREATE INDEX log_cosigned_by_age ON log_cosigned (quorum_at);

-- The node that submits checkpoints to the witnesses. It has a single row.
CREATE TABLE log_submitter (
    id         BIGINT PRIMARY KEY CONSTRAINT log_submitter_id CHECK (id = 1),
    holder     TEXT NOT NULL DEFAULT '',
    held_until BIGINT NOT NULL DEFAULT 0, -- another node may take over then
    wanted_at  BIGINT NOT NULL DEFAULT 0  -- when a node last asked for a new quorum
);
INSERT INTO log_submitter (id) VALUES (1);

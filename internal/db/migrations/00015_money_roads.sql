-- What an admin's act brought that no second one approved, for the daily total of each.
CREATE TABLE solo_acts (
    number       AUTO_ID,
    user_id      UUID NOT NULL REFERENCES users (id), -- the admin
    road         TEXT NOT NULL, -- how it brought it: approval.Road
    subject      TEXT NOT NULL, -- as admin_acts has it
    amount_cents BIGINT NOT NULL CONSTRAINT solo_acts_amount_cents CHECK (amount_cents >= 0),
    created_at   BIGINT NOT NULL,
    in_total     BOOLEAN NOT NULL DEFAULT TRUE -- FALSE = from before all roads had one limit
);
CREATE INDEX solo_acts_by_admin ON solo_acts (user_id, created_at);
-- What was done before, for the audit; of replacements and values nobody knew what they bring.
INSERT INTO solo_acts (user_id, road, subject, amount_cents, created_at, in_total)
    SELECT a.user_id, 'credit', a.subject, t.amount_cents, a.created_at, FALSE
    FROM admin_acts a JOIN transfers t ON t.kind = 'admin-credit' AND t.ref = a.id WHERE a.path = '/api/wallet/deposit/manual';
INSERT INTO solo_acts (user_id, road, subject, amount_cents, created_at, in_total)
    SELECT a.user_id, e.act, 'claim ' || c.id, CASE WHEN e.act = 'replace' THEN 0
        ELSE c.shipping_cents + COALESCE((SELECT CAST(SUM(i.refund_cents) AS BIGINT) FROM claim_items i WHERE i.claim_id = c.id), 0) END, e.created_at, FALSE
    FROM claims c JOIN claim_events e ON e.claim_id = c.id AND e.act IN ('refund', 'replace')
        JOIN admin_acts a ON a.act = 'step-claims' AND a.created_at = e.created_at AND CAST(a.user_id AS TEXT) = e.by_whom AND a.path = '/api/admin/redemptions/step';
INSERT INTO solo_acts (user_id, road, subject, amount_cents, created_at, in_total)
    SELECT v.user_id, 'value', 'item ' || v.item_id, 0, v.created_at, FALSE
    FROM valuations v JOIN valuations b ON b.item_id = v.item_id AND b.number = v.number - 1 AND b.value_cents < v.value_cents
    WHERE v.user_id IS NOT NULL;
KEEP solo_acts;

-- What a payment came to, in cents; NULL = it was not kept, as the payment is from before.
ALTER TABLE deposit_payments ADD COLUMN arrived_cents BIGINT CONSTRAINT deposit_payments_arrived_cents CHECK (arrived_cents >= 0);
UPDATE deposit_payments SET arrived_cents = (SELECT CASE WHEN d.exception <> 'under' THEN d.amount_cents
        WHEN deposit_payments.currency = 'USDC' THEN deposit_payments.units / 10000 END FROM deposits d WHERE d.id = deposit_payments.deposit_id)
    WHERE deposit_id NOT IN (SELECT deposit_id FROM deposit_events WHERE state = 'credited');

-- What a deposit brought its user; NULL = nothing yet.
ALTER TABLE deposits ADD COLUMN credited_cents BIGINT CONSTRAINT deposits_credited_cents CHECK (credited_cents > 0 AND credited_cents <= amount_cents);
UPDATE deposits SET credited_cents = amount_cents WHERE id IN (SELECT deposit_id FROM deposit_events WHERE state = 'credited');

-- Whoever runs the server decides by a command, and is no user.
ALTER TABLE approvals RENAME TO approvals_before;
DROP INDEX approvals_waiting;
CREATE TABLE approvals (
    id         UUID PRIMARY KEY,
    kind       TEXT NOT NULL,
    subject    TEXT NOT NULL, -- as admin_acts has it
    payload    TEXT NOT NULL, -- all that the act needs, in JSON
    reason     TEXT NOT NULL,
    asked_by   UUID NOT NULL REFERENCES users (id),
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL CONSTRAINT approvals_expires_at CHECK (expires_at > created_at),
    state      TEXT NOT NULL CONSTRAINT approvals_state CHECK (state IN ('pending', 'approved', 'refused', 'expired')),
    decided_by UUID REFERENCES users (id) CONSTRAINT approvals_decided_by CHECK (decided_by <> asked_by), -- NULL = a command, or nobody in time
    decision   TEXT NOT NULL DEFAULT '', -- why
    decided_at BIGINT,
    CONSTRAINT approvals_decision CHECK ((state = 'pending') = (decided_at IS NULL) AND (state IN ('approved', 'refused') OR decided_by IS NULL))
);
INSERT INTO approvals (id, kind, subject, payload, reason, asked_by, created_at, expires_at, state, decided_by, decision, decided_at)
    SELECT id, kind, subject, payload, reason, asked_by, created_at, expires_at, state, decided_by, decision, decided_at FROM approvals_before;
DROP TABLE approvals_before;
CREATE UNIQUE INDEX approvals_waiting ON approvals (kind, subject) WHERE state = 'pending';

package moderation

import (
	"kaibao/internal/adminlog"
	"kaibao/internal/approval"
	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/gifts"
	"kaibao/internal/inventory"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
)

func insertDebit(tx *db.Tx, id string, d debit, taken money.Cents) error {
	return tx.ExecOne(`INSERT INTO debits (id, user_id, admin_id, approval_id, asked_cents, taken_cents, reason, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`, id, d.user.ID, d.admin, db.ID(d.approval), d.amount, taken, d.reason, db.Micros(tx.Now))
}

// findWrongFreezes finds accounts whose flag differs from their freeze in force. A deleted user's
// account is frozen for good.
func findWrongFreezes(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "an account must be frozen exactly while a freeze is in force", `
		SELECT 'account ' || a.user_id, 'is frozen since ' || a.frozen_at || ', but its freeze in force began at ' || COALESCE(f.frozen_at, 0)
		FROM accounts a JOIN users u ON u.id = a.user_id LEFT JOIN freezes f ON f.user_id = a.user_id AND f.ended_at IS NULL
		WHERE a.frozen_at <> COALESCE(f.frozen_at, u.deleted_at, 0)`)
}

// erased returns an SQL condition: a reason may differ from its original, because the user was
// deleted and their name or address erased from it (adminlog.Erasure).
func erased(reason, user string) string {
	return `(EXISTS (SELECT 1 FROM users u WHERE u.id = ` + user + ` AND u.deleted_at IS NOT NULL
		AND (` + reason + ` LIKE '%` + adminlog.ErasedText + `%' OR ` + reason + ` LIKE '%' || u.id || '%')))`
}

// findUnloggedFreezes finds beginnings and ends of freezes that the admin log doesn't have.
func findUnloggedFreezes(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "each freeze and its end must be in the admin log", `
		SELECT 'freeze ' || f.id, 'began at ' || f.frozen_at || ', ended at ' || COALESCE(f.ended_at, 0)
		FROM freezes f LEFT JOIN (SELECT created_at, reason FROM admin_acts WHERE act = $1) b ON b.created_at = f.frozen_at AND (b.reason = f.reason OR `+erased("b.reason", "f.user_id")+`)
			LEFT JOIN (SELECT created_at FROM admin_acts WHERE act = $2) e ON e.created_at = f.ended_at
		WHERE b.created_at IS NULL OR f.ended_at IS NOT NULL AND e.created_at IS NULL`, freezeID, unfreezeID)
}

// findFrozenOffers finds listings, bids, counter-offers and gifts of frozen accounts.
func findFrozenOffers(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "a frozen account must have no listings, bids, counter-offers or gifts", `
		SELECT 'entry ' || n.id, 'is listed by the frozen account ' || a.user_id
		FROM accounts a JOIN inventory n ON n.user_id = a.user_id WHERE a.frozen_at <> 0 AND n.state = '`+string(inventory.Listed)+`'
		UNION ALL SELECT 'bid ' || b.id, 'is open for the frozen account ' || a.user_id
		FROM accounts a JOIN bids b ON b.user_id = a.user_id WHERE a.frozen_at <> 0 AND b.state = 'open'
		UNION ALL SELECT 'bid ' || b.id, 'has a counter-offer of the frozen account ' || a.user_id
		FROM accounts a JOIN bids b ON b.counter_by = a.user_id WHERE a.frozen_at <> 0 AND b.state = 'open'
		UNION ALL SELECT 'gift ' || g.id, 'waits from the frozen account ' || a.user_id
		FROM accounts a JOIN gifts g ON g.giver_id = a.user_id WHERE a.frozen_at <> 0 AND g.state = $1`, string(gifts.Waiting))
}

// findPointsOfDeleted finds deleted accounts that still have points, which nobody can use.
func findPointsOfDeleted(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "a deleted account must have no points", `
		SELECT 'account ' || a.user_id, 'was deleted at ' || u.deleted_at || ', but has a balance of ' || a.balance_cents || ' and ' || a.in_bids_cents || ' in bids'
		FROM users u JOIN accounts a ON a.user_id = u.id WHERE u.deleted_at IS NOT NULL AND (a.balance_cents <> 0 OR a.in_bids_cents <> 0)`)
}

// findWrongDebits finds debits that differ from their transfers, and transfers without a debit.
func findWrongDebits(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "each debit must match its transfer", `
		SELECT 'debit ' || d.id, 'took ' || d.taken_cents || ' from ' || d.user_id || '; its transfer took ' || COALESCE(t.amount_cents, 0) || ' from ' || COALESCE(t.debit, 'nobody')
		FROM debits d LEFT JOIN transfers t ON t.ref = d.id AND t.kind = $1
		WHERE d.taken_cents <> COALESCE(t.amount_cents, 0) OR t.debit <> CAST(d.user_id AS TEXT) OR t.note <> d.reason OR t.created_at <> d.created_at
		UNION ALL SELECT 'transfer ' || t.id, 'took ' || t.amount_cents || ' from ' || t.debit || ', but there is no debit ' || t.ref
		FROM transfers t LEFT JOIN debits d ON d.id = t.ref WHERE t.kind = $1 AND d.id IS NULL`, ledger.KindDebit)
}

// findUnapprovedDebits finds debits that neither an admin's daily total nor a second admin covers.
func findUnapprovedDebits(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "each debit must be within an admin's daily total or approved by a second admin", `
		SELECT 'debit ' || d.id, 'of ' || d.asked_cents || ' by admin ' || d.admin_id
		FROM debits d LEFT JOIN approvals p ON p.id = d.approval_id
		WHERE CASE WHEN d.approval_id IS NULL
			THEN NOT EXISTS (SELECT 1 FROM solo_acts s WHERE s.user_id = d.admin_id AND s.road = $1 AND s.created_at = d.created_at AND s.amount_cents = d.asked_cents)
			ELSE p.kind <> $2 OR p.state <> 'approved' OR p.asked_by <> d.admin_id OR p.decided_at <> d.created_at OR p.reason <> d.reason AND NOT `+erased("p.reason", "d.user_id")+` END`,
		string(approval.ByDebit), string(approval.Debit))
}

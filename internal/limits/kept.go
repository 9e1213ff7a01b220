package limits

import (
	"crypto/hmac"
	"crypto/sha256"
	"errors"

	"kaibao/internal/db"
	"kaibao/internal/jobs"
	"kaibao/internal/ledger"
)

// AddressKey is the key under which limits of deleted users are kept. It isn't in the database, so
// that a copy of it doesn't tell whose limits they are.
type AddressKey []byte

func (k AddressKey) hash(address string) []byte {
	mac := hmac.New(sha256.New, k)
	mac.Write([]byte(address))
	return mac.Sum(nil)
}

// Jobs returns the job that deletes the limits of deleted users after they have ended.
func Jobs(d *db.DB) []jobs.Job {
	return []jobs.Job{jobs.Pruning(d, "limits of deleted users", deleteEndedKept)}
}

// Keep stores the limits of a user who is being deleted, so that they apply again if the wallet
// returns. It replaces those of an earlier account. The account must be locked.
func Keep(tx *db.Tx, key AddressKey, address string, p ledger.PlayLimits) error {
	p = resetSpans(p, tx.Now)
	ends := keptUntil(p, tx)
	if ends <= db.Micros(tx.Now) {
		return deleteKept(tx, key.hash(address))
	}
	return saveKept(tx, key.hash(address), p, ends)
}

// keptUntil returns when the last of a user's limits and sums ends, in microseconds. Limits and sums
// end with the current week and month. Waiting that long is no way around a limit: it can be removed
// with a notice of a day.
func keptUntil(p ledger.PlayLimits, tx *db.Tx) int64 {
	ends := max(p.TimedOut, p.Excluded)
	for _, s := range spans {
		if p.Lost[s] != 0 || p.Deposited[s] != 0 || p.LossLimits[s] != ledger.NoLimit || p.DepositLimits[s] != ledger.NoLimit {
			ends = max(ends, db.Micros(Week.Ends(tx.Now)), db.Micros(Month.Ends(tx.Now)))
		}
	}
	if p.Opens > 0 {
		ends = max(ends, db.Micros(Day.Ends(tx.Now)))
	}
	return ends
}

// FindKept returns the limits and counters that a new account of a wallet inherits, and whether an
// earlier account of it was deleted while limits or sums applied.
func FindKept(tx *db.Tx, key AddressKey, address string) (p ledger.PlayLimits, kept bool, err error) {
	p, ends, err := findKept(tx, key.hash(address))
	if errors.Is(err, db.ErrNoRow) || err == nil && ends <= db.Micros(tx.Now) {
		return ledger.PlayLimits{}, false, nil
	}
	return resetSpans(p, tx.Now), err == nil, err
}

// RecordInherited records the limits and counters that a new account inherited, for the audit.
func RecordInherited(tx *db.Tx, user string, p ledger.PlayLimits) error {
	if err := insertInherited(tx, user, p); err != nil {
		return err
	}
	return insert(tx, user, restoringActs(p))
}

// restoringActs returns the acts that set the limits of an account as they are.
func restoringActs(p ledger.PlayLimits) (acts []limitAct) {
	for _, b := range limits {
		if most := *limitField(&p, b); most != ledger.NoLimit {
			acts = append(acts, limitAct{bound: b, kind: setAct, value: int64(most)})
		}
	}
	if p.TimedOut != 0 {
		acts = append(acts, limitAct{bound: timeOut, kind: setAct, value: p.TimedOut})
	}
	if p.Excluded != 0 {
		acts = append(acts, limitAct{bound: exclusion, kind: setAct, value: p.Excluded})
	}
	return acts
}

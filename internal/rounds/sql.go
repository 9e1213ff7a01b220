package rounds

import (
	"kaibao/internal/db"
	"kaibao/internal/protocol"
)

func insertRound(tx *db.Tx, chain [32]byte, round uint64, signature protocol.Signature) error {
	_, err := tx.Exec(`INSERT INTO beacon_rounds (chain, round, signature, fetched_at) VALUES ($1, $2, $3, $4) ON CONFLICT (chain, round) DO NOTHING`,
		chain[:], int64(round), signature[:], db.Micros(tx.Now))
	return err
}

// findRound returns the signature of a round, or db.ErrNoRow.
func findRound(tx *db.Tx, chain [32]byte, round uint64) (signature protocol.Signature, err error) {
	stored, err := db.One(tx, db.Column[[]byte], `SELECT signature FROM beacon_rounds WHERE chain = $1 AND round = $2`, chain[:], int64(round))
	copy(signature[:], stored)
	return signature, err
}

// lastRound returns the highest stored round of a chain, or 0.
func lastRound(tx *db.Tx, chain [32]byte) (uint64, error) {
	return db.One(tx, db.Column[uint64], `SELECT COALESCE(MAX(round), 0) FROM beacon_rounds WHERE chain = $1`, chain[:])
}

// initSandbox stores the sandbox's beacon unless it exists. It returns the stored one.
func initSandbox(tx *db.Tx, first sandboxKey) (sandboxKey, error) {
	if _, err := tx.Exec(`INSERT INTO sandbox_beacon (id, period, genesis, seed) VALUES ($1, $2, $3, $4) ON CONFLICT (id) DO NOTHING`,
		first.id, first.Period, first.Genesis, first.seed[:]); err != nil {
		return sandboxKey{}, err
	}
	return findSandbox(tx)
}

// findSandbox returns the sandbox's beacon, or db.ErrNoRow.
func findSandbox(tx *db.Tx) (sandboxKey, error) {
	scan := func(s db.Scanner) (k sandboxKey, err error) {
		var seed []byte
		err = s.Scan(&k.id, &k.Period, &k.Genesis, &seed)
		copy(k.seed[:], seed)
		return k, err
	}
	return db.One(tx, scan, `SELECT id, period, genesis, seed FROM sandbox_beacon`)
}

func readBehavior(tx *db.Tx) (Behavior, error) {
	text, err := db.One(tx, db.Column[string], `SELECT behavior FROM sandbox_beacon`)
	return Behavior(text), err
}

func saveBehavior(tx *db.Tx, b Behavior) error {
	return tx.ExecOne(`UPDATE sandbox_beacon SET behavior = $1`, string(b))
}

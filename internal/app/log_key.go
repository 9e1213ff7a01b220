package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/keyring"
	"kaibao/internal/keys"
	"kaibao/internal/nodes"
	"kaibao/internal/publiclog"
)

// ReplaceLogKey ends the public log and begins the next one with another key, while nodes run. It
// waits until all of them have loaded that key, at most for the given time. If fingerprint is empty,
// it takes the key that no log has used. report is called with what it does. Repeat it after a lost
// connection: if the key had been replaced, it says so.
func ReplaceLogKey(ctx context.Context, s Storage, k Keys, fingerprint string, wait time.Duration, report func(string)) (r publiclog.KeyReplacement, err error) {
	set, d, err := openKeys(ctx, s, k)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	current, next, err := chooseLogKey(ctx, d, set.Log, fingerprint)
	if err != nil {
		return r, err
	}
	if next.Fingerprint == current.Fingerprint {
		err := fmt.Errorf("the log key %s already signs the log, and nothing was changed: to rotate to another one, first run kaibao keys add log", current.Fingerprint)
		return r, errors.Join(err, moveFirst(set.Log, current.Fingerprint)) // a rotation whose result was lost may have left that undone
	}
	lacking := func(tx *db.Tx) ([]nodes.Node, error) {
		live, err := nodes.Live(tx)
		return nodes.Lacking(live, nodes.Key{Kind: string(keys.Log), Fingerprint: next.Fingerprint}), err
	}
	rotation := keyRotation{set: set, db: d, ring: set.Log, report: report}
	if err := rotation.untilLoaded(ctx, next.Fingerprint, wait, func(ctx context.Context) (missing []nodes.Node, err error) {
		return missing, d.Read(ctx, func(tx *db.Tx) error { missing, err = lacking(tx); return err })
	}); err != nil {
		return r, err
	}
	o := publiclog.Options{DB: d, Keys: publiclog.FixedKeys(current.Text, next.Text), CheckpointFile: s.checkpointFile()}
	r, err = publiclog.ReplaceKey(ctx, o, func(tx *db.Tx) error {
		missing, err := lacking(tx)
		if err == nil && len(missing) > 0 {
			err = fmt.Errorf("nothing has changed, because %s started without the key: try again", nodeNames(missing))
		}
		return err
	})
	if err != nil {
		return r, err
	}
	return r, moveFirst(set.Log, next.Fingerprint)
}

// chooseLogKey returns the key that signs the log, and the key for the next log. They are the same if
// there is no other key.
func chooseLogKey(ctx context.Context, d *db.DB, ring *keyring.Ring, wanted string) (current, next keyring.Key, err error) {
	err = d.Read(ctx, func(tx *db.Tx) error {
		uses, err := readLogUses(tx)
		if err != nil {
			return err
		}
		chosen, err := chooseKey(ring, uses, wanted)
		if err != nil {
			return err
		}
		if at, used := uses.RetiredAt(chosen); used {
			return fmt.Errorf("the log key %s was replaced at %s: add a new key (kaibao keys add log)", chosen, at.Format(time.RFC3339))
		}
		next, _ = ring.Find(chosen)
		var found bool
		current, found = ring.Find(uses.Current())
		if !found {
			return ring.Missing(uses.Current())
		}
		return nil
	})
	return current, next, err
}

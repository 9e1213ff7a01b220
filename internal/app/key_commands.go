package app

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/db/sqlite"
	"kaibao/internal/keyring"
	"kaibao/internal/keys"
	"kaibao/internal/nodes"
	"kaibao/internal/opening"
	"kaibao/internal/publiclog"
	"kaibao/internal/redemptions"
)

// openKeys loads the keys and opens the database that they belong to.
func openKeys(ctx context.Context, s Storage, k Keys) (*keyring.Set, *db.DB, error) {
	if err := k.RequirePresent(s.Data); err != nil {
		return nil, nil, err
	}
	set, err := k.loadKeys(s.Data)
	if err != nil {
		return nil, nil, err
	}
	d, err := s.OpenDB(ctx)
	return set, d, err
}

// ListKeys returns the keys of this machine and those that the database needs, and counts the rows
// that use them.
func ListKeys(ctx context.Context, s Storage, k Keys) (states []KeyState, err error) {
	set, d, err := openKeys(ctx, s, k)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	return states, d.Inspect(ctx, func(tx *db.Tx) error {
		live, err := nodes.Live(tx)
		if err != nil {
			return err
		}
		for _, ring := range set.Rings() {
			ofKind, err := readKeyStates(tx, ring, live)
			if err != nil {
				return err
			}
			rows, err := countRows(tx, ring)
			if err != nil {
				return err
			}
			for n := range ofKind {
				ofKind[n].Rows = rows[ofKind[n].Fingerprint]
			}
			states = append(states, ofKind...)
		}
		return nil
	})
}

// UnusedKeys returns the fingerprints of the keys of a kind that nothing has used.
func UnusedKeys(ctx context.Context, s Storage, k Keys, kind keys.Kind) (unused []string, err error) {
	set, d, err := openKeys(ctx, s, k)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	return unused, d.Read(ctx, func(tx *db.Tx) error {
		for _, ring := range set.Rings() {
			if ring.Source().Kind != kind {
				continue
			}
			uses, err := readUses(tx, kind)
			if err != nil {
				return err
			}
			unused = newKeys(ring, uses)
		}
		return nil
	})
}

// AddKey generates a key and appends it to its file, so that it isn't used yet. If the keys come from
// a setting, it returns the key instead.
func AddKey(s Storage, k Keys, kind keys.Kind) (fingerprint string, source keys.Source, key string, err error) {
	source = k.source(s.Data, kind)
	_, err = source.Read()
	if errors.Is(err, fs.ErrNotExist) && kind == keys.Log { // lost: kaibao restore --new-log-key replaces it
		return createKey(source)
	}
	if err != nil {
		return "", source, "", fmt.Errorf("the %s key of this database: %w", kind, err)
	}
	key, err = generateKey(kind)
	if err != nil {
		return "", source, "", err
	}
	fingerprint, err = keys.Fingerprint(kind, key)
	if err != nil || source.Setting != "" {
		return fingerprint, source, key, err
	}
	return fingerprint, source, "", source.Edit(func(all []string) []string { return append(all, key) })
}

// createKey generates a key in a file that doesn't exist.
func createKey(source keys.Source) (fingerprint string, _ keys.Source, key string, err error) {
	text, err := generateKey(source.Kind)
	if err != nil {
		return "", source, "", err
	}
	fingerprint, err = keys.Fingerprint(source.Kind, text)
	return fingerprint, source, "", errors.Join(err, keys.Create(source.Path, text))
}

// RemovedKey is a key that was removed from its file.
type RemovedKey struct {
	KeyState
	NeededUntil time.Time // by backups; zero if none needs it
}

// RemoveKey removes a key from its file if nothing uses it. Backups are kept for backupDays.
func RemoveKey(ctx context.Context, s Storage, k Keys, fingerprint string, backupDays int64) (removed RemovedKey, err error) {
	set, d, err := openKeys(ctx, s, k)
	if err != nil {
		return removed, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	for _, ring := range set.Rings() {
		if _, ok := ring.Find(fingerprint); !ok {
			continue
		}
		return removeKey(ctx, d, ring, fingerprint, backupDays)
	}
	return removed, fmt.Errorf("no key here has the fingerprint %s: see kaibao keys", fingerprint)
}

func removeKey(ctx context.Context, d *db.DB, ring *keyring.Ring, fingerprint string, backupDays int64) (removed RemovedKey, err error) {
	key, _ := ring.Find(fingerprint)
	// The lock keeps a rotation from beginning to use the key.
	return removed, d.InTx(ctx, func(tx *db.Tx) error {
		if err := nodes.Lock(tx); err != nil {
			return err
		}
		states, err := readKeyStates(tx, ring, nil)
		if err != nil {
			return err
		}
		removed.KeyState = states[slices.IndexFunc(states, func(s KeyState) bool { return s.Fingerprint == fingerprint })]
		switch removed.Role {
		case CurrentKey:
			return fmt.Errorf("the %s key %s is in use: first rotate to another one", removed.Kind, fingerprint)
		case ReplacedKey:
			return fmt.Errorf("rows are still encrypted with the %s key %s: first run kaibao keys rotate %s", removed.Kind, fingerprint, removed.Kind)
		case RetiredKey:
			if until := removed.replayedUntil(); tx.Now.Before(until) {
				return fmt.Errorf("the log key %s signs the receipts of repeated requests until %s: remove it then", fingerprint, until.Format(time.RFC3339))
			}
			removed.NeededUntil = removed.RetiredAt.AddDate(0, 0, int(backupDays))
		}
		return ring.Source().Edit(func(all []string) []string {
			return slices.DeleteFunc(all, func(text string) bool { return text == key.Text })
		})
	})
}

// Rotation is the result of RotateKeys.
type Rotation struct {
	Key      string // the fingerprint of the key that encrypts now
	Resealed int64  // rows that were encrypted with it
	Retired  []string
	At       time.Time
}

// RotateKeys makes a new seed or address key encrypt everything, while nodes keep running. It waits
// until all of them have loaded the key, at most for the given time. It can be repeated at any point.
// If fingerprint is empty, it takes the key that isn't used yet. report is called with what it does.
func RotateKeys(ctx context.Context, s Storage, k Keys, kind keys.Kind, fingerprint string, wait time.Duration, report func(string)) (r Rotation, err error) {
	set, d, err := openKeys(ctx, s, k)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	rotation := keyRotation{set: set, db: d, ring: set.Seeds, report: report}
	if kind == keys.Address {
		rotation.ring = set.Addresses
	}
	r.Key, err = rotation.choose(ctx, fingerprint)
	if err != nil {
		return r, err
	}
	if err := rotation.promote(ctx, r.Key, wait); err != nil {
		return r, err
	}
	r.Resealed, err = rotation.resealAll(ctx)
	if err != nil {
		return r, err
	}
	err = d.InTx(ctx, func(tx *db.Tx) (err error) {
		r.Retired, err = keyring.Retire(tx, kind)
		r.At = tx.Now
		return err
	})
	if err != nil {
		return r, err
	}
	return r, moveFirst(rotation.ring, r.Key)
}

// moveFirst makes a key the first one of its file, because a restored database begins with the
// first. A setting stays as it is.
func moveFirst(ring *keyring.Ring, fingerprint string) error {
	key, ok := ring.Find(fingerprint)
	if !ok || ring.Source().Setting != "" {
		return nil
	}
	err := ring.Source().Edit(func(all []string) []string {
		others := slices.DeleteFunc(all, func(text string) bool { return text == key.Text })
		return append([]string{key.Text}, others...)
	})
	if err != nil {
		return fmt.Errorf("the key %s is in use now, but couldn't be moved to the front of %s: move it there by hand, because a restored database begins with the first key: %w", fingerprint, ring.Source(), err)
	}
	return nil
}

// keyRotation is a rotation of one kind of keys.
type keyRotation struct {
	set    *keyring.Set
	ring   *keyring.Ring
	db     *db.DB
	report func(string)
}

// choose returns the key to rotate to: that of an unfinished rotation, or else the new one. Without a
// new one, it returns the current key.
func (r keyRotation) choose(ctx context.Context, fingerprint string) (chosen string, err error) {
	return chosen, r.db.Read(ctx, func(tx *db.Tx) error {
		if err := r.set.Check(tx); err != nil {
			return err
		}
		uses, err := keyring.ReadUses(tx, r.ring.Source().Kind)
		if err != nil {
			return err
		}
		chosen, err = chooseKey(r.ring, uses, fingerprint)
		return err
	})
}

func chooseKey(ring *keyring.Ring, uses keyring.Uses, wanted string) (string, error) {
	kind := ring.Source().Kind
	if len(uses.InUse) == 0 {
		return "", errors.New("no server has used this database yet: start one first")
	}
	if len(uses.InUse) > 1 && (wanted == "" || wanted == uses.Current()) {
		return uses.Current(), nil
	}
	if len(uses.InUse) > 1 {
		return "", fmt.Errorf("the rotation to the %s key %s isn't complete: first run kaibao keys rotate %s", kind, uses.Current(), kind)
	}
	if wanted != "" {
		if _, ok := ring.Find(wanted); !ok {
			return "", fmt.Errorf("%s has no %s key %s: see kaibao keys", ring.Source(), kind, wanted)
		}
		return wanted, nil
	}
	switch fresh := newKeys(ring, uses); len(fresh) {
	case 0:
		return uses.Current(), nil
	case 1:
		return fresh[0], nil
	default:
		return "", fmt.Errorf("%s has several new %s keys: say which (kaibao keys rotate %s %s), or remove one", ring.Source(), kind, kind, fresh[0])
	}
}

// newKeys returns the fingerprints of a ring's keys that nothing has used.
func newKeys(ring *keyring.Ring, uses keyring.Uses) (fresh []string) {
	for _, k := range ring.Keys() {
		if _, retired := uses.RetiredAt(k.Fingerprint); !retired && !slices.Contains(uses.InUse, k.Fingerprint) {
			fresh = append(fresh, k.Fingerprint)
		}
	}
	return fresh
}

// promoteEvery is the pause between two looks at which nodes lack a key.
const promoteEvery = 300 * time.Millisecond

// promote makes a key encrypt everything from now on, as soon as all running nodes have loaded it.
func (r keyRotation) promote(ctx context.Context, fingerprint string, wait time.Duration) error {
	return r.untilLoaded(ctx, fingerprint, wait, func(ctx context.Context) (lacking []nodes.Node, err error) {
		return lacking, r.db.InTx(ctx, func(tx *db.Tx) (err error) {
			lacking, err = r.promoteOnce(tx, fingerprint)
			return err
		})
	})
}

// untilLoaded calls try until no running node lacks the key, at most for the given time.
func (r keyRotation) untilLoaded(ctx context.Context, fingerprint string, wait time.Duration, try func(context.Context) (lacking []nodes.Node, err error)) error {
	ctx, cancel := context.WithTimeout(ctx, max(wait, promoteEvery))
	defer cancel()
	pause := time.NewTicker(promoteEvery)
	defer pause.Stop()
	kind, reported := r.ring.Source().Kind, ""
	for {
		lacking, err := try(context.WithoutCancel(ctx))
		busy := apperr.IsCode(err, apperr.Unavailable)
		if err != nil && !busy || err == nil && len(lacking) == 0 {
			return err
		}
		if names := nodeNames(lacking); !busy && names != reported {
			r.report(fmt.Sprintf("waiting until the %s key %s is loaded by %s", kind, fingerprint, names))
			reported = names
		}
		select {
		case <-pause.C:
		case <-ctx.Done():
			if busy {
				return err
			}
			return fmt.Errorf("nothing has changed, because the %s key %s isn't loaded by %s: add it to their %s.key, or to %s and restart them; then try again",
				kind, fingerprint, reported, kind, r.ring.Source().Variable())
		}
	}
}

func (r keyRotation) promoteOnce(tx *db.Tx, fingerprint string) ([]nodes.Node, error) {
	if r.ring != r.set.Seeds {
		return keyring.Promote(tx, r.ring.Source().Kind, fingerprint)
	}
	kept, err := keptLimitsKey(tx, r.ring)
	if err != nil {
		return nil, err
	}
	lacking, err := keyring.Promote(tx, keys.Seed, fingerprint)
	if err != nil || len(lacking) > 0 {
		return lacking, err
	}
	return nil, storeKeptLimitsKey(tx, kept, r.ring, fingerprint)
}

// storeKeptLimitsKey stores the key of kept limits, encrypted with a seed key.
func storeKeptLimitsKey(tx *db.Tx, kept []byte, seeds *keyring.Ring, fingerprint string) error {
	key, ok := seeds.Find(fingerprint)
	if !ok {
		return seeds.Unavailable(fingerprint)
	}
	return db.SetSetting(tx, keptLimitsSetting, hex.EncodeToString(key.Seal(kept, []byte(keptLimitsPurpose))))
}

// maxStalledRounds is how many rounds in a row may encrypt nothing, because others are changing the
// rows that are left.
const maxStalledRounds = 100

// resealAll encrypts all rows with a key that already encrypts new ones, until none is left.
func (r keyRotation) resealAll(ctx context.Context) (total int64, err error) {
	pause := time.NewTicker(promoteEvery)
	defer pause.Stop()
	for stalled := 0; stalled < maxStalledRounds; {
		found, resealed, err := r.reseal(ctx)
		total += resealed
		if err != nil || found == 0 {
			return total, err
		}
		if resealed > 0 {
			stalled = 0
			continue
		}
		stalled++
		select {
		case <-pause.C:
		case <-ctx.Done():
			return total, ctx.Err()
		}
	}
	return total, fmt.Errorf("some rows are still encrypted with an older %s key, because others are changing them: try again", r.ring.Source().Kind)
}

// reseal encrypts rows again. It returns how many used another key and how many it encrypted.
func (r keyRotation) reseal(ctx context.Context) (found, resealed int64, err error) {
	if r.ring == r.set.Seeds {
		return opening.Reseal(ctx, r.db, r.ring)
	}
	resealed, err = redemptions.Reseal(ctx, r.db, r.ring)
	if err != nil {
		return 0, resealed, err
	}
	found = resealed
	return found, resealed, r.db.Read(ctx, func(tx *db.Tx) error {
		key, err := r.ring.QueueSealing(tx)()
		if err != nil {
			return err
		}
		count, err := redemptions.CountAddresses(tx)
		for used, rows := range count {
			if used != key.Fingerprint {
				found += rows
			}
		}
		return err
	})
}

// SeedReplacement is the result of ReplaceSeeds.
type SeedReplacement struct {
	publiclog.NewEpoch
	Key     string // the fingerprint of the seed key that encrypts now
	Retired []string
}

// ReplaceSeeds replaces all unused seeds after a theft of the seed key, and encrypts the new ones
// with a key that hasn't been used. Its log continues under a new origin. All nodes must be stopped.
func ReplaceSeeds(ctx context.Context, s Storage, k Keys) (r SeedReplacement, err error) {
	ctx, end := context.WithTimeout(ctx, renewTime)
	defer end()
	if s.DatabaseURL == "" {
		if err := sqlite.NotInUse(ctx, s.Data); err != nil {
			return r, err
		}
	}
	set, d, err := openKeys(ctx, s, k)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	if err := waitUntilStopped(ctx, d); err != nil {
		return r, err
	}
	o := publiclog.Options{DB: d, Keys: set.Log.Source().Read, CheckpointFile: s.checkpointFile()}
	tree, epoch, err := publiclog.StartEpoch(ctx, o, publiclog.EpochStart{Begin: func(tx *db.Tx, origin string) error {
		if err := set.Check(tx); err != nil {
			return err
		}
		key, err := unusedSeedKey(tx, set.Seeds)
		if err != nil {
			return err
		}
		r.Retired, err = replaceSeeds(tx, set.Seeds, key, origin)
		return err
	}})
	if err != nil {
		return r, err
	}
	r.NewEpoch = epoch
	if err := tree.Sequence(ctx); err != nil {
		return r, err
	}
	err = d.Read(ctx, func(tx *db.Tx) error {
		uses, err := keyring.ReadUses(tx, keys.Seed)
		r.Key = uses.Current()
		return err
	})
	if err != nil {
		return r, err
	}
	return r, moveFirst(set.Seeds, r.Key)
}

// requireStopped fails if nodes run.
func requireStopped(tx *db.Tx) error {
	live, err := nodes.Live(tx)
	if err == nil && len(live) > 0 {
		err = fmt.Errorf("first stop %s; a node that crashed counts as running for %s", nodeNames(live), nodes.LiveFor)
	}
	return err
}

// unusedSeedKey returns a seed key that nothing has used. It adds one to the file if there is none.
func unusedSeedKey(tx *db.Tx, seeds *keyring.Ring) (key keyring.Key, err error) {
	uses, err := keyring.ReadUses(tx, keys.Seed)
	if err != nil {
		return key, err
	}
	if fresh := newKeys(seeds, uses); len(fresh) > 0 {
		key, _ = seeds.Find(fresh[0])
		return key, nil
	}
	source := seeds.Source()
	if source.Setting != "" {
		return key, fmt.Errorf("%s has no new key: add one (64 hex digits, such as those of kaibao keys add seed)", source.Variable())
	}
	text, err := generateKey(keys.Seed)
	if err != nil {
		return key, err
	}
	if err := source.Edit(func(all []string) []string { return append(all, text) }); err != nil {
		return key, err
	}
	if err := seeds.Reload(); err != nil {
		return key, err
	}
	key, _ = seeds.Find(seeds.Keys()[len(seeds.Keys())-1].Fingerprint)
	return key, nil
}

// replaceSeeds replaces all unused seeds by new ones under a new origin of the log, encrypted with
// the key. It returns the keys that nothing uses any more.
func replaceSeeds(tx *db.Tx, seeds *keyring.Ring, key keyring.Key, origin string) (retired []string, err error) {
	kept, err := keptLimitsKey(tx, seeds)
	if err != nil {
		return nil, err
	}
	retired, err = keyring.Replace(tx, keys.Seed, key.Fingerprint)
	if err != nil {
		return nil, err
	}
	return retired, errors.Join(storeKeptLimitsKey(tx, kept, seeds, key.Fingerprint), opening.Reseed(tx, key, origin))
}

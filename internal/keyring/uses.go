package keyring

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/keys"
	"kaibao/internal/nodes"
)

// Uses are the fingerprints of a kind's keys: those in use and those that were. Seed and address keys
// encrypt rows; log keys sign the log.
type Uses struct {
	InUse   []string // the first encrypts or signs; rows may still be encrypted with the others
	Retired []Retired
}

// Retired is a key that nothing has been encrypted or signed with since a time. Backups from before need
// it.
type Retired struct {
	Fingerprint string
	At          time.Time
}

// Current returns the fingerprint of the key that encrypts, or "" in a database without keys.
func (u Uses) Current() string {
	if len(u.InUse) == 0 {
		return ""
	}
	return u.InUse[0]
}

// RetiredAt returns when a key was retired.
func (u Uses) RetiredAt(fingerprint string) (at time.Time, ok bool) {
	for _, r := range u.Retired {
		if r.Fingerprint == fingerprint {
			return r.At, true
		}
	}
	return at, false
}

// ReadUses returns the keys in use, none in a database that no server has opened.
func ReadUses(tx *db.Tx, kind keys.Kind) (Uses, error) {
	u, err := queueUses(tx, kind)()
	if errors.Is(err, db.ErrNoRow) {
		return u, nil
	}
	return u, err
}

// Initialize records that a database begins with the ring's first key, unless it already has keys.
// others are further fingerprints that rows are already encrypted with. The ring's other keys count
// as retired.
func (r *Ring) Initialize(tx *db.Tx, others ...string) error {
	u := Uses{InUse: []string{r.First().Fingerprint}}
	for _, fingerprint := range others {
		if !slices.Contains(u.InUse, fingerprint) {
			u.InUse = append(u.InUse, fingerprint)
		}
	}
	r.retireUnused(&u, tx.Now)
	return insertUses(tx, r.source.Kind, u)
}

// ResetAfterRestore makes the ring's first key encrypt from the commit on, while no node runs, and counts
// unused keys as retired. It is for restored databases, which don't know what happened since the
// backup.
func (r *Ring) ResetAfterRestore(tx *db.Tx) error {
	return change(tx, r.source.Kind, func(u *Uses) {
		u.InUse = putFirst(u.InUse, r.First().Fingerprint)
		r.retireUnused(u, tx.Now)
	})
}

// retireUnused retires the ring's keys that aren't in use: the first of a file is the current one,
// so the others are older.
func (r *Ring) retireUnused(u *Uses, at time.Time) {
	for _, k := range r.Keys() {
		if _, retired := u.RetiredAt(k.Fingerprint); !retired && !slices.Contains(u.InUse, k.Fingerprint) {
			u.Retired = append(u.Retired, Retired{k.Fingerprint, at})
		}
	}
}

// Promote makes a key encrypt from the commit on, if every running node has loaded it. Otherwise it
// changes nothing and returns the nodes that lack it. The rows of older keys are still to be
// encrypted with the new one; then call Retire.
func Promote(tx *db.Tx, kind keys.Kind, fingerprint string) (lacking []nodes.Node, err error) {
	if err := nodes.Lock(tx); err != nil {
		return nil, err
	}
	uses, err := ReadUses(tx, kind)
	if err != nil {
		return nil, err
	}
	if at, ok := uses.RetiredAt(fingerprint); ok {
		return nil, fmt.Errorf("the %s key %s was retired at %s: add a new key (kaibao keys add %s)", kind, fingerprint, at.Format(time.RFC3339), kind)
	}
	live, err := nodes.Live(tx)
	if err != nil {
		return nil, err
	}
	if lacking := nodes.Lacking(live, nodes.Key{Kind: string(kind), Fingerprint: fingerprint}); len(lacking) > 0 {
		return lacking, nil
	}
	return nil, prefer(tx, kind, fingerprint)
}

// Retire records that rows are encrypted only with the key that encrypts, and returns the others.
// Call it after all rows have been encrypted with it.
func Retire(tx *db.Tx, kind keys.Kind) (retired []string, err error) {
	return retired, change(tx, kind, func(u *Uses) {
		retired = u.InUse[1:]
		for _, fingerprint := range retired {
			u.Retired = append(u.Retired, Retired{fingerprint, tx.Now})
		}
		u.InUse = u.InUse[:1]
	})
}

// prefer makes a key encrypt from the commit on.
func prefer(tx *db.Tx, kind keys.Kind, fingerprint string) error {
	return change(tx, kind, func(u *Uses) { u.InUse = putFirst(u.InUse, fingerprint) })
}

// Replace records that all rows have been replaced by rows encrypted with a key, while no node runs.
// It returns the other keys.
func Replace(tx *db.Tx, kind keys.Kind, fingerprint string) (retired []string, err error) {
	if err := prefer(tx, kind, fingerprint); err != nil {
		return nil, err
	}
	return Retire(tx, kind)
}

// putFirst returns the fingerprints with one of them, or another one, at the front.
func putFirst(all []string, fingerprint string) []string {
	others := slices.DeleteFunc(slices.Clone(all), func(f string) bool { return f == fingerprint })
	return append([]string{fingerprint}, others...)
}

// usesLock is the advisory lock that transactions share while they insert encrypted rows. A row lock
// would never be free while users sign up all the time.
const usesLock = "key uses"

// change changes the keys in use. It waits for transactions that called Ring.Sealing.
func change(tx *db.Tx, kind keys.Kind, edit func(*Uses)) error {
	if err := tx.AdvisoryLock(usesLock); err != nil {
		return err
	}
	u, err := lockUses(tx, kind)
	if err != nil {
		return err
	}
	edit(&u)
	u.Retired = slices.DeleteFunc(u.Retired, func(r Retired) bool { return slices.Contains(u.InUse, r.Fingerprint) })
	return updateUses(tx, kind, u)
}

// retiredText returns retired keys as they are stored.
func retiredText(all []Retired) string {
	texts := make([]string, len(all))
	for n, r := range all {
		texts[n] = r.Fingerprint + "@" + strconv.FormatInt(db.Micros(r.At), 10)
	}
	return strings.Join(texts, " ")
}

func parseRetired(text string) (all []Retired, err error) {
	for field := range strings.FieldsSeq(text) {
		fingerprint, at, _ := strings.Cut(field, "@")
		micros, err := strconv.ParseInt(at, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("retired keys %q: %w", text, err)
		}
		all = append(all, Retired{fingerprint, db.Time(micros)})
	}
	return all, nil
}

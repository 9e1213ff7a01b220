package keyring

import (
	"errors"
	"sync/atomic"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/keys"
	"kaibao/internal/nodes"
)

// Set holds all keys of a node.
type Set struct {
	Log, Seeds, Addresses *Ring

	// LogInUse returns the fingerprints of the log keys that the node needs.
	LogInUse func(tx *db.Tx) ([]string, error)

	missing atomic.Pointer[error] // why the node isn't ready, as of the last Refresh
}

// Rings returns the rings of all kinds.
func (s *Set) Rings() []*Ring { return []*Ring{s.Log, s.Seeds, s.Addresses} }

// Check fails if a key that seeds or addresses may be encrypted with is missing.
func (s *Set) Check(tx *db.Tx) error {
	return errors.Join(s.Seeds.Check(tx), s.Addresses.Check(tx))
}

// Refresh reads changed key files and returns the loaded keys. It fails if a file is unusable or a
// key in use is missing; then it returns the loaded keys as well. Call it with nodes.Lock held.
func (s *Set) Refresh(tx *db.Tx) ([]nodes.Key, error) {
	var all []nodes.Key
	var unusable, missing []error
	for _, r := range s.Rings() {
		inUse, err := s.inUse(tx, r)
		if err != nil {
			return nil, err
		}
		loaded, err := r.reload(tx, inUse)
		lacks := r.checkAll(loaded, inUse)
		if lacks == nil {
			unusable = append(unusable, err)
		}
		missing = append(missing, lacks)
		for _, k := range loaded {
			all = append(all, nodes.Key{Kind: string(r.source.Kind), Fingerprint: k.Fingerprint})
		}
	}
	lacks := errors.Join(missing...)
	s.missing.Store(&lacks)
	return all, errors.Join(append(unusable, lacks)...)
}

func (s *Set) inUse(tx *db.Tx, r *Ring) ([]string, error) {
	if r.source.Kind == keys.Log {
		return s.LogInUse(tx)
	}
	u, err := ReadUses(tx, r.source.Kind)
	return u.InUse, err
}

// Ready returns nil if the node had all keys in use at the last Refresh.
func (s *Set) Ready() error {
	if missing := s.missing.Load(); missing != nil && *missing != nil {
		return apperr.New(apperr.Unavailable, "This node lacks a key.").Because(*missing)
	}
	return nil
}

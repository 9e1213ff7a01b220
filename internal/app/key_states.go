package app

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/idempotency"
	"kaibao/internal/keyring"
	"kaibao/internal/keys"
	"kaibao/internal/nodes"
	"kaibao/internal/opening"
	"kaibao/internal/redemptions"
)

// KeyRole is how a key is used.
type KeyRole string

// The roles of keys.
const (
	CurrentKey  KeyRole = "current"  // encrypts or signs
	ReplacedKey KeyRole = "replaced" // rows are still encrypted with it, and a rotation replaces it
	NewKey      KeyRole = "new"      // not used yet
	RetiredKey  KeyRole = "retired"  // only backups need it
)

// KeyState is a key, and how it is used.
type KeyState struct {
	Kind        keys.Kind
	Fingerprint string
	Place       string // its file or setting on this machine; empty if it is missing
	Role        KeyRole
	RetiredAt   time.Time    // of a RetiredKey
	Rows        int64        // encrypted with it; counted only on request
	Lacking     []nodes.Node // running nodes that haven't loaded it

	source      keys.Source
	running     int    // nodes
	lost        string // the missing key that signs the log, for a new log key
	maybeSigned bool   // a new log key that may have signed the log after a backup that was restored
}

// LostLogKey says how to begin a log with another key.
const LostLogKey = "if it is lost for good, stop all nodes, then run kaibao keys add log and kaibao restore --new-log-key"

// Next says what to do about the key, or is empty.
func (s KeyState) Next() string {
	switch {
	case s.Place == "" && s.Kind == keys.Log:
		return fmt.Sprintf("restore it to %s; %s", s.source, LostLogKey)
	case s.Place == "":
		return fmt.Sprintf("restore it to %s", s.source)
	case s.Role == ReplacedKey:
		return fmt.Sprintf("complete the rotation: kaibao keys rotate %s", s.Kind)
	case s.Role == RetiredKey && s.Kind == keys.Log:
		return fmt.Sprintf("signs receipts of older pulls; from %s on: %s", s.replayedUntil().Format(time.DateOnly), s.removal())
	case s.Role == RetiredKey:
		return "not used any more: " + s.removal()
	case s.Role == NewKey && s.lost != "":
		return fmt.Sprintf("if %s is lost for good, stop all nodes, then run kaibao restore --new-log-key", s.lost)
	case s.maybeSigned:
		return fmt.Sprintf("if it signed the log after the backup that was restored: %s; otherwise: kaibao keys rotate log", s.removal())
	case len(s.Lacking) > 0:
		return fmt.Sprintf("give it to %s", nodeNames(s.Lacking))
	case s.Role == NewKey && s.running > 0:
		return fmt.Sprintf("all running nodes have it: kaibao keys rotate %s", s.Kind)
	case s.Role == NewKey:
		return fmt.Sprintf("no node runs; give it to all nodes, then: kaibao keys rotate %s", s.Kind)
	}
	return ""
}

// missingFile returns the error for a missing key file in a data directory.
func missingFile(source keys.Source, dir string) error {
	text := fmt.Sprintf("first put the %s of this database into %s", filepath.Base(source.Path), dir)
	if source.Kind == keys.Log {
		text += "; " + LostLogKey
	}
	return errors.New(text)
}

// removal says how to remove the key.
func (s KeyState) removal() string {
	if s.source.Setting != "" {
		return fmt.Sprintf("remove it from %s on every node, and restart them one by one", s.source.Variable())
	}
	return "kaibao keys remove " + s.Fingerprint
}

// Due reports whether it is time to do what Next says.
func (s KeyState) Due(now time.Time) bool { return s.Next() != "" && !now.Before(s.replayedUntil()) }

// replayedUntil returns until when repeated requests may be answered with receipts signed by a retired
// log key. For other keys it is zero.
func (s KeyState) replayedUntil() time.Time {
	if s.Kind != keys.Log || s.Role != RetiredKey {
		return time.Time{}
	}
	return s.RetiredAt.Add(idempotency.KeyLifetime)
}

// nodeNames lists nodes for operators.
func nodeNames(all []nodes.Node) string {
	names := make([]string, len(all))
	for n, node := range all {
		names[n] = node.String()
	}
	return strings.Join(names, ", ")
}

// readUses returns the keys of a kind that the database uses or used.
func readUses(tx *db.Tx, kind keys.Kind) (keyring.Uses, error) {
	if kind == keys.Log {
		return readLogUses(tx)
	}
	return keyring.ReadUses(tx, kind)
}

// readKeyStates returns the states of a ring's keys and of those that it lacks.
func readKeyStates(tx *db.Tx, ring *keyring.Ring, live []nodes.Node) (states []KeyState, err error) {
	source := ring.Source()
	uses, err := readUses(tx, source.Kind)
	if err != nil {
		return nil, err
	}
	add := func(fingerprint, place string) {
		s := KeyState{Kind: source.Kind, Fingerprint: fingerprint, Place: place, Role: NewKey, source: source, running: len(live)}
		at, retired := uses.RetiredAt(fingerprint)
		switch n := slices.Index(uses.InUse, fingerprint); {
		case n == 0:
			s.Role = CurrentKey
		case n > 0:
			s.Role = ReplacedKey
		case retired:
			s.Role, s.RetiredAt = RetiredKey, at
		}
		if s.Role != RetiredKey {
			s.Lacking = nodes.Lacking(live, nodes.Key{Kind: string(source.Kind), Fingerprint: fingerprint})
		}
		states = append(states, s)
	}
	for _, k := range ring.Keys() {
		add(k.Fingerprint, source.String())
	}
	for _, fingerprint := range uses.InUse {
		if _, ok := ring.Find(fingerprint); !ok {
			add(fingerprint, "")
		}
	}
	if source.Kind == keys.Log {
		markNewLogKeys(states, uses.Current())
	}
	order := []KeyRole{CurrentKey, ReplacedKey, NewKey, RetiredKey}
	slices.SortStableFunc(states, func(a, b KeyState) int {
		return cmp.Or(cmp.Compare(slices.Index(order, a.Role), slices.Index(order, b.Role)), b.RetiredAt.Compare(a.RetiredAt))
	})
	return states, nil
}

// markNewLogKeys marks new log keys for which a rotation isn't the next step: those that replace a
// missing key, and those before the key that signs the log. A rotation moves the key that signs to the
// front, so the database is from a backup made before that, unless the operator chose that order.
func markNewLogKeys(states []KeyState, current string) {
	signs := slices.IndexFunc(states, func(s KeyState) bool { return s.Fingerprint == current })
	if signs < 0 {
		return
	}
	for n := range states {
		if s := &states[n]; s.Role == NewKey && states[signs].Place == "" {
			s.lost = current
		} else if s.Role == NewKey {
			s.maybeSigned = n < signs
		}
	}
}

// countRows returns how many rows are encrypted with each of a ring's keys, by fingerprint. Rows
// that none can decrypt count for "".
func countRows(tx *db.Tx, ring *keyring.Ring) (map[string]int64, error) {
	switch ring.Source().Kind {
	case keys.Seed:
		return opening.CountSeeds(tx, ring)
	case keys.Address:
		return redemptions.CountAddresses(tx)
	}
	return map[string]int64{}, nil
}

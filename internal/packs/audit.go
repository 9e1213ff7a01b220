package packs

import (
	"fmt"

	"kaibao/internal/audit"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/protocol"
	"kaibao/internal/publiclog"
)

// Audit checks that every manifest matches its hash, that the publications match the log, that each
// pack has the supply announced last, that a card of finite stock is in only one pack, that no
// card's quote value exceeds its value in a usable manifest, and that no admin raised values alone
// beyond their limit.
func Audit(tx *db.Tx) ([]audit.Breach, error) {
	found, err := audit.Collect(tx, auditManifests)
	if err != nil {
		return nil, err
	}
	checks := []audit.Check{auditPublications, auditSupplies, auditValueRaises, auditWaitingRestocks, auditWaitingValues}
	if len(found) == 0 { // the other checks need readable manifests
		checks = append(checks, auditFiniteCards, auditQuoteValues)
	}
	more, err := audit.Collect(tx, checks...)
	return append(found, more...), err
}

// auditFiniteCards compares each pair of manifests in force or announced.
func auditFiniteCards(tx *db.Tx) (found []audit.Breach, err error) {
	all, err := new(Service).usableManifests(tx, tx.Now)
	for _, a := range all {
		if !a.Finite() {
			continue
		}
		for _, b := range all {
			if a.packID == b.packID || (b.Finite() && b.packID < a.packID) {
				continue
			}
			if card := protocol.SharedFinite(a.Manifest, b.Manifest); card != "" {
				found = append(found, audit.Breach{Rule: "a card with limited stock must be in one pack only", Row: "card " + card,
					Detail: fmt.Sprintf("is in pack %s and in pack %s", a.packID, b.packID)})
			}
		}
	}
	return found, err
}

// auditQuoteValues finds raised values that count for quotes while the old value can still be
// drawn.
func auditQuoteValues(tx *db.Tx) (found []audit.Breach, err error) {
	all, err := new(Service).usableManifests(tx, tx.Now)
	for _, m := range all {
		values, err := catalogue.QuoteValues(tx, m.Cards())
		if err != nil {
			return nil, err
		}
		for _, tier := range m.Tiers {
			for _, card := range tier.Cards {
				if values[card.ID] > card.Value {
					found = append(found, audit.Breach{Rule: "no card's quote value may exceed its value in a usable manifest", Row: "item " + card.ID,
						Detail: fmt.Sprintf("quote value is %d, but pack %[3]s still draws it at %[2]d", values[card.ID], card.Value, m.packID)})
				}
			}
		}
	}
	return found, err
}

func auditManifests(tx *db.Tx) (found []audit.Breach, err error) {
	err = eachManifest(tx, func(s storedManifest) error {
		row, fault := fmt.Sprintf("manifest %x", s.hash), ""
		m, err := protocol.ParseManifest([]byte(s.body))
		switch sum := protocol.Hash([]byte(s.body)); {
		case string(sum[:]) != string(s.hash):
			fault = fmt.Sprintf("its text has another hash: %x", sum)
		case err != nil:
			fault = err.Error()
		case m.Pack != s.packID:
			fault = "its text is of pack " + m.Pack + ", but it is stored for pack " + s.packID
		}
		if fault != "" {
			found = append(found, audit.Breach{Rule: "each stored manifest must match its hash and pack", Row: row, Detail: fault})
		}
		return nil
	})
	return found, err
}

// auditPublications compares each pack's publications with its leaves one by one.
func auditPublications(tx *db.Tx) (found []audit.Breach, err error) {
	leaves, err := publiclog.AllLeaves[protocol.ManifestLeaf](tx)
	if err != nil {
		return nil, err
	}
	announced := map[string][]protocol.ManifestLeaf{}
	for _, leaf := range leaves {
		announced[leaf.Pack] = append(announced[leaf.Pack], leaf)
	}
	publications, err := allPublications(tx)
	if err != nil {
		return nil, err
	}
	off := func(pack string, number int64, detail string) {
		found = append(found, audit.Breach{Rule: "each publication must match its leaf in the log", Row: fmt.Sprintf("publication %d of pack %s", number, pack), Detail: detail})
	}
	numbers := map[string]int64{}
	for _, p := range publications {
		numbers[p.packID]++
		number := numbers[p.packID]
		switch left := announced[p.packID]; {
		case p.number != number:
			off(p.packID, p.number, fmt.Sprintf("is number %d of its pack", number))
		case len(left) == 0:
			off(p.packID, number, "has no leaf in the log")
		case !p.matchesLeaf(left[0]):
			off(p.packID, number, fmt.Sprintf("differs from its leaf, which announces %x with supply %d at %s, in force from %s", left[0].Manifest, left[0].Supply, left[0].Time, left[0].Effective))
		}
		announced[p.packID] = announced[p.packID][min(1, len(announced[p.packID])):]
	}
	for pack, left := range announced {
		if len(left) > 0 {
			off(pack, numbers[pack]+1, "is in the log, but has no row")
		}
	}
	return found, nil
}

// matchesLeaf reports whether the leaf announces the publication. A leaf's times have millisecond
// precision.
func (p publication) matchesLeaf(leaf protocol.ManifestLeaf) bool {
	return leaf.Manifest == p.hash && leaf.Supply == p.supply &&
		leaf.Effective.UnixMilli() == p.effectiveAt.UnixMilli() && leaf.Time.UnixMilli() == p.publishedAt.UnixMilli()
}

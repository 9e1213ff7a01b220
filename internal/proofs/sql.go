package proofs

import (
	"errors"

	"kaibao/internal/db"
	"kaibao/internal/packs"
)

func addDrawCounts(tx *db.Tx, d drawCounts) error {
	manifests := db.Rows{Columns: []string{"manifest_hash", "opens"}}
	for hash, n := range d.opens {
		manifests.Add(hash[:], n)
	}
	items := db.Rows{Columns: []string{"manifest_hash", "item_id", "number"}}
	for card, n := range d.cards {
		items.Add(card.manifest[:], card.item, n)
	}
	incomplete := errors.New("not all draws were counted")
	if err := tx.UpsertRows("drawn_manifests", manifests, `(manifest_hash) DO UPDATE
		SET opens = drawn_manifests.opens + excluded.opens`, incomplete); err != nil {
		return err
	}
	return tx.UpsertRows("drawn_cards", items, `(manifest_hash, item_id) DO UPDATE
		SET number = drawn_cards.number + excluded.number`, incomplete)
}

func countOpens(tx *db.Tx) (int64, error) {
	return db.One(tx, db.Column[int64], `SELECT CAST(COALESCE(SUM(opens), 0) AS BIGINT) FROM drawn_manifests`)
}

func opensOfManifest(tx *db.Tx, hash packs.Hash) (int64, error) {
	n, err := db.One(tx, db.Column[int64], `SELECT opens FROM drawn_manifests WHERE manifest_hash = $1`, hash[:])
	if errors.Is(err, db.ErrNoRow) {
		return 0, nil
	}
	return n, err
}

// row is the count of a manifest's opens or of one of its cards.
type row struct {
	manifest []byte
	item     string // empty for opens
	number   int64
}

func scanRow(s db.Scanner) (r row, err error) { return r, s.Scan(&r.manifest, &r.item, &r.number) }

// cardsOfManifest returns the number of cards drawn per item with a manifest.
func cardsOfManifest(tx *db.Tx, hash packs.Hash) (map[string]int64, error) {
	rows, err := db.All(tx, scanRow, `SELECT manifest_hash, item_id, number FROM drawn_cards WHERE manifest_hash = $1`, hash[:])
	cards := make(map[string]int64, len(rows))
	for _, r := range rows {
		cards[r.item] = r.number
	}
	return cards, err
}

// allDrawCounts returns all counts.
func allDrawCounts(tx *db.Tx) (drawCounts, error) {
	all := newDrawCounts()
	err := db.Each(tx, scanRow, func(r row) error {
		var hash packs.Hash
		copy(hash[:], r.manifest)
		if r.item == "" {
			all.opens[hash] = r.number
		} else {
			all.cards[drawnCard{hash, r.item}] = r.number
		}
		return nil
	}, `SELECT manifest_hash, '', opens FROM drawn_manifests UNION ALL SELECT manifest_hash, item_id, number FROM drawn_cards`)
	return all, err
}

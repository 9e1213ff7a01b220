package publiclog_test

import (
	"path/filepath"
	"testing"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	log "kaibao/internal/publiclog"
)

// BenchmarkSequence measures how many waiting leaves a node places and signs per second.
func BenchmarkSequence(b *testing.B) {
	const leaves = 20_480
	for _, engine := range dbtest.Engines() {
		b.Run(engine, func(b *testing.B) {
			d := dbtest.Open(b, dbtest.Options(b, engine))
			l := openLog(b, d, newKey(b), filepath.Join(b.TempDir(), "memory"))
			for b.Loop() {
				b.StopTimer()
				err := d.InTx(b.Context(), func(tx *db.Tx) error {
					for n := range leaves {
						if err := log.Append(tx, openLeaf(n)); err != nil {
							return err
						}
					}
					return nil
				})
				if err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				sequence(b, l)
			}
			b.ReportMetric(float64(leaves*b.N)/b.Elapsed().Seconds(), "leaves/s")
		})
	}
}

// BenchmarkSound measures what the check of the tree adds to a transaction with one query and a
// commit: no check, queued with the query, or in a round trip of its own.
func BenchmarkSound(b *testing.B) {
	for _, engine := range dbtest.Engines() {
		d := dbtest.Open(b, dbtest.Options(b, engine))
		l := openLog(b, d, newKey(b), filepath.Join(b.TempDir(), "memory"))
		appendOpens(b, d, 0, 1000)
		sequence(b, l)
		query := func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE settings SET value = value WHERE name = 'log_key'`)
			return err
		}
		for _, c := range []struct {
			name string
			act  func(*db.Tx) error
		}{
			{"without", query},
			{"along", func(tx *db.Tx) error {
				sound := l.CheckConsistency(tx)
				if err := query(tx); err != nil {
					return err
				}
				return sound()
			}},
			{"apart", func(tx *db.Tx) error {
				if _, err := db.One(tx, db.Column[int64], `SELECT size FROM log_tree`); err != nil {
					return err
				}
				return query(tx)
			}},
		} {
			b.Run(engine+"/"+c.name, func(b *testing.B) {
				for b.Loop() {
					if err := d.InTx(b.Context(), c.act); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

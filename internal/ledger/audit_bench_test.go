package ledger_test

import (
	"fmt"
	"testing"

	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/ledger"
)

// BenchmarkAudit audits a ledger of a million transfers: once completely, and once only the last
// thousand, which are new.
func BenchmarkAudit(b *testing.B) {
	const players, rounds = 1000, 1000
	for _, engine := range dbtest.Engines() {
		d := dbtest.Open(b, dbtest.Options(b, engine))
		people := richUsers(b, d, players)
		play := func(rounds int) {
			for range rounds {
				if err := d.InTx(b.Context(), func(tx *db.Tx) error { return payAll(tx, people) }); err != nil {
					b.Fatal(err)
				}
			}
		}
		play(rounds)
		saveProven(b, d)
		play(1)
		for name, check := range map[string]audit.Check{"full": ledger.Audit, "new lines": ledger.AuditNewLines} {
			b.Run(fmt.Sprintf("%s/%s", engine, name), func(b *testing.B) {
				for b.Loop() {
					if found := runAudit(b, d, check); len(found) != 0 {
						b.Fatal(found)
					}
				}
			})
		}
	}
}

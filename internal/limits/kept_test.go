package limits

import (
	"errors"
	"strings"
	"testing"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/ledger"
)

// The audit finds each counter of a new account that differs from what it took over from a deleted
// account of the same wallet.
func TestAuditFindsWrongInheritedCounters(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			clock := dbtest.NewClock()
			o := dbtest.Options(t, engine)
			o.Now = clock.Now
			d := dbtest.Open(t, o)
			user, now := dbtest.ID("ann"), db.Micros(clock.Now())
			play := ledger.PlayLimits{CountedAt: now, Lost: ledger.Spans{5, 6, 7}, Deposited: ledger.Spans{1, 2, 3}, Spent: 9, Opens: 2, OpenedAt: now,
				LossLimits: ledger.Spans{ledger.NoLimit, ledger.NoLimit, 100}, DepositLimits: ledger.Spans{50, ledger.NoLimit, ledger.NoLimit}, Excluded: Forever}
			err := d.InTx(t.Context(), func(tx *db.Tx) error {
				if _, err := tx.Exec(`INSERT INTO users (id, wallet_address, tag, tag_salt, created_at) VALUES ($1, 'w', 't', $2, 0)`, user, []byte{1}); err != nil {
					return err
				}
				if err := Keep(tx, AddressKey("key"), "wallet", play); err != nil {
					return err
				}
				if _, kept, err := FindKept(tx, AddressKey("another key"), "wallet"); err != nil || kept {
					t.Errorf("found without the key: %v", err)
				}
				found, kept, err := FindKept(tx, AddressKey("key"), "wallet")
				if err != nil || !kept || found != play {
					t.Errorf("kept %v %+v: %v", kept, found, err)
				}
				return errors.Join(ledger.CreateAccountWith(tx, user, ledger.Seed{Commitment: []byte{1}, Sealed: []byte{1}}, play), RecordInherited(tx, user, play))
			})
			if err != nil {
				t.Fatal(err)
			}
			audit := func(tx *db.Tx) string {
				breaches, err := Audit(tx)
				if err != nil {
					t.Fatal(err)
				}
				var all []string
				for _, b := range breaches {
					all = append(all, b.Rule+" "+b.Row)
				}
				return strings.Join(all, "\n")
			}
			undo := errors.New("undo")
			for _, column := range append([]string{""}, inheritedColumns...) {
				err := d.InTx(t.Context(), func(tx *db.Tx) error {
					if column != "" {
						dbtest.AllowChanges(t, tx, engine, "inherited_counters")
						change := " + 1"
						if column == "counted_at" {
							change = " - 3456000000000" // 40 days
						}
						if err := tx.ExecOne(`UPDATE inherited_counters SET ` + column + ` = ` + column + change); err != nil {
							return err
						}
					}
					if found := audit(tx); (found == "") != (column == "") {
						t.Errorf("changed %q: the audit finds %q", column, found)
					}
					return undo
				})
				if !errors.Is(err, undo) {
					t.Fatal(err)
				}
			}
		})
	}
}

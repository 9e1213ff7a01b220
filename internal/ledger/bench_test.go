package ledger_test

import (
	"fmt"
	"testing"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/ledger"
)

// BenchmarkPayAll pays for a batch of opens in one transaction, including the commit. An operation
// is one payment.
func BenchmarkPayAll(b *testing.B) {
	for _, engine := range dbtest.Engines() {
		for _, size := range []int{1, 16, 256} {
			b.Run(fmt.Sprintf("%s/%d", engine, size), func(b *testing.B) {
				d := dbtest.Open(b, dbtest.Options(b, engine))
				people := richUsers(b, d, size)
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if i%size != 0 {
						continue
					}
					if err := d.InTx(b.Context(), func(tx *db.Tx) error { return payAll(tx, people) }); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// richUsers creates users with very large balances.
func richUsers(b *testing.B, d *db.DB, n int) (ids []string) {
	b.Helper()
	for _, account := range users(b, d, n) {
		ids = append(ids, string(account))
		if err := d.InTx(b.Context(), func(tx *db.Tx) error {
			_, err := ledger.Move(tx, ledger.Transfer{Debit: ledger.Sandbox, Credit: account, Amount: 1 << 50, Kind: ledger.KindGrant, Ref: string(account)})
			return err
		}); err != nil {
			b.Fatal(err)
		}
	}
	return ids
}

func payAll(tx *db.Tx, ids []string) error {
	accounts, err := ledger.LockAll(tx, ids)
	if err != nil {
		return err
	}
	payments := make([]ledger.Payment, len(ids))
	for i, id := range ids {
		next := accounts[id].Seed
		next.Nonce++
		next.Sealed = []byte{1}
		payments[i] = ledger.Payment{AccountRow: accounts[id], Amount: 1, Kind: ledger.KindOpen, Ref: tx.NewID(), NextSeed: next}
	}
	return ledger.PayAll(tx, ledger.Packs, payments)
}

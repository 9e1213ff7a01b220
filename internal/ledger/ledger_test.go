package ledger_test

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
)

// users creates users with empty accounts.
func users(t testing.TB, d *db.DB, n int) []ledger.Account {
	t.Helper()
	var accounts []ledger.Account
	err := d.InTx(t.Context(), func(tx *db.Tx) error {
		accounts = nil
		for range n {
			id := tx.NewID()
			if _, err := tx.Exec(`INSERT INTO users (id, wallet_address, tag, tag_salt, created_at) VALUES ($1, $2, $2, $3, 0)`, id, id, []byte{}); err != nil {
				return err
			}
			if err := ledger.CreateAccount(tx, id, ledger.Seed{Commitment: []byte(id), Sealed: []byte{}}); err != nil {
				return err
			}
			accounts = append(accounts, ledger.Account(id))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return accounts
}

// auditBreaches returns the breaches that the full audit finds. If there are none, AuditNewLines must
// find none either, and the current state is saved as proven.
func auditBreaches(t interface{ Fatalf(string, ...any) }, d *db.DB, tb testing.TB) []audit.Breach {
	found := runAudit(tb, d, ledger.Audit)
	if len(found) == 0 {
		if newBreaches := runAudit(tb, d, ledger.AuditNewLines); len(newBreaches) != 0 {
			t.Fatalf("AuditNewLines found: %v", newBreaches)
		}
		saveProven(tb, d)
	}
	return found
}

func runAudit(t testing.TB, d *db.DB, check audit.Check) (found []audit.Breach) {
	t.Helper()
	err := d.Inspect(t.Context(), func(tx *db.Tx) (err error) {
		found, err = check(tx)
		return err
	})
	if err != nil {
		t.Fatalf("audit: %v", err)
	}
	return found
}

// saveProven stores the last lines of all accounts as proven.
func saveProven(t testing.TB, d *db.DB) {
	t.Helper()
	var proven []ledger.ProvenLine
	err := d.Inspect(t.Context(), func(tx *db.Tx) (err error) {
		proven, err = ledger.NewProvenLines(tx)
		return err
	})
	if err == nil {
		err = ledger.SaveProvenLines(t.Context(), d, proven)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Random groups of linked transfers are compared with a plain map after every step. The audit must
// pass each time.
func TestMoveMatchesAModel(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		rapid.Check(t, func(rt *rapid.T) {
			people := users(t, d, 3)
			model := map[ledger.Account]money.Cents{}
			for step := range rapid.IntRange(1, 8).Draw(rt, "steps") {
				var group []ledger.Transfer
				for i := range rapid.IntRange(1, 3).Draw(rt, "linked") {
					pair := rapid.Permutation(people).Draw(rt, "people")
					move := rapid.SampledFrom([]ledger.Transfer{
						{Debit: pair[0], Credit: ledger.Packs, Kind: ledger.KindOpen},
						{Debit: pair[0], Credit: pair[1], Kind: ledger.KindSale},
						{Debit: pair[0], Credit: ledger.Fees, Kind: ledger.KindSaleFee},
						{Debit: ledger.Sandbox, Credit: pair[0], Kind: ledger.KindGrant},
						{Debit: ledger.Credits, Credit: pair[0], Kind: ledger.KindAdminCredit},
						{Debit: pair[0], Credit: ledger.BidsAccount(string(pair[0])), Kind: ledger.KindBid},
						{Debit: ledger.BidsAccount(string(pair[0])), Credit: pair[0], Kind: ledger.KindBidReturn},
						{Debit: ledger.BidsAccount(string(pair[0])), Credit: pair[1], Kind: ledger.KindBidFill},
					}).Draw(rt, "move")
					move.Amount = money.Cents(rapid.Int64Range(1, 500).Draw(rt, "amount"))
					if held := model[move.Debit]; strings.HasPrefix(string(move.Debit), "bids:") {
						if held < 3 {
							continue
						}
						move.Amount = 1 + (move.Amount % (held / 3)) // enough for three of them
					}
					move.Ref = reference(people[0], step, i)
					group = append(group, move)
				}
				wanted, ok := apply(model, group)
				err := d.InTx(t.Context(), func(tx *db.Tx) error {
					_, err := ledger.Move(tx, group...)
					return err
				})
				if ok != (err == nil) || (err != nil && !errors.Is(err, ledger.ErrInsufficientFunds)) {
					rt.Fatalf("model says %v, the ledger %v", ok, err)
				}
				if ok {
					model = wanted
				}
				checkBalances(t, rt, d, people, model)
			}
		})
	})
}

// reference returns a ref that is unique for each step and transfer of a user.
func reference(user ledger.Account, step, n int) string {
	return string(user[:24]) + fmt.Sprintf("%06d%06d", step, n)
}

// apply is the model: a group applies completely or not at all, and no balance goes below zero.
func apply(before map[ledger.Account]money.Cents, group []ledger.Transfer) (map[ledger.Account]money.Cents, bool) {
	after := map[ledger.Account]money.Cents{}
	maps.Copy(after, before)
	for _, move := range group {
		after[move.Debit] -= move.Amount
		if after[move.Debit] < 0 && len(move.Debit) == 36 {
			return nil, false
		}
		after[move.Credit] += move.Amount
	}
	return after, true
}

func checkBalances(t *testing.T, rt *rapid.T, d *db.DB, people []ledger.Account, model map[ledger.Account]money.Cents) {
	err := d.Read(t.Context(), func(tx *db.Tx) error {
		for _, person := range people {
			account, err := ledger.Find(tx, string(person))
			if err != nil {
				return err
			}
			if inBids := model[ledger.BidsAccount(string(person))]; account.Balance != model[person] || account.InBids != inBids {
				rt.Fatalf("%s has %s and %s in bids, the model has %s and %s", person, account.Balance, account.InBids, model[person], inBids)
			}
		}
		return nil
	})
	if err != nil {
		rt.Fatal(err)
	}
	if found := auditBreaches(rt, d, t); len(found) > 0 {
		rt.Fatalf("the audit found %+v", found)
	}
}

// The groups of a batch apply one after the other: money moved by one can be spent by the next, and
// a refused group changes nothing.
func TestBatchMatchesAModel(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		rapid.Check(t, func(rt *rapid.T) {
			people := users(t, d, 4)
			model := map[ledger.Account]money.Cents{}
			for step := range rapid.IntRange(1, 3).Draw(rt, "steps") {
				groups := make([][]ledger.Transfer, rapid.IntRange(1, 12).Draw(rt, "groups"))
				for i := range groups {
					pair := rapid.Permutation(people).Draw(rt, "people")
					ref, amount := reference(people[0], step, i), money.Cents(rapid.Int64Range(2, 500).Draw(rt, "amount"))
					groups[i] = []ledger.Transfer{
						{Debit: pair[0], Credit: pair[1], Amount: amount, Kind: ledger.KindSale, Ref: ref},
						{Debit: pair[1], Credit: ledger.Fees, Amount: rapid.SampledFrom([]money.Cents{1, amount, 2 * amount}).Draw(rt, "fee"), Kind: ledger.KindSaleFee, Ref: ref},
					}
					if rapid.IntRange(0, 3).Draw(rt, "deposit") == 0 {
						groups[i] = []ledger.Transfer{{Debit: ledger.Sandbox, Credit: pair[0], Amount: amount, Kind: ledger.KindGrant, Ref: ref}}
					}
				}
				wanted := model
				if err := d.InTx(t.Context(), func(tx *db.Tx) error {
					wanted = model
					var ids []string
					for _, person := range people {
						ids = append(ids, string(person))
					}
					batch, err := ledger.LockBatch(tx, ids)
					if err != nil {
						return err
					}
					for _, group := range groups {
						next, ok := apply(wanted, group)
						lines, err := batch.Move(group...)
						if ok != (err == nil) || (err != nil && !errors.Is(err, ledger.ErrInsufficientFunds)) {
							rt.Fatalf("model says %v, the batch %v", ok, err)
						}
						if ok {
							wanted = next
							if lines[0].Balance != wanted[group[0].Debit] && len(group) == 2 {
								rt.Fatalf("the balance after a line is %s, in the model %s", lines[0].Balance, wanted[group[0].Debit])
							}
						}
					}
					return batch.Save()
				}); err != nil {
					rt.Fatal(err)
				}
				model = wanted
				checkBalances(t, rt, d, people, model)
			}
		})
	})
}

func TestMoveRefusesInvalidTransfers(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		people := users(t, d, 2)
		for name, move := range map[string]ledger.Transfer{
			"zero":                   {Debit: ledger.Sandbox, Credit: people[0], Amount: 0, Kind: ledger.KindGrant},
			"a negative amount":      {Debit: ledger.Sandbox, Credit: people[0], Amount: -1, Kind: ledger.KindGrant},
			"to the same account":    {Debit: people[0], Credit: people[0], Amount: 1, Kind: ledger.KindSale},
			"to an unknown user":     {Debit: ledger.Sandbox, Credit: "00000000-0000-7000-8000-000000000000", Amount: 1, Kind: ledger.KindGrant},
			"of an unknown kind":     {Debit: ledger.Sandbox, Credit: people[0], Amount: 1, Kind: "gift"},
			"a pack price to a user": {Debit: ledger.Packs, Credit: people[0], Amount: 1, Kind: ledger.KindOpen},
			"a sale by the house":    {Debit: ledger.Sandbox, Credit: people[0], Amount: 1, Kind: ledger.KindSale},
			"to an unknown account":  {Debit: people[0], Credit: "house:pocket", Amount: 1, Kind: ledger.KindOpen},
		} {
			move.Ref = dbtest.ID("nonsense")
			if err := d.InTx(t.Context(), func(tx *db.Tx) error {
				_, err := ledger.Move(tx, move)
				return err
			}); err == nil {
				t.Errorf("a transfer was accepted: %s", name)
			}
		}
		if found := auditBreaches(t, d, t); len(found) > 0 {
			t.Errorf("the audit found %+v", found)
		}
	})
}

func TestDuplicateTransfersAreRefused(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		person := users(t, d, 1)[0]
		pay := func() error {
			return d.InTx(t.Context(), func(tx *db.Tx) error {
				_, err := ledger.Move(tx, ledger.Transfer{Debit: ledger.Sandbox, Credit: person, Amount: 5, Kind: ledger.KindGrant, Ref: dbtest.ID("1")})
				return err
			})
		}
		if err := pay(); err != nil {
			t.Fatal(err)
		}
		if err := pay(); !db.IsDuplicate(err) {
			t.Errorf("the second payment of one deposit: %v", err)
		}
	})
}

// The audit must find each corruption.
func TestAuditFindsCorruption(t *testing.T) {
	for name, corrupt := range map[string]string{
		"a balance changed":   `UPDATE accounts SET balance_cents = balance_cents + 1 WHERE user_id = $1`,
		"a line deleted":      `DELETE FROM transfers WHERE credit = $1 AND credit_line = 2`,
		"an amount changed":   `UPDATE transfers SET amount_cents = amount_cents + 1 WHERE credit = $1 AND credit_line = 2`,
		"a balance rewritten": `UPDATE transfers SET credit_balance_cents = 1 WHERE credit = $1 AND credit_line = 2`,
		"another kind":        `UPDATE transfers SET kind = 'admin-credit' WHERE credit = $1 AND credit_line = 2`,
		"another account":     `UPDATE transfers SET credit = 'house:packs' WHERE credit = $1 AND credit_line = 2`,
	} {
		t.Run(name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				person := users(t, d, 1)[0]
				for i := range 3 {
					if err := d.InTx(t.Context(), func(tx *db.Tx) error {
						_, err := ledger.Move(tx, ledger.Transfer{Debit: ledger.Sandbox, Credit: person, Amount: 5, Kind: ledger.KindGrant, Ref: dbtest.ID(fmt.Sprint(i))})
						return err
					}); err != nil {
						t.Fatal(err)
					}
				}
				if err := d.InTx(t.Context(), func(tx *db.Tx) error {
					dbtest.AllowChanges(t, tx, d.Engine(), "transfers")
					return tx.ExecOne(corrupt, string(person))
				}); err != nil {
					t.Fatal(err)
				}
				if found := auditBreaches(t, d, t); len(found) == 0 {
					t.Error("the audit found nothing")
				}
			})
		})
	}
}

// AuditNewLines trusts proven lines and doesn't notice changes to them. Both audits notice changes to
// later lines.
func TestAuditNewLines(t *testing.T) {
	for name, c := range map[string]struct {
		corrupt        string
		full, newLines bool // whether Audit and AuditNewLines find it
	}{
		"an old amount":      {`UPDATE transfers SET amount_cents = amount_cents + 1 WHERE credit = $1 AND credit_line = 1`, true, false},
		"a new amount":       {`UPDATE transfers SET amount_cents = amount_cents + 1 WHERE credit = $1 AND credit_line = 3`, true, true},
		"a new balance":      {`UPDATE transfers SET credit_balance_cents = 1 WHERE credit = $1 AND credit_line = 3`, true, true},
		"a new line deleted": {`DELETE FROM transfers WHERE credit = $1 AND credit_line = 4`, true, true},
		"a new line's kind":  {`UPDATE transfers SET kind = 'admin-credit' WHERE credit = $1 AND credit_line = 4`, true, true},
		"the balance":        {`UPDATE accounts SET balance_cents = balance_cents + 1 WHERE user_id = $1`, true, true},
		"a proven balance":   {`UPDATE proven_lines SET balance_cents = balance_cents + 1 WHERE user_id = $1`, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				person := users(t, d, 1)[0]
				for i := range 4 {
					if i == 2 {
						saveProven(t, d)
					}
					if err := d.InTx(t.Context(), func(tx *db.Tx) error {
						_, err := ledger.Move(tx, ledger.Transfer{Debit: ledger.Sandbox, Credit: person, Amount: 5, Kind: ledger.KindGrant, Ref: dbtest.ID(fmt.Sprint(i))})
						return err
					}); err != nil {
						t.Fatal(err)
					}
				}
				if found := runAudit(t, d, ledger.AuditNewLines); len(found) != 0 {
					t.Errorf("before the change, AuditNewLines found %v", found)
				}
				if err := d.InTx(t.Context(), func(tx *db.Tx) error {
					dbtest.AllowChanges(t, tx, d.Engine(), "transfers")
					return tx.ExecOne(c.corrupt, string(person))
				}); err != nil {
					t.Fatal(err)
				}
				if full, newLines := runAudit(t, d, ledger.Audit), runAudit(t, d, ledger.AuditNewLines); (len(full) > 0) != c.full || (len(newLines) > 0) != c.newLines {
					t.Errorf("Audit found %v, AuditNewLines %v", full, newLines)
				}
			})
		})
	}
}

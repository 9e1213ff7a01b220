package opening_test

import (
	"net/http"
	"sync"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
)

// When one of several opens in a transaction would write a wrong leaf, only that open fails,
// uncharged; the others succeed. The test gives one user an invalid tag to cause this.
func TestOnlyTheOpenWithAWrongLeafFails(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		const players, failing = 12, 5
		clients := make([]*apptest.Client, players)
		for n := range clients {
			clients[n] = s.SignIn(t)
			clients[n].Deposit(t, 25)
		}
		setTag := func(tag string) (before string) {
			if err := s.DB.InTx(t.Context(), func(tx *db.Tx) (err error) {
				before, err = db.One(tx, db.Column[string], `SELECT tag FROM users WHERE wallet_address = $1`, clients[failing].Address)
				if err != nil {
					return err
				}
				return tx.ExecOne(`UPDATE users SET tag = $1 WHERE wallet_address = $2`, tag, clients[failing].Address)
			}); err != nil {
				t.Fatal(err)
			}
			return before
		}
		tag := setTag("no tag")
		clients[failing].SignIn(t)
		before := s.Status(t).WrongLeaves
		var all sync.WaitGroup
		answers := make([]apptest.Answer, players)
		for n, c := range clients {
			all.Go(func() { answers[n] = c.Post(t, "/api/packs/demo-pack-1/open", map[string]any{"clientSeed": "x"}) })
		}
		all.Wait()
		for n, a := range answers {
			if want := map[bool]int{false: http.StatusOK, true: http.StatusInternalServerError}[n == failing]; a.Status != want {
				t.Errorf("open %d has status %d, want %d: %s", n, a.Status, want, a.Body)
			}
		}
		if n := s.Status(t).WrongLeaves - before; n != 1 {
			t.Errorf("%d wrong leaves were counted, want 1", n)
		}
		setTag(tag)
		var wallet struct{ BalanceCents int }
		clients[failing].Get(t, "/api/wallet").Want(t, http.StatusOK, &wallet)
		if wallet.BalanceCents != 2500 {
			t.Errorf("balance after the failed open is %d, want 2500", wallet.BalanceCents)
		}
		s.VerifyLog(t)
		s.Audit(t)
	})
}

package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

const (
	paymentKills  = 12
	payers        = 6
	paymentsEach  = 8 // fewer than a user may have begun at once
	paymentsCents = 1234
)

// Payers begin payments, pay and have them looked at without pause while the server is
// killed and started again: between quote and charge, between looking and accepting,
// between accepting and crediting, between crediting and answering. At the end every
// payment is credited, once.
func TestAPaymentIsCreditedOnceHoweverOftenTheServerIsKilled(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			config := apptest.Config(t, engine)
			n := newNode(t, append(nodeArgs(config.Data, config.DatabaseURL), "--no-demo"))
			all := make([]*player, payers)
			var paying sync.WaitGroup
			for i := range all {
				all[i] = newPlayer(t, n, &board{})
				paying.Go(func() { all[i].payAll(t, n) })
			}
			for range paymentKills {
				n.awaitAnswers(t, payers)
				n.kill()
				n.start(t)
			}
			paying.Wait()
			for _, p := range all {
				p.awaitCredits(t, n)
			}
			n.kill()
			s := &apptest.Server{DB: dbtest.Open(t, db.Options{Dir: config.Data, URL: config.DatabaseURL})}
			s.Audit(t)
		})
	}
}

// payAll makes a player's payments, each to its end.
func (p *player) payAll(t *testing.T, n *node) {
	for number := range paymentsEach {
		var begun struct{ DepositID, ChargeToken string }
		p.ask(t, n, act{path: "/api/wallet/deposits", key: fmt.Sprintf("payment-%d", number), body: map[string]any{"amountCents": paymentsCents}}, &begun)
		var paid struct {
			Meta struct{ TransactionSignature string }
		}
		p.ask(t, n, act{path: "/sandbox/charges/" + begun.ChargeToken + "/pay"}, &paid)
		p.ask(t, n, act{path: "/api/wallet/deposit/helio", body: map[string]any{
			"amount": float64(paymentsCents) / 100, "paymentId": begun.DepositID, "transactionId": paid.Meta.TransactionSignature,
		}}, nil)
	}
}

// ask repeats a request until it is answered.
func (p *player) ask(t *testing.T, n *node, a act, into any) {
	answer, answered := p.untilAnswered(t.Context(), n, a)
	if !answered || answer.Status/100 != 2 {
		t.Errorf("%s answered %d %s", a.path, answer.Status, answer.Body)
		return
	}
	if into != nil {
		if err := json.Unmarshal(answer.Body, into); err != nil {
			t.Error(err)
		}
	}
	select {
	case n.answered <- struct{}{}:
	default:
	}
}

// awaitCredits waits until nothing of the player's is under way, and counts.
func (p *player) awaitCredits(t *testing.T, n *node) {
	t.Helper()
	p.Base = *n.url.Load()
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	for len(apptest.Get[[]any](t, p.Client, "/api/wallet/deposits?state=open")) > 0 {
		select {
		case <-look.C:
		case <-t.Context().Done():
			t.Fatal("payments are under way without end")
		}
	}
	var wallet struct{ BalanceCents int64 }
	p.Get(t, "/api/wallet").Want(t, http.StatusOK, &wallet)
	if want := int64(paymentsEach * paymentsCents); wallet.BalanceCents != want {
		t.Errorf("the balance is %d, want %d", wallet.BalanceCents, want)
	}
}

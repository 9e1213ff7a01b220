package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
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
	paymentsEach  = 8 // fewer than the limit of open deposits per user
	paymentsCents = 1234
)

// Payers make payments continuously while the server is killed and restarted: between quote and
// charge, check and acceptance, acceptance and credit, credit and response. In the end every
// payment is credited exactly once.
func TestPaymentsSurviveKills(t *testing.T) {
	t.Parallel()
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
			s := &apptest.Server{DB: inspect(t, config)}
			s.Audit(t)
		})
	}
}

// payAll makes a player's payments, each to completion.
func (p *player) payAll(t *testing.T, n *node) {
	for number := range paymentsEach {
		var begun struct{ DepositID, ChargeToken string }
		p.mustSucceed(t, n, act{path: "/api/wallet/deposits", key: fmt.Sprintf("payment-%d", number), body: map[string]any{"amountCents": paymentsCents}}, &begun)
		var paid struct {
			Meta struct{ TransactionSignature string }
		}
		p.mustSucceed(t, n, act{path: "/sandbox/charges/" + begun.ChargeToken + "/pay"}, &paid)
		p.mustSucceed(t, n, act{path: "/api/wallet/deposit/helio", body: map[string]any{
			"amount": float64(paymentsCents) / 100, "paymentId": begun.DepositID, "transactionId": paid.Meta.TransactionSignature,
		}}, nil)
	}
}

// mustSucceed retries a request until it gets a response, which must be a success.
func (p *player) mustSucceed(t *testing.T, n *node, a act, into any) {
	answer, answered := p.untilAnswered(t.Context(), n, a)
	if !answered || answer.Status/100 != 2 {
		t.Errorf("%s: status %d %s", a.path, answer.Status, answer.Body)
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

// awaitCredits waits until none of the player's payments is pending, then checks the balance.
func (p *player) awaitCredits(t *testing.T, n *node) {
	t.Helper()
	p.Base = *n.url.Load()
	poll := time.NewTicker(50 * time.Millisecond)
	defer poll.Stop()
	for len(apptest.Get[[]any](t, p.Client, "/api/wallet/deposits?state=open")) > 0 {
		select {
		case <-poll.C:
		case <-t.Context().Done():
			t.Fatal("payments are still pending")
		}
	}
	var wallet struct{ BalanceCents int64 }
	p.Get(t, "/api/wallet").Want(t, http.StatusOK, &wallet)
	if want := int64(paymentsEach * paymentsCents); wallet.BalanceCents != want {
		t.Errorf("the balance is %d, want %d", wallet.BalanceCents, want)
	}
}

// failurePoints are writes that fail, so that a payment stops before one of its steps.
var failurePoints = []struct{ step, before, state string }{
	{"charged, not stored", "UPDATE ON deposits", "quoted"},
	{"seen, not accepted", "INSERT ON deposit_payments", "pending"},
	{"accepted, not credited", "INSERT ON transfers", "verified"},
}

// A server killed between two steps continues with the next one and gives the response it would
// have given. A client that didn't get the response gets the same one on retry.
func TestPaymentResumesAfterKill(t *testing.T) {
	t.Parallel()
	for _, engine := range dbtest.Engines() {
		for _, failure := range failurePoints {
			t.Run(engine+" "+failure.step, func(t *testing.T) {
				config := apptest.Config(t, engine)
				n := newNode(t, append(nodeArgs(config.Data, config.DatabaseURL), "--no-demo"))
				d := inspect(t, config)
				payer := newPlayer(t, n, &board{})
				rejectWrites(t, d, failure.before)
				payer.payUntil(t, n, http.StatusInternalServerError)
				if all := apptest.Get[[]struct{ State string }](t, payer.Client, "/api/wallet/deposits"); len(all) != 1 || all[0].State != failure.state {
					t.Errorf("before the kill the payments are %+v, want one in state %s", all, failure.state)
				}
				n.kill()
				allowWrites(t, d, failure.before)
				n.start(t)
				first := payer.payUntil(t, n, http.StatusOK)
				n.kill()
				n.start(t)
				if again := payer.payUntil(t, n, http.StatusOK); !bytes.Equal(again, first) {
					t.Errorf("the first response is %s, the retry's %s", first, again)
				}
				var wallet struct{ BalanceCents int64 }
				payer.Get(t, "/api/wallet").Want(t, http.StatusOK, &wallet)
				if wallet.BalanceCents != paymentsCents {
					t.Errorf("the balance is %d", wallet.BalanceCents)
				}
				(&apptest.Server{DB: d}).Audit(t)
			})
		}
	}
}

// rejectWrites makes the database reject a write, such as "INSERT ON transfers", until allowWrites
// is called.
func rejectWrites(t *testing.T, d *db.DB, write string) {
	t.Helper()
	if d.Engine() == "sqlite" {
		alter(t, d, `CREATE TRIGGER reject_write BEFORE `+write+` BEGIN SELECT RAISE(ABORT, 'rejected by the test'); END`)
		return
	}
	alter(t, d, `CREATE FUNCTION reject_write() RETURNS trigger LANGUAGE plpgsql AS $body$ BEGIN RAISE EXCEPTION 'rejected by the test'; END $body$`,
		`CREATE TRIGGER reject_write BEFORE `+write+` FOR EACH ROW EXECUTE FUNCTION reject_write()`)
}

func allowWrites(t *testing.T, d *db.DB, write string) {
	t.Helper()
	_, table, _ := strings.Cut(write, " ON ")
	if d.Engine() == "sqlite" {
		alter(t, d, `DROP TRIGGER reject_write`)
		return
	}
	alter(t, d, `DROP TRIGGER reject_write ON `+table, `DROP FUNCTION reject_write`)
}

func alter(t *testing.T, d *db.DB, statements ...string) {
	t.Helper()
	if err := d.InTx(t.Context(), func(tx *db.Tx) error {
		for _, statement := range statements {
			if _, err := tx.Exec(statement); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// payUntil makes or continues the player's only payment until a request is answered with a status,
// and returns that response.
func (p *player) payUntil(t *testing.T, n *node, status int) []byte {
	t.Helper()
	poll := time.NewTicker(50 * time.Millisecond)
	defer poll.Stop()
	for {
		var begun struct{ DepositID, ChargeToken string }
		var paid struct {
			Meta struct{ TransactionSignature string }
		}
		answer := p.answer(t, n, act{path: "/api/wallet/deposits", key: "payment", body: map[string]any{"amountCents": paymentsCents}}, &begun)
		if answer.Status == http.StatusOK {
			p.answer(t, n, act{path: "/sandbox/charges/" + begun.ChargeToken + "/pay"}, &paid)
			answer = p.answer(t, n, act{path: "/api/wallet/deposit/helio", body: map[string]any{
				"amount": float64(paymentsCents) / 100, "paymentId": begun.DepositID, "transactionId": paid.Meta.TransactionSignature,
			}}, nil)
		}
		switch answer.Status {
		case status:
			return answer.Body
		case http.StatusAccepted: // not final yet
			<-poll.C
		default:
			t.Fatalf("status %d %s", answer.Status, answer.Body)
		}
	}
}

// answer retries a request until it gets a response. into gets the body on success.
func (p *player) answer(t *testing.T, n *node, a act, into any) apptest.Answer {
	t.Helper()
	answer, answered := p.untilAnswered(t.Context(), n, a)
	if !answered {
		t.Fatalf("%s: no response", a.path)
	}
	if into != nil && answer.Status == http.StatusOK {
		if err := json.Unmarshal(answer.Body, into); err != nil {
			t.Fatal(err)
		}
	}
	return answer
}

package moderation_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/publicbooks"
)

type debited struct {
	TakenCents, MissingCents, BalanceCents int64
	Approval                               *struct{ ID, Kind string }
}

func debit(t *testing.T, admin *apptest.Client, c *collector, cents int64) (d debited) {
	t.Helper()
	admin.Post(t, path(c, "debit"), body{"amountCents": cents, "reason": "A wrong credit."}).Want(t, http.StatusOK, &d)
	return d
}

// A debit takes the free balance, then ends the newest bids as far as needed, and never more than
// there is.
func TestDebitTakesBalanceThenBids(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin, ann, ben := s.Admin(t), newCollector(t, s), newCollector(t, s)
		for _, entry := range ben.entries[:3] {
			ann.bid(t, entry, 1000).Want(t, http.StatusOK, nil)
		}
		ann.wantWallet(t, 4500, 3000)
		if d := debit(t, admin, ann, 500); d != (debited{TakenCents: 500, BalanceCents: 4000}) {
			t.Errorf("a debit below the balance: %+v", d)
		}
		ann.wantWallet(t, 4000, 3000)
		if d := debit(t, admin, ann, 5500); d != (debited{TakenCents: 5500, BalanceCents: 500}) {
			t.Errorf("a debit above the balance: %+v", d)
		}
		ann.wantWallet(t, 500, 1000)
		if d := debit(t, admin, ann, 10_000); d != (debited{TakenCents: 1500, MissingCents: 8500}) {
			t.Errorf("a debit above everything: %+v", d)
		}
		ann.wantWallet(t, 0, 0)
		if d := debit(t, admin, ann, 1); d != (debited{MissingCents: 1}) {
			t.Errorf("a debit of nothing: %+v", d)
		}
		lines := apptest.Get[[]struct {
			Kind, Reason string
			AmountCents  int64
		}](t, ann.Client, "/api/wallet/transactions?kind=debit")
		if len(lines) != 3 || lines[0].AmountCents != -1500 || lines[0].Reason != "A wrong credit." {
			t.Errorf("the user sees %+v", lines)
		}
		s.Audit(t)
		for _, cents := range []int64{0, -1, 100_000_001} {
			admin.Post(t, path(ann, "debit"), body{"amountCents": cents, "reason": "x"}).Refused(t, http.StatusUnprocessableEntity, "invalid")
		}
	})
}

// Debits count toward the admin's daily total. Beyond it a second admin approves, who isn't the user.
func TestLargeDebitNeedsASecondAdmin(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin, second, ann := s.Admin(t), s.Admin(t), newCollector(t, s)
		own := apptest.Get[struct{ ID string }](t, admin, "/api/auth/user").ID
		admin.Post(t, path(&collector{id: own}, "debit"), body{"amountCents": 100, "reason": "Mine."}).Refused(t, http.StatusForbidden, "own_interest")
		ann.Deposit(t, 1000)
		if d := debit(t, admin, ann, 400_00); d.TakenCents != 400_00 || d.Approval != nil {
			t.Errorf("within the daily total: %+v", d)
		}
		d := debit(t, admin, ann, 200_00)
		if d.Approval == nil || d.Approval.Kind != "debit" || d.TakenCents != 0 {
			t.Fatalf("beyond the daily total: %+v", d)
		}
		ann.wantWallet(t, 675_00, 0)
		second.Post(t, "/api/admin/approvals/"+d.Approval.ID, body{"decision": "approve", "reason": "I agree."}).Want(t, http.StatusOK, nil)
		ann.wantWallet(t, 475_00, 0)
		s.Audit(t)
	})
}

// An approved debit says what it took and what the user didn't have, in the response and in the list
// of requests. A request that waits doesn't say what the balance is.
func TestApprovedDebitSaysWhatIsMissing(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		type outcome struct{ TakenCents, MissingCents int64 }
		type request struct {
			ID, State string
			Debit     *outcome
		}
		admin, second, ann := s.Admin(t), s.Admin(t), newCollector(t, s)
		waiting := admin.Post(t, path(ann, "debit"), body{"amountCents": 1234_50, "reason": "A wrong credit."})
		var asked struct {
			BalanceCents *int64
			Approval     request
		}
		waiting.Want(t, http.StatusOK, &asked)
		if asked.BalanceCents != nil || asked.Approval.Debit != nil {
			t.Errorf("the waiting debit answers %s", waiting.Body)
		}
		// Another amount isn't the same request.
		again := admin.Post(t, path(ann, "debit"), body{"amountCents": 800_00, "reason": "More."}).Refused(t, http.StatusConflict, "request_waiting")
		if !strings.HasPrefix(again.Message, "Another request of this kind is already awaiting approval.") {
			t.Errorf("a second debit is refused with %q", again.Message)
		}
		var decided request
		second.Post(t, "/api/admin/approvals/"+asked.Approval.ID, body{"decision": "approve", "reason": "I agree."}).Want(t, http.StatusOK, &decided)
		listed := apptest.Get[[]request](t, admin, "/api/admin/approvals?state=approved")
		if len(listed) != 1 {
			t.Fatalf("approved requests: %+v", listed)
		}
		for _, r := range []request{decided, listed[0]} {
			if r.Debit == nil || *r.Debit != (outcome{75_00, 1159_50}) {
				t.Errorf("the approved debit is %+v", r)
			}
		}
		var refused struct{ Approval request }
		admin.Post(t, path(ann, "debit"), body{"amountCents": 600_00, "reason": "Again."}).Want(t, http.StatusOK, &refused)
		second.Post(t, "/api/admin/approvals/"+refused.Approval.ID, body{"decision": "refuse", "reason": "No."}).Want(t, http.StatusOK, &decided)
		decided = apptest.Get[[]request](t, admin, "/api/admin/approvals?state=refused")[0]
		if decided.Debit != nil {
			t.Errorf("the refused debit is %+v", decided)
		}
		s.Audit(t)
	})
}

// The same key takes points once, also when two nodes or browsers send it at once.
func TestDebitIsTakenOncePerKey(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin, ann := s.Admin(t), newCollector(t, s)
		var all sync.WaitGroup
		for range 6 {
			all.Go(func() {
				admin.Post(t, path(ann, "debit"), body{"amountCents": 100, "reason": "Once."}, "Idempotency-Key", "once").Want(t, http.StatusOK, nil)
			})
		}
		all.Wait()
		ann.wantWallet(t, 7400, 0)
		s.Audit(t)
	})
}

// A debit and bids of the same user at the same time: no balance falls below zero, and no point is
// lost.
func TestDebitRacesWithBids(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin, ben := s.Admin(t), newCollector(t, s)
		for range 5 {
			ann := newCollector(t, s)
			var taken debited
			var all sync.WaitGroup
			all.Go(func() { taken = debit(t, admin, ann, 70_00) })
			for _, entry := range ben.entries {
				all.Go(func() { ann.bid(t, entry, 3000) })
			}
			all.Wait()
			w := apptest.Get[struct{ BalanceCents, HeldCents int64 }](t, ann.Client, "/api/wallet")
			if taken.TakenCents+taken.MissingCents != 70_00 || w.BalanceCents+w.HeldCents != 75_00-taken.TakenCents {
				t.Errorf("took %+v, left %+v", taken, w)
			}
			s.Audit(t)
		}
	})
}

// The books of the first day with a debit are in the second version, and the log's verifier accepts
// both versions.
func TestBooksCountDebits(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		closeDay := func() string {
			clock.Advance(24 * time.Hour)
			if err := (&publicbooks.Service{DB: s.DB}).Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			var bodies []string
			if err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
				bodies, err = db.All(tx, db.Column[string], `SELECT body FROM book_days ORDER BY day DESC`)
				return err
			}); err != nil || len(bodies) == 0 {
				t.Fatalf("%d days are closed: %v", len(bodies), err)
			}
			return bodies[0]
		}
		ann := newCollector(t, s)
		if books := closeDay(); !strings.HasPrefix(books, "kaibao-books/v1\n") {
			t.Errorf("before any debit: %s", books)
		}
		admin := s.Admin(t)
		debit(t, admin, ann, 500)
		if books := closeDay(); !strings.HasPrefix(books, "kaibao-books/v2\n") || !strings.Contains(books, "\nlosses 0\ndebits 500\nforfeits 0\nbalances 7000\n") {
			t.Errorf("after a debit: %s", books)
		}
		s.WaitForLog(t)
		s.VerifyLog(t)
		s.Audit(t)
	})
}

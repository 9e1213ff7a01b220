package market_test

import (
	"slices"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/bids"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/market/match"
	"kaibao/internal/marketevents"
)

// anyWaitsForLock reports whether any transaction waits for a lock held by another in a query on
// the table.
func anyWaitsForLock(t *testing.T, s *apptest.Server, table string) (some bool) {
	t.Helper()
	if err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
		some, err = db.One(tx, db.Column[bool], `SELECT EXISTS (SELECT 1 FROM pg_stat_activity
			WHERE wait_event_type = 'Lock' AND datname = current_database() AND query LIKE '% ' || $1 || ' %')`, table)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return some
}

func countOpenBids(t *testing.T, s *apptest.Server) (number int64) {
	t.Helper()
	if err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
		number, err = db.One(tx, db.Column[int64], `SELECT COUNT(*) FROM bids WHERE state = 'open'`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return number
}

// whileUncommitted runs meanwhile after act has run in a transaction but before it commits. It
// commits once done reports true or another transaction waits for a lock on the table.
func whileUncommitted(t *testing.T, s *apptest.Server, table string, act func(tx *db.Tx) error, meanwhile func(), done func() bool) {
	t.Helper()
	acted, commit, ended := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		ended <- s.DB.InTx(t.Context(), func(tx *db.Tx) error {
			err := act(tx)
			close(acted)
			<-commit
			return err
		})
	}()
	<-acted
	meanwhile()
	apptest.Until(t, "the concurrent act finishes or waits for the lock", func() bool { return done() || anyWaitsForLock(t, s, table) })
	close(commit)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// onPostgres runs the test only on PostgreSQL, where transactions run concurrently.
func onPostgres(t *testing.T, test func(t *testing.T, s *apptest.Server)) {
	t.Helper()
	if slices.Contains(dbtest.Engines(), "postgres") {
		apptest.Each(t, func(t *testing.T, s *apptest.Server) {
			if s.DB.Engine() == "postgres" {
				test(t, s)
			}
		})
	}
}

// A bid is not ended when a concurrent transaction cancels the claim of its entry.
func TestBidSurvivesConcurrentlyCanceledClaim(t *testing.T) {
	onPostgres(t, func(t *testing.T, s *apptest.Server) {
		_, owned := newCollector(t, s, "Ann")
		ben, _ := newCollector(t, s, "Ben")
		entry := owned[0].ID
		placeBid(t, ben, forEntry(entry, 500))
		exec(t, s, `UPDATE inventory SET state = 'claimed' WHERE id = $1`, entry)
		whileUncommitted(t, s, "inventory", func(tx *db.Tx) error {
			return tx.ExecOne(`UPDATE inventory SET state = 'held' WHERE id = $1`, entry)
		}, func() {
			if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
				return marketevents.Add(tx, marketevents.Event{Kind: marketevents.LeftMarket, Entry: entry})
			}); err != nil {
				t.Fatal(err)
			}
		}, func() bool { return countOpenBids(t, s) == 0 })
		waitForBook(t, s)
		if countOpenBids(t, s) != 1 {
			t.Error("the bid was ended although its entry is available again")
		}
		s.Audit(t)
	})
}

// Outside a sandbox, a bid being placed when its user becomes an admin is ended, and a later bid is
// refused.
func TestBidPlacedWhileUserBecomesAdminEnds(t *testing.T) {
	onPostgres(t, func(t *testing.T, s *apptest.Server) {
		_, owned := newCollector(t, s, "Ann")
		ben, _ := newCollector(t, s, "Ben")
		order := match.BidOrder{
			Bidder: get[struct{ ID string }](t, ben, "/api/auth/user").ID, Scope: bids.Scope{Entry: owned[0].ID}, Price: 500, Quantity: 1, Confirmed: 500,
		}
		place := func(tx *db.Tx) error {
			placed, err := (&match.Service{}).Bid(tx, []match.BidOrder{order})
			if err == nil {
				err = placed[0].Err
			}
			return err
		}
		promoted := make(chan struct{})
		done := func() bool {
			select {
			case <-promoted:
				return true
			default:
				return false
			}
		}
		whileUncommitted(t, s, "accounts", place, func() {
			go func() {
				defer close(promoted)
				s.Promote(t, ben)
			}()
		}, done)
		<-promoted
		if stand := countOpenBids(t, s); stand != 0 {
			t.Errorf("an admin has %d open bids", stand)
		}
		if err := s.DB.InTx(t.Context(), place); err == nil || countOpenBids(t, s) != 0 {
			t.Errorf("an admin's bid was not refused: %v", err)
		}
		wantWallet(t, ben, 7500, 0)
		s.Audit(t)
	})
}

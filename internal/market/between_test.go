package market_test

import (
	"slices"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/bids"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/market"
	"kaibao/internal/marketevents"
)

// waits tells whether any transaction waits for another's lock on a row of a table.
func waits(t *testing.T, s *apptest.Server, table string) (some bool) {
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

// openBids is how many open bids there are.
func open(t *testing.T, s *apptest.Server) (number int64) {
	t.Helper()
	if err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
		number, err = db.One(tx, db.Column[int64], `SELECT COUNT(*) FROM bids WHERE state = 'open'`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return number
}

// during does something while a transaction is about to commit, which goes on once the other
// is done, or waits for a row of a table.
func during(t *testing.T, s *apptest.Server, table string, act func(tx *db.Tx) error, meanwhile func(), done func() bool) {
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
	apptest.Until(t, "the two meet", func() bool { return done() || waits(t, s, table) })
	close(commit)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// onPostgres runs a test where transactions run side by side.
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

// A claim that is cancelled brings an entry back: a bid for it is not ended by what was so
// before.
func TestABidOutlivesAClaimThatIsCancelledMeanwhile(t *testing.T) {
	onPostgres(t, func(t *testing.T, s *apptest.Server) {
		_, owned := collector(t, s, "Ann")
		ben, _ := collector(t, s, "Ben")
		entry := owned[0].ID
		bid(t, ben, forEntry(entry, 500))
		exec(t, s, `UPDATE inventory SET state = 'claimed' WHERE id = $1`, entry)
		during(t, s, "inventory", func(tx *db.Tx) error {
			return tx.ExecOne(`UPDATE inventory SET state = 'held' WHERE id = $1`, entry)
		}, func() {
			if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
				return marketevents.Add(tx, marketevents.Event{Kind: marketevents.Left, Entry: entry})
			}); err != nil {
				t.Fatal(err)
			}
		}, func() bool { return open(t, s) == 0 })
		read(t, s)
		if open(t, s) != 1 {
			t.Error("the bid was ended, though its entry is there")
		}
		s.Audit(t)
	})
}

// Where points are money, a bid that is under way when its user becomes an admin does not
// stay, and one that comes later is refused.
func TestABidIsUnderWayWhenItsUserBecomesAnAdmin(t *testing.T) {
	onPostgres(t, func(t *testing.T, s *apptest.Server) {
		_, owned := collector(t, s, "Ann")
		ben, _ := collector(t, s, "Ben")
		order := market.BidOrder{
			Bidder: get[struct{ ID string }](t, ben, "/api/auth/user").ID, Scope: bids.Scope{Entry: owned[0].ID}, Price: bids.Price{Most: 500}, Quantity: 1, Confirmed: 500,
		}
		place := func(tx *db.Tx) error {
			placed, err := (&market.Service{}).Bid(tx, []market.BidOrder{order})
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
		during(t, s, "users", place, func() {
			go func() {
				defer close(promoted)
				s.Promote(t, ben)
			}()
		}, done)
		<-promoted
		if stand := open(t, s); stand != 0 {
			t.Errorf("%d bids of an admin stand", stand)
		}
		if err := s.DB.InTx(t.Context(), place); err == nil || open(t, s) != 0 {
			t.Errorf("an admin bids: %v", err)
		}
		wantWallet(t, ben, 7500, 0)
		s.Audit(t)
	})
}

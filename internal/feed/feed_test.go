package feed

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/eventstream"
	"kaibao/internal/marketevents"
)

// addValuedEvents adds and numbers the given number of events.
func addValuedEvents(t *testing.T, d *db.DB, times int) {
	t.Helper()
	events := make([]marketevents.Event, times)
	for n := range events {
		events[n] = marketevents.Event{Kind: marketevents.Valued, Item: "item-" + strconv.Itoa(n), Price: 5}
	}
	addEvents(t, d, events...)
}

const entryID = "00000000-0000-7000-8000-000000000001"

// addEvents adds and numbers events.
func addEvents(t *testing.T, d *db.DB, events ...marketevents.Event) {
	t.Helper()
	if err := d.InTx(t.Context(), func(tx *db.Tx) error { return marketevents.Add(tx, events...) }); err != nil {
		t.Fatal(err)
	}
	for _, job := range marketevents.Jobs(d) {
		if job.Name == "market events" {
			if _, err := job.Do(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func exec(t *testing.T, d *db.DB, statement string, args ...any) {
	t.Helper()
	if err := d.InTx(t.Context(), func(tx *db.Tx) error { _, err := tx.Exec(statement, args...); return err }); err != nil {
		t.Fatal(err)
	}
}

// node is a service and the job that delivers its events.
type node struct {
	*Service
	follow func()
}

func newNode(t *testing.T, d *db.DB) node {
	t.Helper()
	s := New(d)
	job := marketevents.NewDispatcher(d, s.Handle).Job()
	follow := func() {
		if _, err := job.Do(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	follow() // sets the follower's position
	return node{s, follow}
}

func (n node) read(t *testing.T, last string) eventstream.Next {
	t.Helper()
	next, err := n.open(t.Context(), last)
	if err != nil {
		t.Fatal(err)
	}
	return next
}

// wantEvents reads until nothing more comes, and compares the IDs and kinds of all events.
func wantEvents(t *testing.T, next eventstream.Next, want ...string) {
	t.Helper()
	var got []string
	for {
		text, err := next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(text) == 0 {
			break
		}
		for event := range strings.SplitSeq(strings.TrimSuffix(string(text), "\n\n"), "\n\n") {
			id, rest, _ := strings.Cut(event, "\n")
			kind, _, _ := strings.Cut(rest, "\n")
			got = append(got, strings.TrimPrefix(id, "id: ")+strings.TrimPrefix(kind, "event:"))
		}
	}
	if read, wanted := strings.Join(got, ", "), strings.Join(want, ", "); read != wanted {
		t.Fatalf("read %d events: %.300s, want %d: %.300s", len(got), read, len(want), wanted)
	}
}

// valuedEvents returns the expected events with numbers first to last.
func valuedEvents(first, last int) (want []string) {
	for n := first; n <= last; n++ {
		want = append(want, strconv.Itoa(n)+" value")
	}
	return want
}

// A client that reconnects gets what followed on any node, from memory or the database, and then
// live events.
func TestReconnectContinues(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const many = ringSize + 3*batchSize
		addValuedEvents(t, d, many)
		first := newNode(t, d)
		fresh := first.read(t, "")
		wantEvents(t, fresh, strconv.Itoa(many))
		if last := first.Last(); last != strconv.Itoa(many) {
			t.Fatalf("the last event is %q, want %d", last, many)
		}
		long := first.read(t, "10")
		wantEvents(t, long, valuedEvents(11, many)...)
		wantEvents(t, first.read(t, strconv.Itoa(many-1)), valuedEvents(many, many)...)
		wantEvents(t, first.read(t, strconv.Itoa(many)))

		second := newNode(t, d)
		addValuedEvents(t, d, 3)
		second.follow()
		wantEvents(t, long) // the first node hasn't handled them yet
		ahead := first.read(t, strconv.Itoa(many+2))
		wantEvents(t, ahead)
		first.follow()
		for _, next := range []eventstream.Next{fresh, long, second.read(t, strconv.Itoa(many))} {
			wantEvents(t, next, valuedEvents(many+1, many+3)...)
		}
		wantEvents(t, ahead, valuedEvents(many+3, many+3)...)
	})
}

// A client whose last event is unknown or no longer kept gets a reset.
func TestUnknownEventCausesReset(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const many = ringSize + 2*batchSize
		addValuedEvents(t, d, many)
		n := newNode(t, d)
		head := strconv.Itoa(many)
		for _, unknown := range []string{strconv.Itoa(many + 1), "-1", "x", "9999999999999999999999"} {
			wantEvents(t, n.read(t, unknown), head+" reset")
		}
		exec(t, d, `DELETE FROM market_events WHERE number <= 20`)
		wantEvents(t, n.read(t, "19"), head+" reset")
		wantEvents(t, n.read(t, "20"), valuedEvents(21, many)...)

		reading := n.read(t, "30")
		if text, err := reading(t.Context()); err != nil || len(text) == 0 {
			t.Fatal(err)
		}
		exec(t, d, `DELETE FROM market_events WHERE number <= $1`, ringSize)
		wantEvents(t, reading, head+" reset")
	})
}

// A signed-in reader is told in advance which events are their own, whether these come from memory
// or the database. Apart from that, all readers get the same bytes.
func TestOwnEventsAreNamed(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		n := newNode(t, d)
		read := func(user string, last string) string {
			t.Helper()
			n.viewer = func(context.Context) (string, error) { return user, nil }
			text, err := n.read(t, last)(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
		left := func(users string) marketevents.Event {
			return marketevents.Event{Kind: marketevents.LeftMarket, Item: "item", Entry: entryID, Users: users}
		}
		addEvents(t, d, left("ann"), left("ben ann"), left("ben"), left(""))
		n.follow()
		check := func() {
			t.Helper()
			for _, last := range []string{"0", "1", "2", "3"} {
				shared := read("", last)
				for user, own := range map[string]map[string]string{
					"ann":  {"0": `"1","2"`, "1": `"2"`},
					"ben":  {"0": `"2","3"`, "1": `"2","3"`, "2": `"3"`},
					"carl": {},
				} {
					want := shared
					if ids, ok := own[last]; ok {
						want = "event: own\ndata: {\"ids\":[" + ids + "]}\n\n" + shared
					}
					if got := read(user, last); got != want {
						t.Errorf("after %s %s reads %.300q, want %.300q", last, user, got, want)
					}
				}
			}
		}
		check()
		addValuedEvents(t, d, ringSize+batchSize)
		n.follow()
		check() // now from the database
	})
}

// A reader who falls behind the ring is disconnected and can reconnect.
func TestSlowReaderMustReconnect(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		n := newNode(t, d)
		slow, quick := n.read(t, ""), n.read(t, "")
		wantEvents(t, slow, "0")
		wantEvents(t, quick, "0")
		wantEvents(t, slow) // has caught up
		addValuedEvents(t, d, 10)
		n.follow()
		wantEvents(t, quick, valuedEvents(1, 10)...)
		addValuedEvents(t, d, ringSize+batchSize)
		n.follow()
		if _, err := slow(t.Context()); !errors.Is(err, io.EOF) {
			t.Errorf("the slow reader's stream returned %v, want EOF", err)
		}
		wantEvents(t, n.read(t, "0"), valuedEvents(1, ringSize+batchSize+10)...)
	})
}

// After a restore no number assigned since the backup is reused.
func TestRestoreReusesNoNumbers(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		addValuedEvents(t, d, 5)
		if err := d.InTx(t.Context(), marketevents.Renumber); err != nil {
			t.Fatal(err)
		}
		n := newNode(t, d)
		wantEvents(t, n.read(t, "3"), "4 value", "5 value", "1000000005 reset")
		for _, last := range []string{"5", "7"} { // 7 was sent after the backup
			wantEvents(t, n.read(t, last), "1000000005 reset")
		}
		addValuedEvents(t, d, 1)
		n.follow()
		wantEvents(t, n.read(t, "5"), "1000000006 reset")
		wantEvents(t, n.read(t, "1000000005"), "1000000006 value")
	})
}

// An event of an older version that lacks data becomes a reset.
func TestIncompleteEventCausesReset(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		addValuedEvents(t, d, 2)
		exec(t, d, `UPDATE market_events SET kind = 'traded' WHERE number = 1`)
		n := newNode(t, d)
		wantEvents(t, n.read(t, "0"), "1 reset", "2 value")
	})
}

// When another listener fails, events are delivered again but clients get them only once.
func TestRedeliveryIsNotSentTwice(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := New(d)
		failing := errors.New("out of order")
		job := marketevents.NewDispatcher(d, s.Handle, func(context.Context, []marketevents.Event) error { return failing }).Job()
		if _, err := job.Do(t.Context()); err != nil {
			t.Fatal(err)
		}
		next := node{Service: s}.read(t, "")
		wantEvents(t, next, "0")
		addValuedEvents(t, d, 3)
		for range 2 {
			if _, err := job.Do(t.Context()); !errors.Is(err, failing) {
				t.Errorf("the job returned %v", err)
			}
		}
		wantEvents(t, next, valuedEvents(1, 3)...)
	})
}

package nodes

import (
	"errors"
	"slices"
	"testing"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

func TestLiveNodes(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			clock := dbtest.NewClock()
			o := dbtest.Options(t, engine)
			o.Now = clock.Now
			d := dbtest.Open(t, o)
			live := func(want ...string) (all []Node) {
				t.Helper()
				if err := d.Read(t.Context(), func(tx *db.Tx) (err error) { all, err = Live(tx); return err }); err != nil {
					t.Fatal(err)
				}
				var addresses []string
				for _, n := range all {
					addresses = append(addresses, n.Address)
				}
				if !slices.Equal(addresses, want) {
					t.Errorf("%v are live, want %v", addresses, want)
				}
				return all
			}
			refresh := func(r *Registry, want error) {
				t.Helper()
				if _, err := r.Jobs()[0].Do(t.Context()); !errors.Is(err, want) {
					t.Errorf("the job returns %v, want %v", err, want)
				}
			}
			oldKey, newKey := Key{"seed", "0123456789abcdef"}, Key{"seed", "fedcba9876543210"}
			loaded, problem := []Key{oldKey}, error(nil)
			start := func(address string) *Registry {
				t.Helper()
				r, err := Register(t.Context(), d, address, "v1", func(*db.Tx) ([]Key, error) { return loaded, problem })
				if err != nil {
					t.Fatal(err)
				}
				return r
			}
			first := start("first:1")
			clock.Advance(time.Second)
			second := start("second:2")
			all := live("first:1", "second:2")
			if n := all[0]; n.Host == "" || n.Process == 0 || n.Version != "v1" || !n.Has(oldKey) || n.Has(newKey) || !n.StartedAt.Equal(n.SeenAt) {
				t.Errorf("the first node is %+v", n)
			}

			loaded, problem = []Key{oldKey, newKey}, errors.New("broken file")
			clock.Advance(LiveFor)
			refresh(first, problem) // the keys' problem must not make the node look stopped
			lacking := Lacking(live("first:1", "second:2"), newKey)
			if len(lacking) != 1 || lacking[0].Address != "second:2" {
				t.Errorf("%v lack the new key, want the second node only", lacking)
			}
			if _, err := Register(t.Context(), d, "third:3", "v1", func(*db.Tx) ([]Key, error) { return loaded, problem }); !errors.Is(err, problem) {
				t.Errorf("a node with unusable keys was registered: %v", err)
			}
			clock.Advance(time.Microsecond) // the second node crashed
			live("first:1")
			refresh(second, problem)
			live("first:1", "second:2")

			if err := second.Remove(t.Context()); err != nil {
				t.Fatal(err)
			}
			live("first:1")
			clock.Advance(2 * keptFor)
			problem = nil
			third := start("third:3") // removes the first, which hasn't been seen for long
			count := func() (n int64) {
				if err := d.Read(t.Context(), func(tx *db.Tx) (err error) {
					n, err = db.One(tx, db.Column[int64], `SELECT COUNT(*) FROM nodes`)
					return err
				}); err != nil {
					t.Fatal(err)
				}
				return n
			}
			if n := count(); n != 1 {
				t.Errorf("%d rows are left, want 1", n)
			}
			refresh(first, nil)
			if err := d.InTx(t.Context(), Forget); err != nil || count() != 0 {
				t.Errorf("rows are left in a restored database: %v", err)
			}
			refresh(third, nil)
			if err := third.Remove(t.Context()); err != nil || count() != 0 {
				t.Errorf("the stopped node's row is left: %v", err)
			}
		})
	}
}

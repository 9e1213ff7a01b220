package identity

import (
	"testing"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/httpapi"
)

// update is a change of a user's profile.
func update(handle, name string) *profileInput {
	in := &profileInput{}
	if handle != "" {
		in.Body.Handle = httpapi.NullableUpdate[string]{Given: true, Value: &handle}
	}
	if name != "" {
		in.Body.FirstName = httpapi.NullableUpdate[string]{Given: true, Value: &name}
	}
	return in
}

// Ann takes or loses a handle. Ben wants one that looks like it, or a name, before Ann's transaction
// commits: he waits and is refused. On SQLite, which has a single writer, he comes later.
func TestHandlesOfConcurrentTransactions(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := New(Options{DB: d, HandleKey: HandleKey("key"), HandleAllowed: func(*db.Tx, string) (bool, error) { return true, nil }})
		gaveUp := update("", "")
		gaveUp.Body.Handle.Given = true
		ann := func(in *profileInput) func(tx *db.Tx, id string) error {
			return func(tx *db.Tx, id string) error {
				_, err := s.applyUpdate(tx, id, in)
				return err
			}
		}
		for n, c := range []struct {
			what    string
			had     string
			ann     func(tx *db.Tx, id string) error
			ben     *profileInput
			refused apperr.Code
		}{
			{"two handles", "", ann(update("mei-lin", "")), update("meil1n", ""), apperr.HandleTaken},
			{"a handle and a name", "", ann(update("bobby", "")), update("", "B0bby"), apperr.Invalid},
			{"giving up", "given-up", ann(gaveUp), update("g1ven-up", ""), apperr.HandleTaken},
			{"removal", "removed", func(tx *db.Tx, id string) error {
				_, err := EditProfile(tx, s.HandleKey, id, ProfileEdit{RemoveHandle: true})
				return err
			}, update("removed", ""), apperr.HandleTaken},
			{"deletion", "erased", func(tx *db.Tx, id string) error {
				if err := LockHandles(tx); err != nil {
					return err
				}
				if _, err := MakeDeletionDue(tx, id); err != nil {
					return err
				}
				u, err := ByID(tx, id)
				if err != nil {
					return err
				}
				return Erase(tx, s.HandleKey, u)
			}, update("erased", ""), apperr.HandleTaken},
		} {
			names := []string{"ann" + string(rune('a'+n)), "ben" + string(rune('a'+n))}
			addUsers(t, d, names...)
			annID, benID := dbtest.ID(names[0]), dbtest.ID(names[1])
			if c.had != "" {
				if err := d.InTx(t.Context(), func(tx *db.Tx) error { return ann(update(c.had, ""))(tx, annID) }); err != nil {
					t.Fatal(err)
				}
			}
			refused := make(chan error, 1)
			ben := func() {
				refused <- d.InTx(t.Context(), func(tx *db.Tx) error {
					_, err := s.applyUpdate(tx, benID, c.ben)
					return err
				})
			}
			if err := d.InTx(t.Context(), func(tx *db.Tx) error {
				if err := c.ann(tx, annID); err != nil || d.Engine() == "sqlite" {
					return err
				}
				go ben()
				return untilBlocked(tx, d, func() bool { return len(refused) > 0 })
			}); err != nil {
				t.Fatalf("%s: %v", c.what, err)
			}
			if d.Engine() == "sqlite" {
				ben()
			}
			if err := <-refused; apperr.As(err) == nil || apperr.As(err).Code != c.refused {
				t.Errorf("%s: Ben is refused with %v, want %s", c.what, err, c.refused)
			}
		}
	})
}

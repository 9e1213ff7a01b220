package identity

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/policy"
)

const picture = "https://pictures.example/me.png"

// addUsers creates users without pictures.
func addUsers(t *testing.T, d *db.DB, names ...string) {
	t.Helper()
	err := d.InTx(t.Context(), func(tx *db.Tx) error {
		for _, name := range names {
			if err := insertUser(tx, User{ID: dbtest.ID(name), Address: name, Role: "user", Tag: name}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// showPicture changes the picture that a user shows.
func showPicture(tx *db.Tx, name, imageURL string) error {
	u, err := lockProfile(tx, dbtest.ID(name))
	if err != nil {
		return err
	}
	before := u.ProfileImageURL
	u.ProfileImageURL = imageURL
	if err := updateProfile(tx, u); err != nil {
		return err
	}
	return replacePicture(tx, u, before)
}

// A user who removes a picture doesn't delete it for a user who chooses it concurrently.
func TestPictureChosenConcurrentlyIsNotDeleted(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		if engine == "sqlite" {
			continue // SQLite has a single writer
		}
		d := dbtest.Open(t, dbtest.Options(t, engine))
		addUsers(t, d, "ann", "ben")
		if err := d.InTx(t.Context(), func(tx *db.Tx) error { return showPicture(tx, "ann", picture) }); err != nil {
			t.Fatal(err)
		}
		removed := make(chan error, 1)
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			if err := showPicture(tx, "ben", picture); err != nil {
				return err
			}
			go func() { removed <- d.InTx(t.Context(), func(tx *db.Tx) error { return showPicture(tx, "ann", "") }) }()
			return untilBlocked(tx, d, func() bool { return len(removed) > 0 })
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := <-removed; err != nil {
			t.Fatal(err)
		}
		if n := countPictures(t, d); n != 1 {
			t.Errorf("%d pictures are registered, want Ben's", n)
		}
	}
}

// untilBlocked waits until a transaction on PostgreSQL blocks another one, or that one is done.
func untilBlocked(tx *db.Tx, d *db.DB, done func() bool) error {
	backend, err := db.One(tx, db.Column[int64], `SELECT pg_backend_pid()`)
	for waiting := false; err == nil && !waiting && !done(); runtime.Gosched() {
		err = d.Read(context.Background(), func(tx *db.Tx) (err error) {
			waiting, err = db.One(tx, db.Column[bool], `SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid)))`, backend)
			return err
		})
	}
	return err
}

func countPictures(t *testing.T, d *db.DB) (n int64) {
	t.Helper()
	err := d.Read(t.Context(), func(tx *db.Tx) (err error) {
		n, err = db.One(tx, db.Column[int64], `SELECT COUNT(*) FROM pictures`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// The limit keeps users from making the server request many hosts.
func TestPicturesPerDayAreLimited(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			clock, o := dbtest.NewClock(), dbtest.Options(t, engine)
			o.Now = clock.Now
			d := dbtest.Open(t, o)
			addUsers(t, d, "ann", "ben")
			chosen := 0
			choose := func(name string) error {
				chosen++
				return d.InTx(t.Context(), func(tx *db.Tx) error { return showPicture(tx, name, fmt.Sprintf("https://%d.example/", chosen)) })
			}
			for day := range 2 {
				for i := range policy.MaxPictures {
					if err := choose("ann"); err != nil {
						t.Fatalf("picture %d of day %d: %v", i+1, day+1, err)
					}
				}
				clock.Advance(policy.PicturesWithin - time.Second)
				if err := choose("ann"); !apperr.IsCode(err, apperr.RateLimited) {
					t.Errorf("a picture above the limit on day %d: %v", day+1, err)
				}
				if err := d.InTx(t.Context(), func(tx *db.Tx) error { return showPicture(tx, "ann", "") }); err != nil {
					t.Errorf("switching to the generated picture: %v", err)
				}
				if err := choose("ben"); err != nil {
					t.Errorf("another user's picture: %v", err)
				}
				clock.Advance(time.Second)
			}
			if n := countPictures(t, d); n != 1 {
				t.Errorf("%d pictures are registered, want Ben's", n)
			}
		})
	}
}

package db_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

// insertName inserts a row with a name.
func insertName(tx *db.Tx, name string) error {
	_, err := tx.Exec(`INSERT INTO settings (name, value) VALUES ($1, '')`, name)
	return err
}

// listNames returns the names that insertName inserted.
func listNames(tx *db.Tx) ([]string, error) {
	return db.All(tx, db.Column[string], `SELECT name FROM settings ORDER BY name`)
}

// committedNames returns the names that insertName inserted and that are committed.
func committedNames(t testing.TB, d *db.DB) (found []string) {
	t.Helper()
	err := d.Read(t.Context(), func(tx *db.Tx) (err error) {
		found, err = listNames(tx)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func wantNames(t testing.TB, d *db.DB, want ...string) {
	t.Helper()
	if found := committedNames(t, d); !slices.Equal(found, want) {
		t.Errorf("the committed names are %q, want %q", found, want)
	}
}

func TestInTxIsAtomic(t *testing.T) {
	refused := errors.New("refused")
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		cases := []struct {
			name string
			end  func() error
			want string
		}{
			{"error", func() error { return refused }, "refused"},
			{"panic", func() error { panic("broken") }, "panic in a transaction: broken"},
			{"committed", func() error { return nil }, ""},
		}
		for _, c := range cases {
			err := d.InTx(t.Context(), func(tx *db.Tx) error {
				return errors.Join(insertName(tx, c.name), c.end())
			})
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: returned %v, want %q", c.name, err, c.want)
			}
		}
		wantNames(t, d, "committed")
	})
}

func TestReadIsAReadOnlySnapshot(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		err := d.Read(t.Context(), func(tx *db.Tx) error {
			before, err := listNames(tx)
			if err != nil {
				return err
			}
			if err := d.InTx(t.Context(), func(other *db.Tx) error { return insertName(other, "meanwhile") }); err != nil {
				return err
			}
			after, err := listNames(tx)
			if len(before) != 0 || len(after) != 0 {
				t.Errorf("saw %q, then %q", before, after)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Read(t.Context(), func(tx *db.Tx) error { return insertName(tx, "written") }); err == nil {
			t.Error("Read allowed a write")
		}
		wantNames(t, d, "meanwhile")
	})
}

func TestPlaceholdersAreNumbered(t *testing.T) {
	const eleven = "CAST($11 AS TEXT) || CAST($1 AS TEXT) || CAST($10 AS TEXT) || $2 || $3 || $4 || $5 || $6 || $7 || $8 || $9"
	cases := []struct{ query, want string }{
		{"SELECT CAST($1 AS TEXT) || CAST($2 AS TEXT)", "ab"},
		{"SELECT CAST($2 AS TEXT) || CAST($1 AS TEXT)", "ba"},
		{"SELECT CAST($2 AS TEXT) || CAST($1 AS TEXT) || $2 || $1 || $1", "babaa"},
		{"SELECT " + eleven, "kajbcdefghi"},
	}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for i, c := range cases {
			args := []any{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"}
			if i < len(cases)-1 {
				args = args[:2]
			}
			read := func(tx *db.Tx) error {
				got, err := db.One(tx, db.Column[string], c.query, args...)
				if got != c.want {
					t.Errorf("%s returned %q, want %q", c.query, got, c.want)
				}
				return err
			}
			if err := errors.Join(d.Read(t.Context(), read), d.InTx(t.Context(), read)); err != nil {
				t.Errorf("%s: %v", c.query, err)
			}
		}
	})
}

// These statements violate a constraint; the duplicates only when they run twice.
const (
	violatesForeignKey   = `INSERT INTO stock (item_id, pack_id, remaining) VALUES ('none', 'none', $1)`
	duplicatesPrimaryKey = `INSERT INTO settings (name, value) VALUES ('twice', $1)`
	violatesCheck        = `INSERT INTO transfers (id, debit, credit, amount_cents, kind, ref, created_at)
		VALUES ('019cb8b8-1e01-7fff-bfff-ffffffffffff', 'a', 'b', -1, $1, '019cb8b8-1e01-7fff-bfff-ffffffffffff', 0)`
	duplicatesUniqueKey = `INSERT INTO log_tree (epoch, origin, size, root) VALUES ($1, 'same', 0, '')`
)

// Constraints apply to plain statements and to those with RETURNING. Only a second unique value is
// classified as a duplicate.
func TestConstraintsAreEnforced(t *testing.T) {
	cases := []struct {
		name, statement string
		duplicate       bool
	}{
		{"foreign key", violatesForeignKey, false},
		{"check", violatesCheck, false},
		{"primary key", duplicatesPrimaryKey, true},
		{"unique", duplicatesUniqueKey, true},
	}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		first := func(tx *db.Tx) error {
			_, err := tx.Exec(duplicatesPrimaryKey, "1")
			_, err2 := tx.Exec(duplicatesUniqueKey, "1")
			return errors.Join(err, err2)
		}
		if err := d.InTx(t.Context(), first); err != nil {
			t.Fatal(err)
		}
		for _, c := range cases {
			plain := func(tx *db.Tx) error {
				_, err := tx.Exec(c.statement, "2")
				return err
			}
			returning := func(tx *db.Tx) error {
				_, err := db.One(tx, db.Column[int], c.statement+" RETURNING 1", "2")
				return err
			}
			for form, act := range map[string]func(*db.Tx) error{"plain": plain, "returning": returning} {
				err := d.InTx(t.Context(), act)
				if err == nil || db.IsDuplicate(fmt.Errorf("wrapped: %w", err)) != c.duplicate {
					t.Errorf("%s, %s: %v, IsDuplicate %t, want %t", c.name, form, err, db.IsDuplicate(err), c.duplicate)
				}
			}
		}
	})
}

func TestExecOneAndOneReturnErrNoRow(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			return tx.ExecOne(`UPDATE settings SET value = 'x' WHERE name = $1`, "nobody")
		})
		if !errors.Is(err, db.ErrNoRow) {
			t.Errorf("ExecOne: %v", err)
		}
		err = d.Read(t.Context(), func(tx *db.Tx) error {
			_, err := db.One(tx, db.Column[string], `SELECT value FROM settings WHERE name = $1`, "nobody")
			return err
		})
		if !errors.Is(err, db.ErrNoRow) {
			t.Errorf("One: %v", err)
		}
	})
}

func TestNewIDIsAUUIDv7OfTheTransactionsTime(t *testing.T) {
	clock := dbtest.NewClock()
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			o := dbtest.Options(t, engine)
			o.Now = func() time.Time { return clock.Now().Add(1234567 * time.Nanosecond) }
			o.Random = strings.NewReader(strings.Repeat("\xff", 32))
			var ids []string
			err := dbtest.Open(t, o).InTx(t.Context(), func(tx *db.Tx) error {
				ids = []string{tx.NewID(), tx.NewID()}
				if want := clock.Now().Add(1234 * time.Microsecond); !tx.Now.Equal(want) || tx.Now.Location() != time.UTC {
					t.Errorf("the transaction's time is %v, want %v", tx.Now, want)
				}
				return nil
			})
			// 2026-03-04T12:00:00.001Z is 0x019cb8b81e01 milliseconds after 1970.
			want := "019cb8b8-1e01-7fff-bfff-ffffffffffff"
			if err != nil || ids[0] != want || ids[1] != want {
				t.Errorf("NewID returned %v (%v), want %s", ids, err, want)
			}
		})
	}
}

// AnnouncedAt is the beginning of the transaction, or later after AnnounceNow. A transaction that misses
// its CommitBy deadline is rolled back.
func TestCommitByRollsBackLateTransactions(t *testing.T) {
	clock := dbtest.NewClock()
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			o := dbtest.Options(t, engine)
			o.Now = clock.Now
			d := dbtest.Open(t, o)
			for name, c := range map[string]struct {
				by, after time.Duration // since the beginning
				committed bool
			}{
				"in time": {time.Second, time.Second, true},
				"late":    {time.Second, time.Second + time.Microsecond, false},
			} {
				err := d.InTx(t.Context(), func(tx *db.Tx) error {
					if !tx.AnnouncedAt.Equal(tx.Now) {
						t.Errorf("announced at %v, begun at %v", tx.AnnouncedAt, tx.Now)
					}
					began := tx.Now
					tx.CommitBy(began.Add(c.by), "Too late.")
					tx.CommitBy(began.Add(time.Hour), "Much too late.")
					clock.Advance(c.after)
					tx.AnnounceNow()
					if !tx.AnnouncedAt.Equal(began.Add(c.after)) || !tx.Now.Equal(began) {
						t.Errorf("announced at %v and Now is %v, begun at %v", tx.AnnouncedAt, tx.Now, began)
					}
					return insertName(tx, name)
				})
				if c.committed != (err == nil) || !c.committed && !apperr.IsCode(err, apperr.Unavailable) {
					t.Errorf("%s: %v", name, err)
				}
			}
			wantNames(t, d, "in time")
		})
	}
}

func TestMissingRandomnessFailsTheTransaction(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			o := dbtest.Options(t, engine)
			o.Random = strings.NewReader("short")
			d := dbtest.Open(t, o)
			if err := d.InTx(t.Context(), func(tx *db.Tx) error { return insertName(tx, tx.NewID()) }); err == nil {
				t.Error("an id was made with too few random bytes")
			}
			wantNames(t, d)
		})
	}
}

// A transaction that runs past its RestartAfter deadline is rolled back and runs again with a new time.
func TestRestartAfterRunsLateTransactionsAgain(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			clock, o := dbtest.NewClock(), dbtest.Options(t, engine)
			o.Now = clock.Now
			d := dbtest.Open(t, o)
			var began []time.Time
			if err := d.InTx(t.Context(), func(tx *db.Tx) error {
				began = append(began, tx.Now)
				tx.RestartAfter(tx.Now.Add(time.Second))
				tx.RestartAfter(tx.Now.Add(time.Hour))
				if len(began) == 1 {
					clock.Advance(2 * time.Second)
				}
				return insertName(tx, fmt.Sprint(len(began)))
			}); err != nil {
				t.Fatal(err)
			}
			if len(began) != 2 || began[1].Sub(began[0]) != 2*time.Second {
				t.Errorf("the transaction began at %v, want a second time 2 s after the first", began)
			}
			wantNames(t, d, "2")
		})
	}
}

// A closure that returns ErrAgain runs again from a clean state, but not forever.
func TestInTxRetriesAndGivesUp(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for _, c := range []struct {
			failures  int
			committed bool
		}{{1, true}, {7, true}, {8, false}, {100, false}} {
			name, runs := fmt.Sprint("after ", c.failures), 0
			err := d.InTx(t.Context(), func(tx *db.Tx) error {
				runs++
				if runs > c.failures {
					return insertName(tx, name)
				}
				return errors.Join(insertName(tx, name), db.ErrAgain)
			})
			if c.committed && err != nil || !c.committed && !apperr.IsCode(err, apperr.Unavailable) || runs != min(c.failures+1, 8) {
				t.Errorf("%d failures: ran %d times and returned %v", c.failures, runs, err)
			}
		}
		wantNames(t, d, "after 1", "after 7")
	})
}

func TestAClosedDatabaseIsUnavailable(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			d, err := db.Open(t.Context(), dbtest.Options(t, engine))
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(d.Close(), d.Close()); err != nil {
				t.Errorf("close, twice: %v", err)
			}
			nothing := func(*db.Tx) error { return nil }
			for name, err := range map[string]error{"InTx": d.InTx(t.Context(), nothing), "Read": d.Read(t.Context(), nothing)} {
				if !apperr.IsCode(err, apperr.Unavailable) {
					t.Errorf("%s returned %v", name, err)
				}
			}
		})
	}
}

// A COMMIT may fail before or after it takes effect. The caller gets ErrUnknownCommit, and the next
// transaction works.
func TestUnknownCommit(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		for _, persisted := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, persisted %t", engine, persisted), func(t *testing.T) {
				o, fail := dbtest.Options(t, engine), false
				o.Commit = func(commit func() error) error {
					if !fail {
						return commit()
					}
					if persisted {
						_ = commit()
					}
					return errors.New("the connection broke")
				}
				d := dbtest.Open(t, o)
				fail = true
				runs := 0
				err := d.InTx(t.Context(), func(tx *db.Tx) error {
					tx.AfterCommit(func() { runs++ })
					return insertName(tx, "in doubt")
				})
				fail = false
				if !errors.Is(err, db.ErrUnknownCommit) || runs != 1 {
					t.Errorf("returned %v and ran AfterCommit %d times", err, runs)
				}
				if err := d.InTx(t.Context(), func(tx *db.Tx) error { return insertName(tx, "next") }); err != nil {
					t.Errorf("the next transaction: %v", err)
				}
				want := []string{"in doubt", "next"}
				if !persisted {
					want = want[1:]
				}
				wantNames(t, d, want...)
			})
		}
	}
}

// AfterCommit runs once for a committed transaction, and not for a failed attempt.
func TestAfterCommit(t *testing.T) {
	refused := errors.New("refused")
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for _, c := range []struct {
			name string
			ends []error // result of each attempt
			want []int
		}{
			{"committed", []error{nil}, []int{1}},
			{"refused", []error{refused}, nil},
			{"committed at the second attempt", []error{db.ErrAgain, nil}, []int{2}},
		} {
			var ranFor []int
			attempts := 0
			err := d.InTx(t.Context(), func(tx *db.Tx) error {
				attempts++
				attempt := attempts
				tx.AfterCommit(func() {
					if !slices.Contains(committedNames(t, d), c.name) {
						t.Errorf("%s: AfterCommit ran before the commit", c.name)
					}
					ranFor = append(ranFor, attempt)
				})
				return errors.Join(c.ends[attempts-1], insertName(tx, c.name))
			})
			if !slices.Equal(ranFor, c.want) || (err == nil) != (c.want != nil) {
				t.Errorf("%s: %v, AfterCommit ran for attempts %v, want %v", c.name, err, ranFor, c.want)
			}
		}
	})
}

// Both engines refuse the same text, wherever it occurs. Otherwise they would behave differently.
func TestInvalidTextIsRefused(t *testing.T) {
	type kind string
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for _, text := range []string{"\x00", "a\x00b", "\xff", "\xed\xa0\x80"} {
			for name, use := range map[string]func(tx *db.Tx) error{
				"argument": func(tx *db.Tx) error { return insertName(tx, text) },
				"row": func(tx *db.Tx) error {
					return tx.InsertRows("settings", db.Rows{Columns: []string{"name", "value"}, Values: [][]any{{text, ""}}})
				},
				"pointer": func(tx *db.Tx) error {
					_, err := tx.Exec(`INSERT INTO settings (name, value) VALUES ($1, '')`, &text)
					return err
				},
				"query": func(tx *db.Tx) error {
					_, err := db.All(tx, db.Column[string], `SELECT name FROM settings WHERE name = $1`, kind(text))
					return err
				},
			} {
				if err := d.InTx(t.Context(), use); !db.IsBadText(err) {
					t.Errorf("%q as %s: %v", text, name, err)
				}
			}
		}
		wantNames(t, d)
	})
}

package db_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

// writeAct writes a row whose key is an id, and which names another that may be NULL.
func writeAct(tx *db.Tx, id, user db.ID) error {
	rows := db.Rows{Columns: []string{"id", "user_id", "act", "path", "request", "subject", "was", "became", "reason", "created_at"}}
	rows.Add(id, user, "act", "", "", "subject", "", "", "", int64(0))
	return tx.InsertRows("admin_acts", rows)
}

// An id is found as it was written, in whatever way it is asked for, and in no other
// form; what is no id is not found, and no failure.
func TestIDsAreLookedFor(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var id string
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			id = tx.NewID()
			return writeAct(tx, db.ID(id), "")
		})
		if err != nil {
			t.Fatal(err)
		}
		ways := map[string]func(tx *db.Tx, id string) ([]string, error){
			"as text": func(tx *db.Tx, id string) ([]string, error) {
				return db.All(tx, db.Column[string], `SELECT id FROM admin_acts WHERE id = $1 AND user_id IS NULL`, id)
			},
			"soon": func(tx *db.Tx, id string) ([]string, error) {
				found := db.Queue(tx, db.Column[string], `SELECT id FROM admin_acts WHERE id = $1`, id)
				if _, err := db.One(tx, db.Column[int64], `SELECT 1`); err != nil {
					return nil, err
				}
				one, err := found()
				if errors.Is(err, db.ErrNoRow) {
					return nil, nil
				}
				return []string{one}, err
			},
			"in a list": func(tx *db.Tx, id string) ([]string, error) {
				return db.All(tx, db.Column[string], `SELECT id FROM admin_acts WHERE `+tx.InList("id", "$1"), db.List{"other", id})
			},
			"in rows": func(tx *db.Tx, id string) ([]string, error) {
				rows := db.Rows{Columns: []string{"id"}}
				rows.Add(db.ID(id))
				return db.AllWith(tx, db.Column[string], rows, `SELECT a.id FROM v JOIN admin_acts a ON a.id = v.id`)
			},
			"in a column of text": func(tx *db.Tx, id string) ([]string, error) {
				rows := db.Rows{Columns: []string{"text"}}
				rows.Add(id)
				return db.AllWith(tx, db.Column[string], rows, `SELECT a.id FROM v JOIN admin_acts a ON a.id = `+tx.AsID("v.text"))
			},
			"behind the first": func(tx *db.Tx, id string) ([]string, error) {
				return db.All(tx, db.Column[string], `SELECT id FROM admin_acts WHERE id >= $1 AND id <= $2 AND id < $3`, "", id, db.BehindIDs)
			},
		}
		for name, find := range ways {
			for asked, ok := range map[string]bool{
				id: true, "": false, "house:packs": false, strings.ToUpper(id): false, strings.ReplaceAll(id, "-", ""): false, id[:35] + "g": false,
			} {
				if name == "behind the first" && asked != id {
					continue // by text, some of these are behind
				}
				err := d.Read(t.Context(), func(tx *db.Tx) error {
					found, err := find(tx, asked)
					if (len(found) == 1 && found[0] == id) != ok || len(found) > 1 {
						t.Errorf("%s, %q is found as %q", name, asked, found)
					}
					return err
				})
				if err != nil {
					t.Errorf("%s, %q: %v", name, asked, err)
				}
			}
		}
	})
}

// What is no id is not written by an engine that knows ids apart.
func TestWhatIsNoIDIsNotWritten(t *testing.T) {
	eachWithRivals(t, func(t *testing.T, d *db.DB) {
		for name, write := range map[string]func(tx *db.Tx) error{
			"in rows":     func(tx *db.Tx) error { return writeAct(tx, "none", "") },
			"and no NULL": func(tx *db.Tx) error { return writeAct(tx, "", "") },
			"alone": func(tx *db.Tx) error {
				return tx.ExecOne(`INSERT INTO users (id, wallet_address, tag, tag_salt, created_at) VALUES ($1, 'a', 't', '', 0)`, "none")
			},
		} {
			if d.InTx(t.Context(), write) == nil {
				t.Errorf("%s: it was", name)
			}
		}
	})
}

func TestAnIDIsPacked(t *testing.T) {
	const id = "019cb8b8-1e01-7fff-bfff-ffffffffffff"
	packed, err := db.ID(id).Packed()
	again, err2 := db.Unpacked(packed)
	if err := errors.Join(err, err2); err != nil || len(packed) != 16 || again != id {
		t.Errorf("%s is %x and again %s (%v)", id, packed, again, err)
	}
	if _, err := db.ID("none").Packed(); err == nil {
		t.Error("what is no id was packed")
	}
	if _, err := db.Unpacked(packed[1:]); err == nil {
		t.Error("what is no id was unpacked")
	}
}

// A list of nothing has nothing in it, and everything is outside of it.
func TestNothingIsInAnEmptyList(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for _, empty := range []db.List{nil, {}} {
			err := d.Read(t.Context(), func(tx *db.Tx) error {
				in, err := db.All(tx, db.Column[string], `SELECT name FROM (SELECT 'x' AS name) n WHERE `+tx.InList("name", "$1"), empty)
				if err != nil {
					return err
				}
				out, err := db.All(tx, db.Column[string], `SELECT name FROM (SELECT 'x' AS name) n WHERE NOT `+tx.InList("name", "$1"), empty)
				if len(in) != 0 || len(out) != 1 {
					t.Errorf("%#v: %v in it, %v outside", empty, in, out)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestAnIDTellsWhenItWasMade(t *testing.T) {
	clock := dbtest.NewClock()
	d := dbtest.Open(t, db.Options{Dir: t.TempDir(), Now: clock.Now})
	err := d.InTx(t.Context(), func(tx *db.Tx) error {
		if at := db.ID(tx.NewID()).Time(); !at.Equal(tx.Now.Truncate(time.Millisecond)) {
			t.Errorf("made at %s, tells %s", tx.Now, at)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if at := db.ID("none").Time(); at.UnixMilli() != 0 {
		t.Errorf("what is none tells %s", at)
	}
}

// An id is read in the one form in which it is written.
func TestParseID(t *testing.T) {
	const id = "019cb8b8-1e00-7fa1-aa28-c41892deea14"
	if read, ok := db.ParseID(id); !ok || read.String() != id {
		t.Errorf("%s is read as %s, %t", id, read, ok)
	}
	for _, other := range []string{
		"", id[:35], id + "0", strings.ToUpper(id), strings.ReplaceAll(id, "-", "0"), "g" + id[1:], id[:35] + "/", id[:35] + ":", "é" + id[2:],
		id[:7] + "-" + id[7:8] + id[9:], "{" + id[1:35] + "}",
	} {
		if read, ok := db.ParseID(other); ok || read != (db.UUID{}) {
			t.Errorf("%q is read as %s, %t", other, read, ok)
		}
	}
}

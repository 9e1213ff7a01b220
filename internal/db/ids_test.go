package db_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

// insertAct inserts a row with the key id and a user_id that may be NULL.
func insertAct(tx *db.Tx, id, user db.ID) error {
	rows := db.Rows{Columns: []string{"id", "user_id", "act", "path", "request", "subject", "was", "became", "reason", "created_at"}}
	rows.Add(id, user, "act", "", "", "subject", "", "", "", int64(0))
	return tx.InsertRows("admin_acts", rows)
}

// A query finds an id however it is passed, but only in the format of NewID. Text that is no id finds
// nothing and is no error.
func TestQueriesFindIDs(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var id string
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			id = tx.NewID()
			return insertAct(tx, db.ID(id), "")
		})
		if err != nil {
			t.Fatal(err)
		}
		queries := map[string]func(tx *db.Tx, id string) ([]string, error){
			"as text": func(tx *db.Tx, id string) ([]string, error) {
				return db.All(tx, db.Column[string], `SELECT id FROM admin_acts WHERE id = $1 AND user_id IS NULL`, id)
			},
			"queued": func(tx *db.Tx, id string) ([]string, error) {
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
			"in a range": func(tx *db.Tx, id string) ([]string, error) {
				return db.All(tx, db.Column[string], `SELECT id FROM admin_acts WHERE id >= $1 AND id <= $2 AND id < $3`, "", id, db.MaxID)
			},
		}
		for name, find := range queries {
			for text, ok := range map[string]bool{
				id: true, "": false, "house:packs": false, strings.ToUpper(id): false, strings.ReplaceAll(id, "-", ""): false, id[:35] + "g": false,
			} {
				if name == "in a range" && text != id {
					continue // as text, some of these are in the range
				}
				err := d.Read(t.Context(), func(tx *db.Tx) error {
					found, err := find(tx, text)
					if (len(found) == 1 && found[0] == id) != ok || len(found) > 1 {
						t.Errorf("%s: searched for %q, found %q", name, text, found)
					}
					return err
				})
				if err != nil {
					t.Errorf("%s, %q: %v", name, text, err)
				}
			}
		}
	})
}

// An engine with a column type for ids refuses to write text that is no id.
func TestInvalidIDsAreRefused(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		if d.Engine() == "sqlite" {
			return // ids are text
		}
		for name, write := range map[string]func(tx *db.Tx) error{
			"in rows":  func(tx *db.Tx) error { return insertAct(tx, "none", "") },
			"NULL key": func(tx *db.Tx) error { return insertAct(tx, "", "") },
			"as text": func(tx *db.Tx) error {
				return tx.ExecOne(`INSERT INTO users (id, wallet_address, tag, tag_salt, created_at) VALUES ($1, 'a', 't', '', 0)`, "none")
			},
		} {
			if d.InTx(t.Context(), write) == nil {
				t.Errorf("%s: an invalid id was written", name)
			}
		}
	})
}

func TestPackedIDRoundTrip(t *testing.T) {
	const id = "019cb8b8-1e01-7fff-bfff-ffffffffffff"
	packed, err := db.ID(id).Packed()
	again, err2 := db.UnpackID(packed)
	if err := errors.Join(err, err2); err != nil || len(packed) != 16 || again != id {
		t.Errorf("packed %s as %x, unpacked %s (%v)", id, packed, again, err)
	}
	if _, err := db.ID("none").Packed(); err == nil {
		t.Error("an invalid id was packed")
	}
	if _, err := db.UnpackID(packed[1:]); err == nil {
		t.Error("15 bytes were unpacked")
	}
}

// An empty list matches nothing under IN, and everything under NOT IN.
func TestEmptyListMatchesNothing(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for _, empty := range []db.List{nil, {}} {
			err := d.Read(t.Context(), func(tx *db.Tx) error {
				in, err := db.All(tx, db.Column[string], `SELECT name FROM (SELECT 'x' AS name) n WHERE `+tx.InList("name", "$1"), empty)
				if err != nil {
					return err
				}
				out, err := db.All(tx, db.Column[string], `SELECT name FROM (SELECT 'x' AS name) n WHERE NOT `+tx.InList("name", "$1"), empty)
				if len(in) != 0 || len(out) != 1 {
					t.Errorf("%#v: in %v, not in %v", empty, in, out)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestIDTime(t *testing.T) {
	clock := dbtest.NewClock()
	d := dbtest.Open(t, db.Options{Dir: t.TempDir(), Now: clock.Now})
	err := d.InTx(t.Context(), func(tx *db.Tx) error {
		if at := db.ID(tx.NewID()).Time(); !at.Equal(tx.Now.Truncate(time.Millisecond)) {
			t.Errorf("the id was made at %s, but Time returns %s", tx.Now, at)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if at := db.ID("none").Time(); at.UnixMilli() != 0 {
		t.Errorf("an invalid id has the time %s", at)
	}
}

// ParseID accepts only the form in which ids are written.
func TestParseID(t *testing.T) {
	const id = "019cb8b8-1e00-7fa1-aa28-c41892deea14"
	if read, ok := db.ParseID(id); !ok || read.String() != id {
		t.Errorf("parsed %s as %s, %t", id, read, ok)
	}
	for _, other := range []string{
		"", id[:35], id + "0", strings.ToUpper(id), strings.ReplaceAll(id, "-", "0"), "g" + id[1:], id[:35] + "/", id[:35] + ":", "é" + id[2:],
		id[:7] + "-" + id[7:8] + id[9:], "{" + id[1:35] + "}",
	} {
		if read, ok := db.ParseID(other); ok || read != (db.UUID{}) {
			t.Errorf("parsed %q as %s, %t", other, read, ok)
		}
	}
}

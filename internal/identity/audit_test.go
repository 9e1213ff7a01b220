package identity

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/policy"
)

// The audit reports handles that no user could have taken, and handles of deleted users.
func TestAuditFindsWrongHandles(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		addUsers(t, d, "ann")
		ahead := d.Now().Add(5 * time.Second) // at another node
		const took = `UPDATE users SET handle = 'mei-lin', handle_folded = 'rneiiin', handle_changed_at = 1`
		const reserve = `INSERT INTO handle_reservations (hash, user_id, expires_at) SELECT tag_salt, id, `
		for _, c := range []struct{ statement, then, found string }{
			{took, "", ""},
			{took, `UPDATE users SET is_public = TRUE, public_language = 'en'`, ""},
			{reserve + "1 FROM users", "", ""},
			{took, fmt.Sprint(`UPDATE users SET handle_changed_at = `, db.Micros(ahead)), ""},
			{reserve + fmt.Sprint(db.Micros(ahead.Add(policy.HandleReserved)), " FROM users"), "", ""},
			{took, `UPDATE users SET handle_folded = 'meilin'`, `has the handle "mei-lin", folded as "meilin"`},
			{took, `UPDATE users SET handle = 'Mei-lin'`, `has the handle "Mei-lin"`},
			{took, `UPDATE users SET handle_changed_at = 0`, `took the handle "mei-lin" at`},
			{took, `UPDATE users SET handle_changed_at = 9000000000000000`, `took the handle "mei-lin" at`},
			{took, `UPDATE users SET deleted_at = 1`, "has the handle mei-lin"},
			{`UPDATE users SET handle_changed_at = 1, deleted_at = 1`, "", "has the handle "},
			{reserve + "1 FROM users", `UPDATE users SET deleted_at = 1`, "could take back a handle until 1"},
			{reserve + "9000000000000000 FROM users", "", "has a handle reserved until 9000000000000000"},
		} {
			if err := d.InTx(t.Context(), func(tx *db.Tx) error {
				for _, statement := range []string{
					`DELETE FROM handle_reservations`,
					`UPDATE users SET handle = '', handle_folded = '', handle_changed_at = 0, is_public = FALSE, public_language = '', deleted_at = NULL`,
					c.statement, c.then,
				} {
					if statement == "" {
						continue
					}
					if _, err := tx.Exec(statement); err != nil {
						return err
					}
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			var found []string
			if err := d.Read(t.Context(), func(tx *db.Tx) error {
				breaches, err := Audit(tx)
				for _, b := range breaches {
					found = append(found, b.Row+" "+b.Detail)
				}
				return err
			}); err != nil {
				t.Fatal(err)
			}
			switch {
			case c.found == "" && len(found) > 0, c.found != "" && (len(found) != 1 || !strings.Contains(found[0], c.found)):
				t.Errorf("after %s; %s: found %q, want %q", c.statement, c.then, found, c.found)
			}
		}
		for _, refused := range []string{
			`UPDATE users SET handle = '', handle_folded = '', is_public = TRUE, public_language = 'en'`,
			`UPDATE users SET handle = 'ann', handle_folded = ''`,
			`UPDATE users SET handle = 'ann', handle_folded = 'ann', is_public = TRUE, public_language = ''`,
		} {
			if err := d.InTx(t.Context(), func(tx *db.Tx) error {
				_, err := tx.Exec(refused)
				return err
			}); err == nil {
				t.Errorf("the schema allows %s", refused)
			}
		}
	})
}

package apptest

import "testing"

func TestTableLockedByStatement(t *testing.T) {
	for statement, table := range map[string]string{
		"SELECT id FROM accounts WHERE id = $1\n FOR UPDATE":                                      "accounts",
		"WITH v(a) AS (SELECT * FROM unnest($1::text[])) UPDATE stock SET a = v.a FROM v":         "stock",
		"WITH v(a) AS (SELECT * FROM unnest($1::text[])) INSERT INTO leaders (a) SELECT * FROM v": "",
		"INSERT INTO leaders (a) SELECT * FROM v WHERE TRUE\n ON CONFLICT (a) DO NOTHING":         "leaders",
		"DELETE FROM sessions WHERE id IN (SELECT id FROM sessions FOR UPDATE SKIP LOCKED)":       "sessions",
		"SELECT id FROM users WHERE id = $1":                                                      "",
	} {
		if found := lockedBy(statement); found != table {
			t.Errorf("%s: %q, want %q", statement, found, table)
		}
	}
}

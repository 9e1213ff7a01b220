package db

// Pin writes a setting if it has no value yet, and returns the one it has.
func Pin(tx *Tx, name, value string) (string, error) {
	if _, err := tx.Exec(`INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING`, name, value); err != nil {
		return "", err
	}
	return One(tx, Column[string], `SELECT value FROM settings WHERE name = $1`, name)
}

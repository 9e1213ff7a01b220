package db

import "errors"

// Pin writes a setting if it has no value yet, and returns the one it has.
func Pin(tx *Tx, name, value string) (string, error) {
	if _, err := tx.Exec(`INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING`, name, value); err != nil {
		return "", err
	}
	return One(tx, Column[string], `SELECT value FROM settings WHERE name = $1`, name)
}

// Note writes a setting, whatever it was before.
func Note(tx *Tx, name, value string) error {
	_, err := tx.Exec(`INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, value)
	return err
}

// Noted is a setting, "" if it was never written.
func Noted(tx *Tx, name string) (string, error) {
	value, err := One(tx, Column[string], `SELECT value FROM settings WHERE name = $1`, name)
	if errors.Is(err, ErrNoRow) {
		return "", nil
	}
	return value, err
}

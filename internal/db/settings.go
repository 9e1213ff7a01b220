package db

import "errors"

// Pin stores a setting unless it already has a value, and returns the stored value.
func Pin(tx *Tx, name, value string) (string, error) {
	if _, err := tx.Exec(`INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING`, name, value); err != nil {
		return "", err
	}
	return One(tx, Column[string], `SELECT value FROM settings WHERE name = $1`, name)
}

// Note stores a setting, replacing any earlier value.
func Note(tx *Tx, name, value string) error {
	_, err := tx.Exec(`INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, value)
	return err
}

// Noted returns a setting, "" if it was never stored.
func Noted(tx *Tx, name string) (string, error) {
	value, err := One(tx, Column[string], `SELECT value FROM settings WHERE name = $1`, name)
	if errors.Is(err, ErrNoRow) {
		return "", nil
	}
	return value, err
}

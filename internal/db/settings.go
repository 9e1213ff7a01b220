package db

import "errors"

// InitSetting stores a setting unless it already has a value. It returns the stored value.
func InitSetting(tx *Tx, name, value string) (string, error) {
	if _, err := tx.Exec(`INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING`, name, value); err != nil {
		return "", err
	}
	return One(tx, Column[string], `SELECT value FROM settings WHERE name = $1`, name)
}

// SetSetting stores a setting, replacing any earlier value.
func SetSetting(tx *Tx, name, value string) error {
	_, err := tx.Exec(`INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, value)
	return err
}

// Setting returns the value of a setting, or an empty string if it was never stored.
func Setting(tx *Tx, name string) (string, error) {
	value, err := One(tx, Column[string], `SELECT value FROM settings WHERE name = $1`, name)
	if errors.Is(err, ErrNoRow) {
		return "", nil
	}
	return value, err
}

// Package leaderboard shows recent pulls and the users who lead each leaderboard.
package leaderboard

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"kaibao/internal/catalogue"
	"kaibao/internal/money"
)

// Activity is one recent open. Its id and its exact time stand in the public log
// beside the player's tag, so everybody else gets Handle and Minute.
type Activity struct {
	OpeningID string
	player    string // tag in the log
	secret    []byte // the player's own
	FirstName string // empty without one
	PackID    string
	PackName  string
	At        time.Time
	Best      Pull
}

// Handle names the record to those who cannot know which open it is.
func (a Activity) Handle() string {
	mac := hmac.New(sha256.New, a.secret)
	mac.Write([]byte("activity " + a.OpeningID))
	return hex.EncodeToString(mac.Sum(nil)[:16])
}

// Minute is the time as exactly as everybody may know it.
func (a Activity) Minute() time.Time { return a.At.Truncate(time.Minute) }

// Pull is the most valuable item of an open, with its value in the manifest that
// it was drawn by.
type Pull struct {
	Item  catalogue.Item
	Value money.Cents
}

// recentSize is twice what the admin page shows, and no page shows more.
const recentSize = 20

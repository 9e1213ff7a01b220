package leaderboard

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"kaibao/internal/catalogue"
	"kaibao/internal/money"
)

// Activity is one recent open. The public log has its id and exact time next to the player's
// pseudonym, so the public gets PublicID and Minute instead.
type Activity struct {
	OpeningID  string
	player     string // user tag in the log
	secret     []byte // per player; keys PublicID
	FirstName  string // may be empty
	Handle     string // empty unless the player is public
	PackID     string
	PackName   string
	PackNameZH string // empty = none
	At         time.Time
	Best       Pull
}

// PublicID returns an id for the record that does not reveal which open it is.
func (a Activity) PublicID() string {
	mac := hmac.New(sha256.New, a.secret)
	mac.Write([]byte("activity " + a.OpeningID))
	return hex.EncodeToString(mac.Sum(nil)[:16])
}

// Minute returns the time to the minute, which is as precise as the public may know.
func (a Activity) Minute() time.Time { return a.At.Truncate(time.Minute) }

// Pull is the most valuable item of an open, with its value in the manifest it was drawn by.
type Pull struct {
	Item  catalogue.Item
	Value money.Cents
}

// recentSize is how many opens are returned. No page shows more, and the admin page half as many.
const recentSize = 20

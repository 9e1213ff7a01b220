// Package leaderboard shows recent pulls and the users who lead each leaderboard. A job counts each
// user's opens from the public log (standings.go).
package leaderboard

import (
	"slices"
	"strconv"

	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/identity"
	"kaibao/internal/imageproxy"
	"kaibao/internal/limits"
)

// storedLeaders is how many leaders of each ranking are stored, and the maximum length of a list.
const storedLeaders = 200

func tagsOf(list []leader) []string {
	tags := make([]string, len(list))
	for n, l := range list {
		tags[n] = l.Player
	}
	return tags
}

// profile is a player's public profile.
type profile struct {
	name, imageURL string
	number         int64
}

// readBoard returns the leaders, best first. Players with equal values share a rank, and the next
// rank is skipped (1, 1, 3).
func readBoard(tx *db.Tx, r ranking, limit int) (*httpapi.List[LeaderView], error) {
	list, err := leadersOf(tx, r)
	if err != nil {
		return nil, err
	}
	list = list[:min(limit, len(list))]
	known, err := profiles(tx, tagsOf(list))
	if err != nil {
		return nil, err
	}
	players, err := countPlayers(tx, r)
	if err != nil {
		return nil, err
	}
	public, err := identity.PublicUsersByTag(tx, tagsOf(list))
	if err != nil {
		return nil, err
	}
	hidden, err := limits.Hidden(tx, tagsOf(list))
	entries := make([]LeaderView, len(list))
	for n, l := range list {
		profile := known[l.Player]
		entries[n] = LeaderView{Rank: int64(n + 1), Username: profile.name, Number: profile.number, ProfileImageURL: imageproxy.Path(imageproxy.Person, profile.imageURL), Handle: public[l.Player].Handle, Value: l.Value}
		if n > 0 && l.Value == list[n-1].Value {
			entries[n].Rank = entries[n-1].Rank
		}
	}
	shown := []LeaderView{} // hidden players keep their place
	for n, l := range list {
		if !hidden[l.Player] {
			shown = append(shown, entries[n])
		}
	}
	return &httpapi.List[LeaderView]{Body: shown, Total: strconv.FormatInt(players, 10)}, err
}

func myRank(tx *db.Tx, r ranking, user string) (MyRank, error) {
	own, err := standingOf(tx, user)
	if err != nil {
		return MyRank{}, err
	}
	value, playing := own.tally(r.period).value(r.metric)
	if !playing {
		return MyRank{}, nil
	}
	better, err := countPlayersIn(tx, r, bucketsAbove(value))
	if err != nil {
		return MyRank{}, err
	}
	rank := better + 1
	mine := MyRank{Rank: &rank, Value: value}
	if better >= storedLeaders {
		return mine, nil
	}
	list, err := leadersOf(tx, r)
	if err != nil {
		return MyRank{}, err
	}
	hidden, err := limits.Hidden(tx, tagsOf(list))
	list = slices.DeleteFunc(list, func(l leader) bool { return hidden[l.Player] })
	if n := slices.IndexFunc(list, func(l leader) bool { return l.Player == own.player }); n >= 0 {
		position := int64(n)
		mine.Position = &position
	}
	return mine, err
}

// Package leaderboard shows recent pulls and the users who lead each leaderboard.
package leaderboard

import (
	"slices"
	"strconv"

	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/imageproxy"
	"kaibao/internal/limits"
)

// storedLeaders is how many leaders of each ranking are stored, and the maximum length of a list.
const storedLeaders = 200

// LeaderView is a place in a ranking (specification, section 3).
type LeaderView struct {
	Rank            int64  `json:"rank" doc:"From 1. Players with the same value share a rank."`
	Username        string `json:"username" doc:"Empty if the user has no name."`
	Number          int64  `json:"number" doc:"Distinguishes players without a name; the same on every leaderboard."`
	ProfileImageURL string `json:"profileImageUrl"`
	Value           int64  `json:"value" doc:"Cents, or a number of packs for PACKS."`
}

// MyRank is the caller's own place.
type MyRank struct {
	Rank     *int64 `json:"rank" nullable:"true" doc:"null before the caller's first pack of the period."`
	Value    int64  `json:"value"`
	Position *int64 `json:"position" nullable:"true" doc:"Index of the caller in the list of leaders, from 0; null if not in it."`
}

// RankingQuery selects a ranking.
type RankingQuery struct {
	Period Period `query:"period" enum:"WEEKLY,ALL_TIME" default:"ALL_TIME" doc:"WEEKLY starts on Monday, 00:00 UTC."`
	Metric Metric `query:"metric" enum:"VOLUME,PACKS,TOP_PULL" default:"VOLUME"`
}

type leaderboardInput struct {
	RankingQuery
	Limit int `query:"limit" minimum:"1" maximum:"200" default:"60"`
}

func (in RankingQuery) ranking(tx *db.Tx) ranking { return ranking{in.Period.span(tx.Now), in.Metric} }

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
	hidden, err := limits.Hidden(tx, tagsOf(list))
	entries := make([]LeaderView, len(list))
	for n, l := range list {
		profile := known[l.Player]
		entries[n] = LeaderView{Rank: int64(n + 1), Username: profile.name, Number: profile.number, ProfileImageURL: imageproxy.Path(imageproxy.Person, profile.imageURL), Value: l.Value}
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

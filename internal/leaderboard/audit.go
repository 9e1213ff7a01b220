package leaderboard

import (
	"fmt"

	"kaibao/internal/audit"
	"kaibao/internal/db"
)

// Audit checks that the standings equal the sums of the logged opens counted so far, and that every
// ranking agrees with the standings.
func Audit(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, findWrongStandings, findWrongCounts, findWrongLeaders)
}

func findWrongLeaders(tx *db.Tx) (found []audit.Breach, err error) {
	latest, err := latestWeek(tx)
	if err != nil {
		return nil, err
	}
	for _, period := range []span{allTime, latest} {
		for _, metric := range metrics {
			detail, err := compareLeaders(tx, ranking{period, metric})
			if err != nil {
				return nil, err
			}
			if detail != "" {
				row := fmt.Sprintf("leaders of %d by %s", period, metric)
				found = append(found, audit.Breach{Rule: "each leaderboard must list the players with the highest standings", Row: row, Detail: detail})
			}
		}
	}
	return found, nil
}

func compareLeaders(tx *db.Tx, r ranking) (detail string, err error) {
	list, err := leadersOf(tx, r)
	if err != nil {
		return "", err
	}
	values, err := topValues(tx, r, storedLeaders)
	if err != nil {
		return "", err
	}
	if len(values) != len(list) {
		return fmt.Sprintf("has %d players, but the standings give %d", len(list), len(values)), nil
	}
	players, err := standings(tx, tagsOf(list))
	if err != nil {
		return "", err
	}
	for n, l := range list {
		if value, _ := players[l.Player].tally(r.period).value(r.metric); l.Value != value || l.Value != values[n] {
			return fmt.Sprintf("rank %d has %d, but the standings give %d there, and %d for that player", n+1, l.Value, values[n], value), nil
		}
	}
	return "", nil
}

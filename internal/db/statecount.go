package db

import "time"

// StateCount is the number of a table's rows in a state.
type StateCount[S ~string] struct {
	State  S
	Count  int64
	Oldest time.Time // when the oldest of them was created; zero if there is none
}

// CountByState counts a table's rows in each of the states. The table has the columns id, state and
// created_at; it reads the oldest row by its id, because ids are chronological.
func CountByState[S ~string](tx *Tx, table string, states []S) ([]StateCount[S], error) {
	found := map[S]StateCount[S]{}
	scan := func(s Scanner) (c StateCount[S], err error) {
		var oldest int64
		err = s.Scan(&c.State, &c.Count, &oldest)
		c.Oldest = Time(oldest)
		return c, err
	}
	err := Each(tx, scan, func(c StateCount[S]) error { found[c.State] = c; return nil },
		`SELECT s.state, s.number, (SELECT t.created_at FROM `+table+` t WHERE t.state = s.state ORDER BY t.id LIMIT 1)
		FROM (SELECT state, COUNT(*) AS number FROM `+table+` GROUP BY state) s`)
	counts := make([]StateCount[S], len(states))
	for n, state := range states {
		counts[n] = found[state]
		counts[n].State = state
	}
	return counts, err
}

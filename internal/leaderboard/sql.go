package leaderboard

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"kaibao/internal/audit"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/identity"
	"kaibao/internal/limits"
	"kaibao/internal/personaldata/userrows"
	"kaibao/internal/publiclog"
)

func scanActivity(s db.Scanner) (a Activity, err error) {
	var at int64
	err = s.Scan(append([]any{&a.OpeningID, &a.player, &a.secret, &a.FirstName, &a.PackID, &a.PackName, &a.PackNameZH, &at, &a.Best.Value},
		a.Best.Item.Fields()...)...)
	a.At = db.Time(at)
	return a, err
}

// latestActivities returns the latest opens. Ids are ordered by time, so the primary key finds
// them.
func latestActivities(tx *db.Tx, limit int) ([]Activity, error) {
	return loadActivities(tx, `SELECT id, user_id, pack_id, created_at FROM openings ORDER BY id DESC LIMIT $1`, limit)
}

// activitiesByID returns the opens with the given ids.
func activitiesByID(tx *db.Tx, ids []string) ([]Activity, error) {
	return loadActivities(tx, `SELECT id, user_id, pack_id, created_at FROM openings WHERE `+tx.InList("id", "$1"), db.List(ids))
}

// loadActivities returns the opens selected by a query with their details, newest first. It leaves
// out players who excluded themselves.
func loadActivities(tx *db.Tx, opens string, args ...any) ([]Activity, error) {
	found, err := db.All(tx, scanActivity, `SELECT o.id, u.tag, u.tag_salt, u.first_name, p.id, p.name, p.name_zh, o.created_at, n.pulled_value_cents,
		`+catalogue.Columns+`
		FROM (`+opens+`) o
		JOIN users u ON u.id = o.user_id JOIN packs p ON p.id = o.pack_id
		JOIN inventory n ON n.opening_id = o.id AND n.position = (SELECT b.position FROM inventory b
			WHERE b.opening_id = o.id ORDER BY b.pulled_value_cents DESC, b.position LIMIT 1)
		JOIN items i ON i.id = n.item_id ORDER BY o.id DESC`, args...)
	if err != nil {
		return nil, err
	}
	players := make([]string, len(found))
	for n, a := range found {
		players[n] = a.player
	}
	hidden, err := limits.Hidden(tx, players)
	if err != nil {
		return nil, err
	}
	public, err := identity.PublicUsersByTag(tx, players)
	for n, a := range found {
		found[n].Handle = public[a.player].Handle
	}
	return slices.DeleteFunc(found, func(a Activity) bool { return hidden[a.player] }), err
}

// standings returns the players' standings; players without opens get an empty one.
func standings(tx *db.Tx, tags []string) (map[string]*standing, error) {
	rows := db.Rows{Columns: []string{"player"}}
	players := map[string]*standing{}
	for _, tag := range tags {
		if _, known := players[tag]; !known {
			players[tag] = &standing{player: tag}
			rows.Add(tag)
		}
	}
	found, err := db.AllWith(tx, scanStanding, rows, selectStandings+`JOIN v ON v.player = s.player`)
	for _, s := range found {
		*players[s.player] = s
	}
	return players, err
}

const selectStandings = `SELECT s.player, s.number, s.volume_cents, s.packs, s.top_pull_cents,
	s.week, s.week_volume_cents, s.week_packs, s.week_top_pull_cents FROM standings s `

func scanStanding(s db.Scanner) (t standing, err error) {
	return t, s.Scan(&t.player, &t.number, &t.ever.volume, &t.ever.packs, &t.ever.topPull,
		&t.week, &t.weekly.volume, &t.weekly.packs, &t.weekly.topPull)
}

// standingOf returns a user's standing, which is empty if they never played.
func standingOf(tx *db.Tx, user string) (standing, error) {
	found, err := db.One(tx, scanStanding, selectStandings+`JOIN users u ON u.tag = s.player WHERE u.id = $1`, user)
	if errors.Is(err, db.ErrNoRow) {
		return standing{}, nil
	}
	return found, err
}

// lastNumber returns the highest player number, or 0 without players.
func lastNumber(tx *db.Tx) (int64, error) {
	return db.One(tx, db.Column[int64], `SELECT COALESCE(MAX(number), 0) FROM standings`)
}

func saveStandings(tx *db.Tx, players map[string]*standing) error {
	rows := db.Rows{Columns: []string{"player", "number", "volume_cents", "packs", "top_pull_cents",
		"week", "week_volume_cents", "week_packs", "week_top_pull_cents"}}
	for _, p := range players {
		rows.Add(p.player, p.number, p.ever.volume, p.ever.packs, p.ever.topPull, p.week, p.weekly.volume, p.weekly.packs, p.weekly.topPull)
	}
	return tx.UpsertRows("standings", rows, `(player) DO UPDATE SET volume_cents = excluded.volume_cents, packs = excluded.packs,
		top_pull_cents = excluded.top_pull_cents, week = excluded.week, week_volume_cents = excluded.week_volume_cents,
		week_packs = excluded.week_packs, week_top_pull_cents = excluded.week_top_pull_cents`, errors.New("not all standings were written"))
}

// saveCounts applies changes to the counts. Decreases are a separate UPDATE of existing rows,
// because an upsert would first check the negative count as an INSERT, and the constraint refuses
// it.
func saveCounts(tx *db.Tx, counts map[bucket]int64) error {
	columns := []string{"period", "metric", "level", "slot", "players"}
	up, down := db.Rows{Columns: columns}, db.Rows{Columns: columns}
	for s, change := range counts {
		rows := &up
		if change < 0 {
			rows = &down
		}
		rows.Add(s.period, string(s.metric), s.level, s.number, change)
	}
	missed := errors.New("not all players were counted")
	if err := tx.UpsertRows("standing_counts", up, `(period, metric, level, slot) DO UPDATE
		SET players = standing_counts.players + excluded.players`, missed); err != nil {
		return err
	}
	return tx.WriteRows(down, `UPDATE standing_counts SET players = standing_counts.players + v.players FROM v
		WHERE standing_counts.period = v.period AND standing_counts.metric = v.metric
		AND standing_counts.level = v.level AND standing_counts.slot = v.slot`, missed)
}

// latestWeek returns the last week with a ranking, or allTime if there is none.
func latestWeek(tx *db.Tx) (span, error) {
	return db.One(tx, db.Column[span], `SELECT COALESCE(MAX(period), 0) FROM leaders`)
}

// deleteWeeksBefore deletes the rankings of the weeks before the given one.
func deleteWeeksBefore(tx *db.Tx, week span) error {
	if _, err := tx.Exec(`DELETE FROM leaders WHERE period > 0 AND period < $1`, week); err != nil {
		return err
	}
	_, err := tx.Exec(`DELETE FROM standing_counts WHERE period > 0 AND period < $1`, week)
	return err
}

// allLeaders returns all stored lists of leaders.
func allLeaders(tx *db.Tx) (map[ranking][]leader, error) {
	return scanLeaders(tx, `SELECT period, metric, list FROM leaders`)
}

func leadersOf(tx *db.Tx, r ranking) ([]leader, error) {
	found, err := scanLeaders(tx, `SELECT period, metric, list FROM leaders WHERE period = $1 AND metric = $2`, r.period, r.metric)
	return found[r], err
}

func scanLeaders(tx *db.Tx, query string, args ...any) (map[ranking][]leader, error) {
	type row struct {
		ranking
		list string
	}
	scan := func(s db.Scanner) (r row, err error) { return r, s.Scan(&r.period, &r.metric, &r.list) }
	found, err := db.All(tx, scan, query, args...)
	lists := make(map[ranking][]leader, len(found))
	for _, row := range found {
		var list []leader
		if err := json.Unmarshal([]byte(row.list), &list); err != nil {
			return nil, fmt.Errorf("the leaders by %s: %w", row.metric, err)
		}
		lists[row.ranking] = list
	}
	return lists, err
}

func saveLeaders(tx *db.Tx, lists map[ranking][]leader) error {
	rows := db.Rows{Columns: []string{"period", "metric", "list"}}
	for r, list := range lists {
		text, err := json.Marshal(list)
		if err != nil {
			return err
		}
		rows.Add(r.period, string(r.metric), string(text))
	}
	return tx.UpsertRows("leaders", rows, `(period, metric) DO UPDATE SET list = excluded.list`, errors.New("not all leaders were written"))
}

// profiles returns the players' public profiles, by tag.
func profiles(tx *db.Tx, tags []string) (map[string]profile, error) {
	rows := db.Rows{Columns: []string{"tag"}}
	for _, tag := range tags {
		rows.Add(tag)
	}
	type tagged struct {
		tag string
		profile
	}
	scan := func(s db.Scanner) (t tagged, err error) { return t, s.Scan(&t.tag, &t.name, &t.imageURL, &t.number) }
	found, err := db.AllWith(tx, scan, rows, `SELECT u.tag, u.first_name, u.profile_image_url, s.number
		FROM v JOIN users u ON u.tag = v.tag JOIN standings s ON s.player = v.tag`)
	profiles := make(map[string]profile, len(found))
	for _, t := range found {
		profiles[t.tag] = t.profile
	}
	return profiles, err
}

// countPlayers returns the number of players in a ranking.
func countPlayers(tx *db.Tx, r ranking) (int64, error) {
	return db.One(tx, db.Column[int64], `SELECT CAST(COALESCE(SUM(players), 0) AS BIGINT) FROM standing_counts
		WHERE period = $1 AND metric = $2 AND level = $3`, r.period, r.metric, levels-1)
}

// countPlayersIn counts the players of a ranking whose values are in the given ranges.
func countPlayersIn(tx *db.Tx, r ranking, ranges []bucketRange) (players int64, err error) {
	rows := db.Rows{Columns: []string{"period", "metric", "level", "low", "high"}}
	for _, s := range ranges {
		rows.Add(r.period, string(r.metric), s.level, s.low, s.high)
	}
	found, err := db.AllWith(tx, db.Column[int64], rows, `SELECT CAST(COALESCE(SUM(c.players), 0) AS BIGINT)
		FROM v JOIN standing_counts c ON c.period = v.period AND c.metric = v.metric
		AND c.level = v.level AND c.slot BETWEEN v.low AND v.high`)
	for _, n := range found {
		players += n
	}
	return players, err
}

func findWrongStandings(tx *db.Tx) ([]audit.Breach, error) {
	unread, err := publiclog.UnreadOpens(tx, "standings")
	if err != nil {
		return nil, err
	}
	return audit.Query(tx, "each player's standing must match the log", `
		WITH pulls AS (SELECT opening_id, MAX(pulled_value_cents) AS best FROM inventory GROUP BY opening_id),
		opens AS (SELECT u.tag AS player, o.price_cents AS price, p.best,
			CASE WHEN o.created_at >= s.week AND o.created_at < s.week + $1 THEN 1 ELSE 0 END AS fresh
			FROM openings o JOIN pulls p ON p.opening_id = o.id
			JOIN users u ON u.id = o.user_id LEFT JOIN standings s ON s.player = u.tag
			WHERE NOT `+tx.InList("o.id", "$2")+`),
		facts AS (SELECT player, COUNT(*) AS packs, SUM(price) AS volume, MAX(best) AS top,
			SUM(fresh) AS week_packs, SUM(fresh * price) AS week_volume, MAX(fresh * best) AS week_top FROM opens GROUP BY player)
		SELECT 'player ' || COALESCE(f.player, s.player), 'standing counts ' || COALESCE(s.packs, 0) || ' packs, or has other totals; the log so far has ' || COALESCE(f.packs, 0)
		FROM facts f FULL JOIN standings s ON s.player = f.player
		WHERE f.player IS NULL OR s.player IS NULL OR s.packs <> f.packs OR s.volume_cents <> f.volume OR s.top_pull_cents <> f.top
		OR s.week_packs <> f.week_packs OR s.week_volume_cents <> f.week_volume OR s.week_top_pull_cents <> f.week_top`,
		db.Micros(db.Time(0).Add(week)), db.List(unread))
}

// places selects every player's value in every current ranking.
const places = `all_places AS (
		SELECT player, CAST(0 AS BIGINT) AS period, 'VOLUME' AS metric, volume_cents AS value FROM standings
		UNION ALL SELECT player, 0, 'PACKS', packs FROM standings
		UNION ALL SELECT player, 0, 'TOP_PULL', top_pull_cents FROM standings
		UNION ALL SELECT player, week, 'VOLUME', week_volume_cents FROM standings
		UNION ALL SELECT player, week, 'PACKS', week_packs FROM standings
		UNION ALL SELECT player, week, 'TOP_PULL', week_top_pull_cents FROM standings),
	places AS (SELECT * FROM all_places WHERE period IN (0, (SELECT MAX(week) FROM standings))) `

func findWrongCounts(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "rank counts must match the standings", `WITH RECURSIVE `+places+`,
		shifts(level, shift) AS (SELECT 0, 0 UNION ALL SELECT level + 1, shift + $1 FROM shifts WHERE level < $2),
		expected AS (SELECT period, metric, level, value >> shift AS slot, COUNT(*) AS players
			FROM places CROSS JOIN shifts GROUP BY period, metric, level, value >> shift)
		SELECT 'rank ' || COALESCE(c.metric, e.metric) || ' level ' || COALESCE(c.level, e.level) || ' slot ' || COALESCE(c.slot, e.slot),
			COALESCE(c.players, 0) || ' players, but the standings give ' || COALESCE(e.players, 0)
		FROM expected e FULL JOIN standing_counts c ON c.period = e.period AND c.metric = e.metric AND c.level = e.level AND c.slot = e.slot
		WHERE COALESCE(c.players, 0) <> COALESCE(e.players, 0)`, radix, levels-1)
}

// topValues returns the highest values of a ranking from the standings only, which is a table scan.
func topValues(tx *db.Tx, r ranking, limit int) ([]int64, error) {
	return db.All(tx, db.Column[int64], `WITH `+places+`SELECT value FROM places
		WHERE period = $1 AND metric = $2 ORDER BY value DESC LIMIT $3`, r.period, r.metric, limit)
}

// PersonalData are the queries of a user's rows for their export.
var PersonalData = []userrows.Query{
	{File: "leaderboard", Columns: []userrows.Column{userrows.Number("volumeCents"), userrows.Number("packs"), userrows.Number("topPullCents"), userrows.Time("week"),
		userrows.Number("weekVolumeCents"), userrows.Number("weekPacks"), userrows.Number("weekTopPullCents")},
		SQL: `SELECT s.volume_cents, s.packs, s.top_pull_cents, s.week, s.week_volume_cents, s.week_packs, s.week_top_pull_cents
			FROM standings s JOIN users u ON u.tag = s.player WHERE u.id = $1`},
}

package publiclog

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"kaibao/internal/db"
	"kaibao/internal/fair"
)

// Leaf is a fact for the log; kind and ref are unique together.
type Leaf struct {
	Kind, Ref, Body string
	epoch           int64 // in which it has its place; 0 while it waits for one
}

// maxLeaf is the longest leaf that an entry bundle can hold (C2SP tlog-tiles).
const maxLeaf = 1<<16 - 1

// Append writes leaves, in their order. A leaf's ref is the id of its fact, which
// its own table keeps from being there twice. Call it with the rows locked that decide
// what the leaves say: their order in the log is that of these calls.
func Append(tx *db.Tx, leaves ...Leaf) error {
	rows := db.Rows{Columns: []string{"kind", "ref", "body", "created_at"}}
	for _, l := range leaves {
		if len(l.Body) > maxLeaf {
			return fmt.Errorf("leaf %s %s has %d bytes", l.Kind, l.Ref, len(l.Body))
		}
		rows.Add(l.Kind, l.Ref, l.Body, db.Micros(tx.Now))
	}
	return tx.InsertRows("log_waiting", rows)
}

// Leaves reads some leaves of one kind, by ref.
func Leaves(tx *db.Tx, kind string, refs []string) (map[string]Leaf, error) {
	list, err := json.Marshal(refs)
	if err != nil {
		return nil, err
	}
	scan := func(s db.Scanner) (l Leaf, err error) { return l, s.Scan(&l.Ref, &l.Body, &l.epoch) }
	wanted := tx.InList("ref", "$2")
	rows, err := db.All(tx, scan, `SELECT ref, body, epoch FROM log_leaves WHERE kind = $1 AND `+wanted+`
		UNION ALL SELECT ref, body, 0 FROM log_waiting WHERE kind = $1 AND `+wanted, kind, string(list))
	found := make(map[string]Leaf, len(rows))
	for _, l := range rows {
		l.Kind = kind
		found[l.Ref] = l
	}
	return found, err
}

// EachOf shows the leaves of a kind in the order of the log, those that wait for
// their places last. One that is no such leaf is left out. see must not use the
// transaction.
func EachOf[L fair.Leaf](tx *db.Tx, kind string, see func(L) error) error {
	return eachOf(tx, see, `SELECT body FROM (SELECT body, 0 AS waits, epoch, leaf_index AS place FROM log_leaves WHERE kind = $1
		UNION ALL SELECT body, 1, 0, seq FROM log_waiting WHERE kind = $1) AS x ORDER BY waits, epoch, place`, kind)
}

// EachRead shows the opens that a follower has read, in no order. see must not use
// the transaction.
func EachRead(tx *db.Tx, follower string, see func(fair.OpenLeaf) error) error {
	return eachOf(tx, see, `SELECT l.body FROM log_leaves l JOIN log_followers f
		ON f.name = $1 AND (l.epoch < f.epoch OR l.epoch = f.epoch AND l.leaf_index < f.position)
		WHERE l.kind = $2`, follower, KindOpen)
}

func eachOf[L fair.Leaf](tx *db.Tx, see func(L) error, query string, args ...any) error {
	return db.Each(tx, db.Column[string], func(body string) error {
		parsed, err := fair.ParseLeaf([]byte(body))
		if leaf, ok := parsed.(L); ok && err == nil {
			return see(leaf)
		}
		return nil
	}, query, args...)
}

// AllOf is EachOf for a kind with few leaves.
func AllOf[L fair.Leaf](tx *db.Tx, kind string) (leaves []L, err error) {
	err = EachOf(tx, kind, func(leaf L) error {
		leaves = append(leaves, leaf)
		return nil
	})
	return leaves, err
}

// placed is a leaf with its place in the tree, -1 while it waits for one.
type placed struct {
	Leaf
	index int64
}

func find(tx *db.Tx, kind, ref string) (placed, error) {
	scan := func(s db.Scanner) (p placed, err error) { return p, s.Scan(&p.Body, &p.epoch, &p.index) }
	return db.One(tx, scan, `SELECT body, epoch, leaf_index FROM log_leaves WHERE kind = $1 AND ref = $2
		UNION ALL SELECT body, 0, -1 FROM log_waiting WHERE kind = $1 AND ref = $2`, kind, ref)
}

// bodies reads an epoch's leaves from one index up to before another.
func bodies(tx *db.Tx, epoch, from, to int64) ([]string, error) {
	return db.All(tx, db.Column[string], `SELECT body FROM log_leaves WHERE epoch = $1 AND leaf_index >= $2 AND leaf_index < $3 ORDER BY leaf_index`,
		epoch, from, to)
}

type waitingLeaf struct {
	seq int64
	Leaf
}

func anyWaiting(tx *db.Tx) (bool, error) {
	_, err := db.One(tx, db.Column[int64], `SELECT seq FROM log_waiting ORDER BY seq LIMIT 1`)
	if errors.Is(err, db.ErrNoRow) {
		return false, nil
	}
	return err == nil, err
}

// waiting lists the leaves that have no place yet, by the order in which they
// were written.
func waiting(tx *db.Tx, limit int) ([]waitingLeaf, error) {
	scan := func(s db.Scanner) (l waitingLeaf, err error) { return l, s.Scan(&l.seq, &l.Kind, &l.Ref, &l.Body) }
	return db.All(tx, scan, `SELECT seq, kind, ref, body FROM log_waiting ORDER BY seq LIMIT $1`, limit)
}

// move puts leaves at their places in the tree, behind those it has.
func move(tx *db.Tx, leaves []waitingLeaf, h head) error {
	rows := db.Rows{Columns: []string{"seq", "epoch", "leaf_index"}}
	for n, l := range leaves {
		rows.Add(l.seq, h.epoch, h.size+int64(n))
	}
	gone := errors.New("a waiting leaf is gone")
	if err := tx.WriteRows(rows, `INSERT INTO log_leaves (epoch, leaf_index, kind, ref, body)
		SELECT v.epoch, v.leaf_index, w.kind, w.ref, w.body FROM v JOIN log_waiting w ON w.seq = v.seq`, gone); err != nil {
		return err
	}
	return tx.WriteRows(rows, `DELETE FROM log_waiting WHERE seq IN (SELECT seq FROM v)`, gone)
}

// head is the tree as it is placed, and as it was last signed.
type head struct {
	epoch      int64 // 1, 2 … of this database
	origin     string
	size       int64
	root       tlog.Hash
	signed     int64 // the size of the checkpoint; 0 before the first
	checkpoint string
	signedAt   time.Time
}

const (
	selectHeads = `SELECT epoch, origin, size, root, signed_size, checkpoint, signed_at FROM log_tree `
	selectHead  = selectHeads + `ORDER BY epoch DESC LIMIT 1`
)

func scanHead(s db.Scanner) (h head, err error) {
	var root []byte
	var at int64
	err = s.Scan(&h.epoch, &h.origin, &h.size, &root, &h.signed, &h.checkpoint, &at)
	copy(h.root[:], root)
	h.signedAt = db.Time(at)
	return h, err
}

func (h head) tree() pinned { return pinned{h.epoch, h.size, h.root} }

// soonTree reads size and root along with the next statement.
func soonTree(tx *db.Tx) func() (pinned, error) {
	scan := func(s db.Scanner) (p pinned, err error) {
		var root []byte
		err = s.Scan(&p.epoch, &p.size, &root)
		copy(p.root[:], root)
		return p, err
	}
	return db.Soon(tx, scan, `SELECT epoch, size, root FROM log_tree ORDER BY epoch DESC LIMIT 1`)
}

func readHead(tx *db.Tx) (head, error) { return db.One(tx, scanHead, selectHead) }

// readHeads lists all epochs, the first one first.
func readHeads(tx *db.Tx) ([]head, error) { return db.All(tx, scanHead, selectHeads+`ORDER BY epoch`) }

// lockHead keeps other sequencers away until the transaction ends.
func lockHead(tx *db.Tx) (head, error) { return db.One(tx, scanHead, selectHead+tx.ForUpdate()) }

// hasBegun tells whether the log may be known to somebody: it has leaves, or an
// open was answered whose leaf still waits.
func hasBegun(tx *db.Tx) (bool, error) {
	return db.One(tx, db.Column[bool], `SELECT epoch > 1 OR size > 0 OR EXISTS (SELECT 1 FROM log_waiting WHERE kind = $1)
		FROM log_tree ORDER BY epoch DESC LIMIT 1`, KindOpen)
}

// beginTree makes the empty tree of an epoch, if it is not there yet.
func beginTree(tx *db.Tx, epoch int64, origin string) error {
	root := (&edge{}).root()
	_, err := tx.Exec(`INSERT INTO log_tree (epoch, origin, size, root) VALUES ($1, $2, 0, $3) ON CONFLICT (epoch) DO NOTHING`, epoch, origin, root[:])
	return err
}

// appendFirst writes a leaf that comes before all that wait.
func appendFirst(tx *db.Tx, l Leaf) error {
	_, err := tx.Exec(`INSERT INTO log_waiting (seq, kind, ref, body, created_at)
		SELECT COALESCE(MIN(seq), 1) - 1, $1, $2, $3, $4 FROM log_waiting`, l.Kind, l.Ref, l.Body, db.Micros(tx.Now))
	return err
}

// replaceHead replaces a head by what e has become.
func replaceHead(tx *db.Tx, h head, e *edge) error {
	rows := db.Rows{Columns: []string{"epoch", "level", "number", "hashes"}}
	for id := range e.changed {
		rows.Add(h.epoch, id.level, id.number, e.tiles[id])
	}
	if err := tx.UpsertRows("log_tiles", rows, `(epoch, level, number) DO UPDATE SET hashes = excluded.hashes`,
		errors.New("not all tiles were written")); err != nil {
		return err
	}
	root := e.root()
	return tx.ExecOne(`UPDATE log_tree SET size = $3, root = $4 WHERE epoch = $1 AND size = $2`, h.epoch, h.size, e.size, root[:])
}

// publish replaces the checkpoint by that of a larger tree, if nobody was faster.
func publish(tx *db.Tx, h head, checkpoint string) error {
	_, err := tx.Exec(`UPDATE log_tree SET signed_size = $2, checkpoint = $3, signed_at = $4 WHERE epoch = $1 AND signed_size < $2`,
		h.epoch, h.size, checkpoint, db.Micros(tx.Now))
	return err
}

func readTile(tx *db.Tx, epoch int64, id tileID) ([]byte, error) {
	return db.One(tx, db.Column[[]byte], `SELECT hashes FROM log_tiles WHERE epoch = $1 AND level = $2 AND number = $3`, epoch, id.level, id.number)
}

// readEdge reads where a tree grows, and proves that it is the one of the head.
func readEdge(tx *db.Tx, h head) (*edge, error) {
	t := tiles{}
	for _, id := range edgeTiles(h.size) {
		data, err := readTile(tx, h.epoch, id)
		if err != nil {
			return nil, fmt.Errorf("tile %d/%d: %w", id.level, id.number, err)
		}
		t[id] = data
	}
	e, err := newEdge(h.size, t)
	if err == nil && e.root() != h.root {
		err = fmt.Errorf("the tiles of the tree of %d leaves do not give its root", h.size)
	}
	return e, err
}

// stored reads an epoch's hashes from the database, each tile once.
type stored struct {
	tx    *db.Tx
	epoch int64
	tiles
}

// ReadHashes implements tlog.HashReader.
func (s stored) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	hashes := make([]tlog.Hash, len(indexes))
	for n, index := range indexes {
		tile := tlog.TileForIndex(tileHeight, index)
		id := tileID{int64(tile.L), tile.N}
		if _, ok := s.tiles[id]; !ok {
			data, err := readTile(s.tx, s.epoch, id)
			if err != nil {
				return nil, fmt.Errorf("tile %d/%d: %w", id.level, id.number, err)
			}
			s.tiles[id] = data
		}
		var err error
		hashes[n], err = s.hash(index)
		if err != nil {
			return nil, err
		}
	}
	return hashes, nil
}

func leavesBeyond(tx *db.Tx, h head) (int64, error) {
	return db.One(tx, db.Column[int64], `SELECT COUNT(*) FROM log_leaves WHERE epoch = $1 AND leaf_index >= $2`, h.epoch, h.size)
}

// behindOf counts the leaves of the tree that a follower has not read.
func behindOf(tx *db.Tx, follower string) (int64, error) {
	return db.One(tx, db.Column[int64], `SELECT CAST((SELECT COALESCE(SUM(t.size), 0) FROM log_tree t WHERE t.epoch >= f.epoch) - f.position AS BIGINT)
		FROM log_followers f WHERE f.name = $1`, follower)
}

// takeStretch locks a follower's position and gives the leaves that come next, at
// most so many; none if all are read, or if another node holds the position.
func takeStretch(tx *db.Tx, follower string, most int64) (s stretch, err error) {
	scan := func(row db.Scanner) (s stretch, err error) { return s, row.Scan(&s.epoch, &s.from) }
	at, err := db.One(tx, scan, `SELECT epoch, position FROM log_followers WHERE name = $1`+tx.ForUpdateSkipLocked(), follower)
	if err == nil {
		s, err = db.One(tx, func(row db.Scanner) (s stretch, err error) { return s, row.Scan(&s.epoch, &s.to) },
			`SELECT epoch, size FROM log_tree WHERE epoch > $1 OR (epoch = $1 AND size > $2) ORDER BY epoch LIMIT 1`, at.epoch, at.from)
	}
	if errors.Is(err, db.ErrNoRow) {
		return stretch{}, nil
	}
	if s.epoch == at.epoch {
		s.from = at.from
	}
	s.to = min(s.to, s.from+most)
	return s, err
}

// setPosition puts a follower behind the leaves that it has read.
func setPosition(tx *db.Tx, follower string, read stretch) error {
	return tx.ExecOne(`UPDATE log_followers SET epoch = $2, position = $3 WHERE name = $1`, follower, read.epoch, read.to)
}

// openBodies reads the opens among some leaves.
func openBodies(tx *db.Tx, s stretch) ([]string, error) {
	return db.All(tx, db.Column[string], `SELECT body FROM log_leaves WHERE epoch = $1 AND leaf_index >= $2 AND leaf_index < $3
		AND kind = $4 ORDER BY leaf_index`, s.epoch, s.from, s.to, KindOpen)
}

// Position is up to where a follower has read the log that grows; 0 while it reads
// one that ended.
func Position(tx *db.Tx, follower string) (int64, error) {
	return db.One(tx, db.Column[int64], `SELECT COALESCE(MAX(f.position), 0) FROM log_followers f
		WHERE f.name = $1 AND f.epoch = (SELECT MAX(epoch) FROM log_tree)`, follower)
}

// Uncounted is how many leaves of the tree the last of the followers has not read.
func Uncounted(tx *db.Tx) (int64, error) {
	return db.One(tx, db.Column[int64], `SELECT CAST(COALESCE(MAX((SELECT COALESCE(SUM(t.size), 0) FROM log_tree t WHERE t.epoch >= f.epoch) - f.position), 0)
		AS BIGINT) FROM log_followers f`)
}

// strayFollowers names the positions that are not in the log.
func strayFollowers(tx *db.Tx) ([]string, error) {
	return db.All(tx, db.Column[string], `SELECT f.name FROM log_followers f
		WHERE NOT EXISTS (SELECT 1 FROM log_tree t WHERE t.epoch = f.epoch AND t.size >= f.position)`)
}

// logKey is what the database is kept to.
func logKey(tx *db.Tx) (string, error) {
	return db.One(tx, db.Column[string], `SELECT value FROM settings WHERE name = 'log_key'`)
}

// oddLeaves names the leaves of no known kind.
func oddLeaves(tx *db.Tx) ([]string, error) {
	return db.All(tx, db.Column[string], `SELECT kind || ' ' || ref
		FROM (SELECT kind, ref FROM log_leaves UNION ALL SELECT kind, ref FROM log_waiting) AS x
		WHERE kind NOT IN ($1, $2, $3, $4, $5)`, KindOpen, KindCommit, KindManifest, KindStock, KindEpoch)
}

// Unsigned counts the leaves that no checkpoint covers yet.
func Unsigned(tx *db.Tx) (int64, error) {
	return db.One(tx, db.Column[int64], `SELECT (SELECT COUNT(*) FROM log_waiting) + size - signed_size FROM log_tree ORDER BY epoch DESC LIMIT 1`)
}

// SignedSize is how many leaves the last checkpoint covers.
func SignedSize(tx *db.Tx) (int64, error) {
	h, err := readHead(tx)
	return h.signed, err
}

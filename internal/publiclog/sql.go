package publiclog

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/protocol"
)

// enqueue appends leaves to the queue of waiting leaves.
func enqueue(tx *db.Tx, leaves []string) error {
	rows := db.Rows{Columns: []string{"body"}}
	for _, leaf := range leaves {
		rows.Add(leaf)
	}
	return tx.InsertRows("log_waiting", rows)
}

// position is the position of a leaf: epoch and index.
type position struct{ epoch, index int64 }

const selectRows = `SELECT epoch, leaf_index, entries FROM log_leaves `

func scanRow(s db.Scanner) (r leafRow, err error) {
	var stored []byte
	err = s.Scan(&r.epoch, &r.index, &stored)
	r.leaves, _ = decodeLeaves(stored) // unreadable leaves count as missing, which callers detect
	return r, err
}

// rowAfter returns the first row of leaves after a position.
func rowAfter(tx *db.Tx, at position) (leafRow, error) {
	return db.One(tx, scanRow, selectRows+`WHERE (epoch, leaf_index) > ($1, $2) ORDER BY epoch, leaf_index LIMIT 1`, at.epoch, at.index)
}

// maxRowsRead limits how many rows findLeaf reads at a time. The newest ids of rows may be out of order only
// by the seconds that a transaction takes, since both ids and places follow the time. Without a
// limit, a lookup of an unknown id would read all later rows.
const maxRowsRead = 512

// findLeaf returns the position and text of the first leaf of an open that matches, or db.ErrNoRow if it
// has none. at is the time of the leaf: that of an order's draw can be much later than the order, whose
// time is in the id. A zero time is that of the id.
func findLeaf(tx *db.Tx, id string, at time.Time, matches func(leaf string) bool) (position, string, error) {
	from := []string{id}
	if !at.IsZero() {
		from = append(from, db.MinID(at))
	}
	for _, first := range from {
		rows, err := db.All(tx, scanRow, `SELECT l.epoch, l.leaf_index, l.entries
			FROM (SELECT epoch, leaf_index, oldest, newest FROM log_leaves WHERE newest >= $1 ORDER BY newest LIMIT $2) n
				JOIN log_leaves l ON l.epoch = n.epoch AND l.leaf_index = n.leaf_index
			WHERE n.oldest <= $3 ORDER BY n.newest, l.epoch, l.leaf_index`, first, maxRowsRead, id)
		if err != nil {
			return position{}, "", err
		}
		for _, r := range rows {
			for n, leaf := range r.leaves {
				if openID(leaf) == id && matches(leaf) {
					return position{r.epoch, r.index + int64(n)}, leaf, nil
				}
			}
		}
	}
	return position{}, "", db.ErrNoRow
}

// findWaitingLeaf finds the first leaf of an open that matches among the few waiting ones.
func findWaitingLeaf(tx *db.Tx, id string, matches func(leaf string) bool) (string, error) {
	leaves, err := db.All(tx, db.Column[string], `SELECT body FROM log_waiting WHERE body LIKE $1 ORDER BY seq`, "%\nid "+id+"\n%")
	for _, leaf := range leaves {
		if openID(leaf) == id && matches(leaf) {
			return leaf, nil
		}
	}
	return "", cmp.Or(err, db.ErrNoRow)
}

// rowsWith returns the rows of an epoch that can have leaves of opens with ids from first to last.
func rowsWith(tx *db.Tx, epoch int64, first, last string) ([]leafRow, error) {
	return db.All(tx, scanRow, selectRows+`WHERE epoch = $1 AND newest >= $2 AND oldest <= $3 AND oldest <> '' ORDER BY leaf_index`, epoch, first, last)
}

// settledAt returns when an order was drawn or voided. It is zero for pending orders and for instant
// opens.
func settledAt(tx *db.Tx, id string) (time.Time, error) {
	micros, err := db.One(tx, db.Column[int64], `SELECT settled_at FROM orders WHERE id = $1 AND settled_at IS NOT NULL`, id)
	if errors.Is(err, db.ErrNoRow) {
		return time.Time{}, nil
	}
	return db.Time(micros), err
}

// orderPrices returns the prices of orders.
func orderPrices(tx *db.Tx, ids []string) (map[string]money.Cents, error) {
	prices := make(map[string]money.Cents, len(ids))
	type order struct {
		id    string
		price money.Cents
	}
	scan := func(s db.Scanner) (o order, err error) { return o, s.Scan(&o.id, &o.price) }
	return prices, db.Each(tx, scan, func(o order) error { prices[o.id] = o.price; return nil },
		`SELECT id, price_cents FROM orders WHERE `+tx.InList("id", "$1"), db.List(ids))
}

// readLeaves reads an epoch's leaves from index from up to, but not including, to. It stops at a
// gap.
func readLeaves(tx *db.Tx, epoch, from, to int64) (leaves []string, err error) {
	rows, err := db.All(tx, scanRow, selectRows+`WHERE epoch = $1 AND leaf_index >= $2 AND leaf_index < $3 ORDER BY leaf_index`,
		epoch, from-from%tileWidth, to)
	next := from
	for _, r := range rows {
		end := r.index + int64(len(r.leaves))
		if end <= from {
			continue
		}
		if r.index > next || err != nil {
			break // the leaves before it are missing
		}
		leaves = append(leaves, r.leaves[next-r.index:min(end, to)-r.index]...)
		next = end
	}
	return leaves, err
}

func anyWaiting(tx *db.Tx) (bool, error) {
	_, err := db.One(tx, db.Column[int64], `SELECT seq FROM log_waiting ORDER BY seq LIMIT 1`)
	if errors.Is(err, db.ErrNoRow) {
		return false, nil
	}
	return err == nil, err
}

func countWaiting(tx *db.Tx) (int64, error) {
	return db.One(tx, db.Column[int64], `SELECT COUNT(*) FROM log_waiting`)
}

type waitingLeaf struct {
	seq  int64
	body string
}

// waiting returns up to limit waiting leaves with a sequence number above after, in the order they
// were written.
func waiting(tx *db.Tx, after int64, limit int) ([]waitingLeaf, error) {
	scan := func(s db.Scanner) (l waitingLeaf, err error) { return l, s.Scan(&l.seq, &l.body) }
	return db.All(tx, scan, `SELECT seq, body FROM log_waiting WHERE seq > $1 ORDER BY seq LIMIT $2`, after, limit)
}

// beforeFirst is less than every sequence number.
const beforeFirst = math.MinInt64

// deleteWaiting deletes leaves that have been placed.
func deleteWaiting(tx *db.Tx, leaves []waitingLeaf) error {
	placed := db.Rows{Columns: []string{"seq"}}
	for _, l := range leaves {
		placed.Add(l.seq)
	}
	return tx.WriteRows(placed, `DELETE FROM log_waiting WHERE seq IN (SELECT seq FROM v)`, errors.New("a waiting leaf is missing"))
}

// insertLeaves stores leaves at the end of the tree of h.
func insertLeaves(tx *db.Tx, h treeHead, texts []string) error {
	added := db.Rows{Columns: []string{"epoch", "leaf_index", "number", "oldest", "newest", "entries"}}
	for _, r := range splitRows(position{h.epoch, h.size}, texts) {
		oldest, newest := openIDRange(r.leaves)
		added.Add(r.epoch, r.index, int64(len(r.leaves)), oldest, newest, compress(encodeBundle(r.leaves)))
	}
	return tx.InsertRows("log_leaves", added)
}

// treeHead is an epoch's tree as placed, and its last checkpoint.
type treeHead struct {
	epoch      int64 // numbered from 1 within this database
	origin     string
	size       int64
	root       tlog.Hash
	signedSize int64 // size of the checkpoint's tree; 0 before the first
	checkpoint string
	signedAt   time.Time
	key        string // verifier key, if the epoch began with another key than the one before
	seedOrigin string // origin that unused seeds are bound to, if not this one
}

const (
	selectHeads = `SELECT epoch, origin, size, root, signed_size, checkpoint, signed_at, verifier_key, seed_origin FROM log_tree `
	selectHead  = selectHeads + `ORDER BY epoch DESC LIMIT 1`
)

func scanHead(s db.Scanner) (h treeHead, err error) {
	var root []byte
	var at int64
	err = s.Scan(&h.epoch, &h.origin, &h.size, &root, &h.signedSize, &h.checkpoint, &at, &h.key, &h.seedOrigin)
	copy(h.root[:], root)
	h.signedAt = db.Time(at)
	return h, err
}

func (h treeHead) tree() tree { return tree{h.epoch, h.size, h.root} }

// queueTree queues a read of the tree's size and root.
func queueTree(tx *db.Tx) db.Queued[tree] {
	scan := func(s db.Scanner) (p tree, err error) {
		var root []byte
		err = s.Scan(&p.epoch, &p.size, &root)
		copy(p.root[:], root)
		return p, err
	}
	return db.Queue(tx, scan, `SELECT epoch, size, root FROM log_tree ORDER BY epoch DESC LIMIT 1`)
}

func readHead(tx *db.Tx) (treeHead, error) { return db.One(tx, scanHead, selectHead) }

// readHeads returns the heads of all epochs, oldest first.
func readHeads(tx *db.Tx) ([]treeHead, error) {
	return db.All(tx, scanHead, selectHeads+`ORDER BY epoch`)
}

// lockHead returns the current head and locks it against other sequencers until the transaction
// ends.
func lockHead(tx *db.Tx) (treeHead, error) { return db.One(tx, scanHead, selectHead+tx.ForUpdate()) }

// mayBePublic reports whether the log may be known to others: it has leaves, or a receipt was
// issued for an open or order whose leaf is still waiting.
func mayBePublic(tx *db.Tx) (public bool, err error) {
	public, err = db.One(tx, db.Column[bool], `SELECT epoch > 1 OR size > 0 OR EXISTS (SELECT 1 FROM log_waiting WHERE body LIKE $1 OR body LIKE $2)
		FROM log_tree ORDER BY epoch DESC LIMIT 1`, protocol.OpenHeader+"%", protocol.OrderHeader+"%")
	if errors.Is(err, db.ErrNoRow) { // no log yet
		return false, nil
	}
	return public, err
}

// createTree creates the empty tree of an epoch unless it exists. It uses the epoch, origin, key and
// seedOrigin of h.
func createTree(tx *db.Tx, h treeHead) error {
	root := (&frontier{}).root()
	_, err := tx.Exec(`INSERT INTO log_tree (epoch, origin, size, root, verifier_key, seed_origin) VALUES ($1, $2, 0, $3, $4, $5) ON CONFLICT (epoch) DO NOTHING`,
		h.epoch, h.origin, root[:], h.key, h.seedOrigin)
	return err
}

// appendFirst inserts leaves before all waiting ones.
func appendFirst(tx *db.Tx, leaves ...string) error {
	for _, leaf := range slices.Backward(leaves) {
		if _, err := tx.Exec(`INSERT INTO log_waiting (seq, body) SELECT COALESCE(MIN(seq), 1) - 1, $1 FROM log_waiting`, leaf); err != nil {
			return err
		}
	}
	return nil
}

// pendingOrderIDs returns the ids of orders that are neither drawn nor voided.
func pendingOrderIDs(tx *db.Tx) ([]string, error) {
	return db.All(tx, db.Column[string], `SELECT id FROM orders WHERE state = 'sealed'`)
}

// hasOrder reports whether the database has an order.
func hasOrder(tx *db.Tx, id string) (bool, error) {
	return db.One(tx, db.Column[bool], `SELECT EXISTS (SELECT 1 FROM orders WHERE id = $1)`, id)
}

// updateHead stores the tree in e in place of h.
func updateHead(tx *db.Tx, h treeHead, e *frontier) error {
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

// saveSignedHead stores the checkpoint unless the stored one covers a larger tree.
func saveSignedHead(tx *db.Tx, h treeHead, checkpoint string) error {
	_, err := tx.Exec(`UPDATE log_tree SET signed_size = $2, checkpoint = $3, signed_at = $4 WHERE epoch = $1 AND signed_size < $2`,
		h.epoch, h.size, checkpoint, db.Micros(tx.Now))
	return err
}

func readTile(tx *db.Tx, epoch int64, id tileID) ([]byte, error) {
	return db.One(tx, db.Column[[]byte], `SELECT hashes FROM log_tiles WHERE epoch = $1 AND level = $2 AND number = $3`, epoch, id.level, id.number)
}

// readFrontier reads the right edge of a tree and checks it against the head's root.
func readFrontier(tx *db.Tx, h treeHead) (*frontier, error) {
	t := tiles{}
	for _, id := range frontierTiles(h.size) {
		data, err := readTile(tx, h.epoch, id)
		if err != nil {
			return nil, fmt.Errorf("tile %d/%d: %w", id.level, id.number, err)
		}
		t[id] = data
	}
	e, err := newFrontier(h.size, t)
	if err == nil && e.root() != h.root {
		err = fmt.Errorf("the tiles of the tree with %d leaves don't match its root", h.size)
	}
	return e, err
}

// storedHashes reads an epoch's hashes from the database and caches the tiles.
type storedHashes struct {
	tx    *db.Tx
	epoch int64
	tiles
}

// ReadHashes implements tlog.HashReader.
func (s storedHashes) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
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

func leavesBeyondTree(tx *db.Tx, h treeHead) (int64, error) {
	return db.One(tx, db.Column[int64], `SELECT CAST(COALESCE(SUM(number), 0) AS BIGINT) FROM log_leaves
		WHERE epoch = $1 AND leaf_index + number > $2`, h.epoch, h.size)
}

// leavesAfterEpoch returns the number of leaves in epochs after one.
func leavesAfterEpoch(tx *db.Tx, epoch int64) (int64, error) {
	return db.One(tx, db.Column[int64], `SELECT CAST(COALESCE(SUM(number), 0) AS BIGINT) FROM log_leaves WHERE epoch > $1`, epoch)
}

// indexedRow is a row of leaves with its metadata columns.
type indexedRow struct {
	leafRow
	number         int64
	oldest, newest string
}

// eachIndexedRow calls fn for every row of leaves.
func eachIndexedRow(tx *db.Tx, fn func(indexedRow) error) error {
	scan := func(s db.Scanner) (r indexedRow, err error) {
		var stored []byte
		err = s.Scan(&r.epoch, &r.index, &r.number, &r.oldest, &r.newest, &stored)
		r.leaves, _ = decodeLeaves(stored)
		return r, err
	}
	return db.Each(tx, scan, fn, `SELECT epoch, leaf_index, number, oldest, newest, entries FROM log_leaves`)
}

// followerLag returns the number of leaves in the tree that a follower has not read.
func followerLag(tx *db.Tx, follower string) (int64, error) {
	return db.One(tx, db.Column[int64], `SELECT CAST((SELECT COALESCE(SUM(t.size), 0) FROM log_tree t WHERE t.epoch >= f.epoch) - f.position AS BIGINT)
		FROM log_followers f WHERE f.name = $1`, follower)
}

// followerLags returns the number of leaves that each follower has not read. The audit is no
// follower.
func followerLags(tx *db.Tx) ([]FollowerStatus, error) {
	scan := func(s db.Scanner) (f FollowerStatus, err error) { return f, s.Scan(&f.Name, &f.Lag) }
	return db.All(tx, scan, `SELECT f.name, CAST((SELECT COALESCE(SUM(t.size), 0) FROM log_tree t WHERE t.epoch >= f.epoch) - f.position AS BIGINT)
		FROM log_followers f WHERE f.name <> $1 ORDER BY f.name`, auditReader)
}

// nextRange returns the range of the next leaves after a position, at most limit. It is empty at
// the end of the log.
func nextRange(tx *db.Tx, at position, limit int64) (s leafRange, err error) {
	s, err = db.One(tx, func(row db.Scanner) (s leafRange, err error) { return s, row.Scan(&s.epoch, &s.to) },
		`SELECT epoch, size FROM log_tree WHERE epoch > $1 OR (epoch = $1 AND size > $2) ORDER BY epoch LIMIT 1`, at.epoch, at.index)
	if errors.Is(err, db.ErrNoRow) {
		return leafRange{}, nil
	}
	if s.epoch == at.epoch {
		s.from = at.index
	}
	s.to = min(s.to, s.from+limit)
	return s, err
}

// lockPosition locks a follower's position. It returns false if the position has changed or another
// node holds the lock.
func lockPosition(tx *db.Tx, follower string, at position) (bool, error) {
	_, err := db.One(tx, db.Column[int64], `SELECT position FROM log_followers
		WHERE name = $1 AND epoch = $2 AND position = $3`+tx.ForUpdateSkipLocked(), follower, at.epoch, at.index)
	if errors.Is(err, db.ErrNoRow) {
		return false, nil
	}
	return err == nil, err
}

// setPosition moves a follower's position past the leaves it has read.
func setPosition(tx *db.Tx, follower string, read leafRange) error {
	return tx.ExecOne(`UPDATE log_followers SET epoch = $2, position = $3 WHERE name = $1`, follower, read.epoch, read.to)
}

// positionOf returns a follower's position, or the zero position for an unknown follower.
func positionOf(tx *db.Tx, follower string) (position, error) {
	at, err := db.One(tx, func(s db.Scanner) (p position, err error) { return p, s.Scan(&p.epoch, &p.index) },
		`SELECT epoch, position FROM log_followers WHERE name = $1`, follower)
	if errors.Is(err, db.ErrNoRow) {
		return position{}, nil
	}
	return at, err
}

// auditReader is the name of the audit's position in log_followers.
const auditReader = "audit"

// AuditedPosition returns the position up to which the leaves have been audited.
func AuditedPosition(tx *db.Tx) (Position, error) {
	at, err := positionOf(tx, auditReader)
	return Position{at.epoch, at.index}, err
}

// End returns the position after the last placed leaf.
func End(tx *db.Tx) (Position, error) {
	h, err := readHead(tx)
	if errors.Is(err, db.ErrNoRow) {
		return Position{}, nil
	}
	return Position{h.epoch, h.size}, err
}

// SetAuditedPosition stores the position up to which the leaves have been audited.
func SetAuditedPosition(tx *db.Tx, to Position) error {
	_, err := tx.Exec(`INSERT INTO log_followers (name, epoch, position) VALUES ($1, $2, $3)
		ON CONFLICT (name) DO UPDATE SET epoch = excluded.epoch, position = excluded.position`, auditReader, to.Epoch, to.Index)
	return err
}

// FollowerPosition returns a follower's position in the current log, or 0 while it reads one
// that ended.
func FollowerPosition(tx *db.Tx, follower string) (int64, error) {
	return db.One(tx, db.Column[int64], `SELECT COALESCE(MAX(f.position), 0) FROM log_followers f
		WHERE f.name = $1 AND f.epoch = (SELECT MAX(epoch) FROM log_tree)`, follower)
}

// FollowerLag returns the lag of the slowest of some followers, in leaves.
func FollowerLag(tx *db.Tx, followers ...string) (int64, error) {
	return db.One(tx, db.Column[int64], `SELECT CAST(COALESCE(MAX((SELECT COALESCE(SUM(t.size), 0) FROM log_tree t WHERE t.epoch >= f.epoch) - f.position), 0)
		AS BIGINT) FROM log_followers f WHERE `+tx.InList("f.name", "$1"), db.List(followers))
}

// followersBeyondEnd returns the names of followers whose position is beyond the log.
func followersBeyondEnd(tx *db.Tx) ([]string, error) {
	return db.All(tx, db.Column[string], `SELECT f.name FROM log_followers f
		WHERE NOT EXISTS (SELECT 1 FROM log_tree t WHERE t.epoch = f.epoch AND t.size >= f.position)`)
}

// UnsignedLeaves returns the number of leaves that no checkpoint covers yet.
func UnsignedLeaves(tx *db.Tx) (int64, error) {
	return db.One(tx, db.Column[int64], `SELECT (SELECT COUNT(*) FROM log_waiting) + size - signed_size FROM log_tree ORDER BY epoch DESC LIMIT 1`)
}

// SignedSize returns the number of leaves that the last checkpoint covers.
func SignedSize(tx *db.Tx) (int64, error) {
	h, err := readHead(tx)
	return h.signedSize, err
}

// insertPolicy stores an announced policy.
func insertPolicy(tx *db.Tx, p witnessPolicy) error {
	return tx.ExecOne(`INSERT INTO log_policies (number, leaf, in_force_at) VALUES ($1, $2, $3)`, p.number, p.text, db.Micros(p.inForceAt))
}

// readPolicyRows returns all announced policies in log order, with unparsed leaves.
func readPolicyRows(tx *db.Tx) ([]witnessPolicy, error) { return queuePolicyRows(tx)() }

// queuePolicyRows queues readPolicyRows.
func queuePolicyRows(tx *db.Tx) db.Queued[[]witnessPolicy] {
	scan := func(s db.Scanner) (p witnessPolicy, err error) {
		var at int64
		err = s.Scan(&p.number, &p.text, &at)
		p.inForceAt = db.Time(at)
		return p, err
	}
	return db.QueueAll(tx, scan, `SELECT number, leaf, in_force_at FROM log_policies ORDER BY number`)
}

// saveWitnessURL stores where a witness's cosignatures are requested.
func saveWitnessURL(tx *db.Tx, verifier, url string) error {
	_, err := tx.Exec(`INSERT INTO log_witnesses (verifier_key, url) VALUES ($1, $2) ON CONFLICT (verifier_key) DO UPDATE SET url = excluded.url`, verifier, url)
	return err
}

type witnessURL struct{ verifier, url string }

func readWitnessURLs(tx *db.Tx) ([]witnessURL, error) {
	scan := func(s db.Scanner) (w witnessURL, err error) { return w, s.Scan(&w.verifier, &w.url) }
	return db.All(tx, scan, `SELECT verifier_key, url FROM log_witnesses ORDER BY verifier_key`)
}

// cosignedTree is a checkpoint that a quorum has cosigned.
type cosignedTree struct {
	epoch, size int64
	quorumAt    int64 // Unix seconds
	checkpoint  string
	arrivedAt   time.Time
}

const selectCosigned = `SELECT epoch, size, quorum_at, checkpoint, arrived_at FROM log_cosigned `

func scanCosigned(s db.Scanner) (c cosignedTree, err error) {
	var at int64
	err = s.Scan(&c.epoch, &c.size, &c.quorumAt, &c.checkpoint, &at)
	c.arrivedAt = db.Time(at)
	return c, err
}

// saveCosigned stores a cosigned checkpoint, unless there is a larger one of the same second. If it
// covers the last signed tree, it is served from now on.
func saveCosigned(tx *db.Tx, c cosignedTree) error {
	if _, err := tx.Exec(`UPDATE log_tree SET checkpoint = $3 WHERE epoch = $1 AND signed_size = $2`, c.epoch, c.size, c.checkpoint); err != nil {
		return err
	}
	_, err := tx.Exec(`INSERT INTO log_cosigned (epoch, quorum_at, size, checkpoint, arrived_at) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (epoch, quorum_at) DO UPDATE SET size = excluded.size, checkpoint = excluded.checkpoint,
			arrived_at = CASE WHEN log_cosigned.arrived_at > excluded.arrived_at THEN log_cosigned.arrived_at ELSE excluded.arrived_at END
		WHERE log_cosigned.size <= excluded.size`, c.epoch, c.quorumAt, c.size, c.checkpoint, db.Micros(c.arrivedAt))
	return err
}

// lastCosigned returns an epoch's newest cosigned checkpoint before a Unix second, or db.ErrNoRow.
func lastCosigned(tx *db.Tx, epoch, before int64) (cosignedTree, error) {
	return db.One(tx, scanCosigned, selectCosigned+`WHERE epoch = $1 AND quorum_at < $2 ORDER BY quorum_at DESC LIMIT 1`, epoch, before)
}

// firstCosigned returns an epoch's earliest cosigned checkpoint before a Unix second that has at
// least size leaves, or db.ErrNoRow. Later checkpoints aren't smaller.
func firstCosigned(tx *db.Tx, epoch, before, size int64) (cosignedTree, error) {
	return db.One(tx, scanCosigned, selectCosigned+`WHERE epoch = $1 AND size >= $3 AND quorum_at < $2 ORDER BY size, quorum_at LIMIT 1`, epoch, before, size)
}

// deleteOldCosigned deletes cosigned checkpoints whose time is over, the oldest first, and returns how
// many. It keeps those that a pending order's round may need.
func deleteOldCosigned(tx *db.Tx, limit int) (int64, error) {
	oldest, err := db.One(tx, db.Column[int64], `SELECT COALESCE(MIN(created_at), 0) FROM orders WHERE state = 'sealed'`)
	if err != nil {
		return 0, err
	}
	before := tx.Now.Add(-cosignedFor)
	if oldest > 0 && oldest < db.Micros(before) {
		before = db.Time(oldest)
	}
	return tx.Exec(`DELETE FROM log_cosigned WHERE (epoch, quorum_at) IN (
		SELECT epoch, quorum_at FROM log_cosigned WHERE quorum_at < $1 ORDER BY quorum_at LIMIT $2`+tx.ForUpdateSkipLocked()+`)`,
		before.Unix(), limit)
}

// eachRecentCosigned calls fn for an epoch's newest cosigned checkpoints, the newest first.
func eachRecentCosigned(tx *db.Tx, epoch int64, limit int, fn func(cosignedTree) error) error {
	return db.Each(tx, scanCosigned, fn, selectCosigned+`WHERE epoch = $1 ORDER BY quorum_at DESC LIMIT $2`, epoch, limit)
}

// eachCosigned calls fn for every cosigned checkpoint, ordered by time within each epoch.
func eachCosigned(tx *db.Tx, fn func(cosignedTree) error) error {
	return db.Each(tx, scanCosigned, fn, selectCosigned+`ORDER BY epoch, quorum_at`)
}

// submitter says which node submits checkpoints.
type submitter struct {
	holder    string
	heldUntil time.Time
	wantedAt  time.Time
}

func readSubmitter(tx *db.Tx) (submitter, error) {
	return db.One(tx, func(s db.Scanner) (r submitter, err error) {
		var until, wanted int64
		err = s.Scan(&r.holder, &until, &wanted)
		r.heldUntil, r.wantedAt = db.Time(until), db.Time(wanted)
		return r, err
	}, `SELECT holder, held_until, wanted_at FROM log_submitter WHERE id = 1`)
}

// holdSubmitter makes a node the submitter until a time, unless another one is.
func holdSubmitter(tx *db.Tx, holder string, until time.Time) (held bool, err error) {
	n, err := tx.Exec(`UPDATE log_submitter SET holder = $1, held_until = $2 WHERE id = 1 AND (holder = $1 OR held_until < $3)`, holder, db.Micros(until), db.Micros(tx.Now))
	return n == 1, err
}

// releaseSubmitter lets another node take over now.
func releaseSubmitter(tx *db.Tx, holder string) error {
	_, err := tx.Exec(`UPDATE log_submitter SET held_until = 0 WHERE id = 1 AND holder = $1`, holder)
	return err
}

// wantQuorum asks the submitter for a new quorum.
func wantQuorum(tx *db.Tx) error {
	_, err := tx.Exec(`UPDATE log_submitter SET wanted_at = $1 WHERE id = 1 AND wanted_at < $1`, db.Micros(tx.Now))
	return err
}

// queueQuorum queues a read of the quorum's state, apart from hasWitnesses.
func queueQuorum(tx *db.Tx) db.Queued[quorumState] {
	scan := func(s db.Scanner) (q quorumState, err error) {
		var arrived, wanted int64
		var first string
		err = s.Scan(&arrived, &wanted, &first)
		q.arrivedAt, q.wantedAt, q.waitingSince = db.Time(arrived), db.Time(wanted), leafTime(first)
		return q, err
	}
	return db.Queue(tx, scan, `SELECT COALESCE((SELECT c.arrived_at FROM log_cosigned c WHERE c.epoch = t.epoch ORDER BY c.quorum_at DESC LIMIT 1), 0), s.wanted_at,
		COALESCE((SELECT w.body FROM log_waiting w ORDER BY w.seq LIMIT 1), '')
		FROM (SELECT epoch FROM log_tree ORDER BY epoch DESC LIMIT 1) t, log_submitter s`)
}

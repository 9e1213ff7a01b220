// Package nodes knows which nodes of a database run, and which keys they have loaded.
package nodes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/jobs"
)

// Node is a running node.
type Node struct {
	ID, Host  string
	Process   int64
	Address   string // where it listens, host:port
	Version   string
	Keys      []Key // in the order of its files or settings
	StartedAt time.Time
	SeenAt    time.Time // when it last said that it runs
}

// Key names a key that a node has loaded. It never contains the key itself.
type Key struct {
	Kind        string `json:"kind"` // log, seed or address
	Fingerprint string `json:"fingerprint"`
}

// String names the node for operators.
func (n Node) String() string {
	return fmt.Sprintf("%s (process %d, %s)", n.Host, n.Process, n.Address)
}

// Has reports whether the node has loaded a key.
func (n Node) Has(k Key) bool { return slices.Contains(n.Keys, k) }

// Lacking returns the nodes that haven't loaded a key.
func Lacking(all []Node, k Key) []Node {
	return slices.DeleteFunc(slices.Clone(all), func(n Node) bool { return n.Has(k) })
}

const (
	// refreshEvery is how often a node says that it runs.
	refreshEvery = 2 * time.Second
	// LiveFor is how long after that it counts as running.
	LiveFor = 10 * time.Second
	// keptFor is how long the row of a node that crashed is kept.
	keptFor = time.Minute
)

// Lock keeps nodes from starting and from changing their loaded keys until the transaction ends.
// Acquire it before locking any row.
func Lock(tx *db.Tx) error { return tx.AdvisoryLock("nodes") }

// Live returns the nodes that run, the oldest first. Call Lock before if the answer must stay true
// until the commit. A node that can't reach the database for LiveFor isn't live.
func Live(tx *db.Tx) ([]Node, error) {
	return seenSince(tx, tx.Now.Add(-LiveFor))
}

// Forget removes all rows, which a restored backup has from the nodes that ran at its time.
func Forget(tx *db.Tx) error { return deleteAll(tx) }

// Registry keeps the row of the node that runs in this process.
type Registry struct {
	db    *db.DB
	keys  func(tx *db.Tx) ([]Key, error)
	mutex sync.Mutex // held while the row is written
	node  Node
}

// Register adds this node to the running ones. keys returns the keys that the node has loaded, with
// an error if they don't suffice, and nil if they are unknown. It is called with Lock held, now and
// every few seconds; if it fails now, the node isn't added.
func Register(ctx context.Context, d *db.DB, address, version string, keys func(tx *db.Tx) ([]Key, error)) (*Registry, error) {
	host, err := os.Hostname()
	if err != nil {
		return nil, err
	}
	r := &Registry{db: d, keys: keys, node: Node{Host: host, Process: int64(os.Getpid()), Address: address, Version: version}}
	err = d.InTx(ctx, func(tx *db.Tx) error {
		r.node.ID, r.node.StartedAt = tx.NewID(), tx.Now
		problem, err := r.write(tx)
		return errors.Join(problem, err)
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Jobs returns the job that keeps the node's row up to date. It fails with the error of the loaded
// keys, but then saves the row as well.
func (r *Registry) Jobs() []jobs.Job {
	return []jobs.Job{{Name: "node", Every: refreshEvery, Limit: LiveFor, Do: func(ctx context.Context) (int64, error) {
		var problem error
		err := r.db.InTx(ctx, func(tx *db.Tx) (err error) {
			problem, err = r.write(tx)
			return err
		})
		return 0, errors.Join(problem, err)
	}}}
}

// write saves the node's row unless its keys are unknown. problem is the error of the loaded keys.
func (r *Registry) write(tx *db.Tx) (problem, err error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if err := Lock(tx); err != nil {
		return nil, err
	}
	loaded, problem := r.keys(tx)
	if loaded == nil {
		return problem, nil
	}
	r.node.Keys, r.node.SeenAt = loaded, tx.Now
	if err := deleteUnseen(tx, tx.Now.Add(-keptFor)); err != nil {
		return problem, err
	}
	return problem, save(tx, r.node)
}

// Remove removes the node from the running ones.
func (r *Registry) Remove(ctx context.Context) error {
	return r.db.InTx(ctx, func(tx *db.Tx) error { return deleteNode(tx, r.node.ID) })
}

func keysText(keys []Key) (string, error) {
	text, err := json.Marshal(keys)
	return string(text), err
}

package rounds

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"kaibao/internal/beacon"
	"kaibao/internal/db"
	"kaibao/internal/protocol"
)

// The chain of a sandbox's beacon.
const (
	sandboxID     = "kaibao-sandbox"
	sandboxPeriod = 1 // second
	sandboxHost   = "sandbox-beacon.invalid"
)

// Behavior is how a sandbox's beacon behaves.
type Behavior string

// The behaviors.
const (
	Punctual Behavior = "punctual"
	Silent   Behavior = "silent" // has no rounds
	Late     Behavior = "late"   // publishes rounds 5 s after their time
	Lying    Behavior = "lying"  // sends the signature of the round before
	Forked   Behavior = "forked" // signs with another key
)

const lateBy = 5 * time.Second

// behaviors lists all behaviors.
var behaviors = []Behavior{Punctual, Silent, Late, Lying, Forked}

// sandbox is the beacon of a sandbox, and its only relay. Its key is in the database, so all nodes
// publish the same rounds.
type sandbox struct {
	db     *db.DB
	now    func() time.Time
	chain  *beacon.Beacon // nil until open
	hash   [32]byte
	signer *beacon.Signer
	forger *beacon.Signer // with another key
}

// sandboxKey is the stored row of a sandbox's beacon.
type sandboxKey struct {
	id string
	protocol.Schedule
	seed [32]byte
}

// open reads the beacon from the database, or creates it.
func (b *sandbox) open(ctx context.Context) (*beacon.Beacon, error) {
	var key sandboxKey
	err := b.db.InTx(ctx, func(tx *db.Tx) (err error) {
		first := sandboxKey{sandboxID, protocol.Schedule{Genesis: tx.Now.Unix(), Period: sandboxPeriod}, [32]byte(tx.Random(32))}
		key, err = initSandbox(tx, first)
		return err
	})
	if err != nil {
		return nil, err
	}
	b.signer, err = beacon.NewSigner(key.seed)
	if err != nil {
		return nil, err
	}
	b.forger, err = beacon.NewSigner(seedOf("forger", key.seed))
	if err != nil {
		return nil, err
	}
	b.chain, err = newBeacon(key, b.signer)
	if err != nil {
		return nil, err
	}
	b.hash = b.chain.Hash()
	return b.chain, nil
}

func newBeacon(k sandboxKey, signer *beacon.Signer) (*beacon.Beacon, error) {
	return beacon.New(beacon.Chain{Schedule: k.Schedule, Key: signer.PublicKey(), ID: k.id})
}

// SandboxBeacon returns the beacon of a sandbox, or db.ErrNoRow in a database of another shop.
func SandboxBeacon(tx *db.Tx) (*beacon.Beacon, error) {
	key, err := findSandbox(tx)
	if err != nil {
		return nil, err
	}
	signer, err := beacon.NewSigner(key.seed)
	if err != nil {
		return nil, err
	}
	return newBeacon(key, signer)
}

// ServeHTTP responds to requests of drand's HTTP API: /{chain}/public/{round}.
func (b *sandbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	paths := http.NewServeMux()
	paths.HandleFunc("GET /{chain}/public/{round}", b.serveRound)
	paths.ServeHTTP(w, r)
}

func (b *sandbox) serveRound(w http.ResponseWriter, r *http.Request) {
	if b.chain == nil || r.PathValue("chain") != fmt.Sprintf("%x", b.hash) {
		http.NotFound(w, r)
		return
	}
	var behavior Behavior
	var now time.Time
	if err := b.db.Peek(r.Context(), func(tx *db.Tx) (err error) {
		now = b.now()
		behavior, err = readBehavior(tx)
		return err
	}); err != nil {
		http.Error(w, "The beacon can't reach its database.", http.StatusServiceUnavailable)
		return
	}
	newest := b.newest(now, behavior)
	round, err := strconv.ParseUint(r.PathValue("round"), 10, 64)
	if r.PathValue("round") == latestRound {
		round, err = newest, nil
	}
	if err != nil || round == 0 || round > newest {
		http.NotFound(w, r)
		return
	}
	signature := b.sign(round, behavior)
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer{Round: round, Signature: fmt.Sprintf("%x", signature)})
}

// newest returns the newest published round, 0 if there is none. No round is published before its
// time.
func (b *sandbox) newest(now time.Time, behavior Behavior) uint64 {
	switch behavior {
	case Silent:
		return 0
	case Late:
		now = now.Add(-lateBy)
	case Punctual, Lying, Forked:
	}
	if now.Before(b.chain.Time(1)) {
		return 0
	}
	return uint64(now.Sub(b.chain.Time(1))/(time.Duration(b.chain.Period)*time.Second)) + 1
}

func (b *sandbox) sign(round uint64, behavior Behavior) protocol.Signature {
	switch behavior {
	case Lying:
		return b.signer.Sign(round - 1)
	case Forked:
		return b.forger.Sign(round)
	case Punctual, Silent, Late:
	}
	return b.signer.Sign(round)
}

// Package imageproxy serves images from other hosts. The server fetches them, so that those hosts
// learn nothing about visitors, and stores a re-encoded, smaller copy.
package imageproxy

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"resenje.org/singleflight"

	"kaibao/internal/db"
)

// Kind says what a picture is of, and with that how large it is kept.
type Kind string

// The kinds.
const (
	Person Kind = "person" // shown small
	Thing  Kind = "thing"  // an item or the cover of a pack
)

// edge is the longest that a side of a picture may be, in pixels.
func (k Kind) edge() int {
	if k == Person {
		return 256
	}
	return 1024
}

const (
	path = "/media/pictures/"
	// patience is how long a picture may take, and rest how long a host is left
	// alone that had none.
	patience = 8 * time.Second
	rest     = 10 * time.Minute
	// drawnIn is how long decoding a picture may take.
	drawnIn = 3 * time.Second
)

// Path is where this server shows the picture of an address: under a name of its
// own, unless it is ours already; an empty address has none.
func Path(kind Kind, address string) string {
	if !foreign(address) {
		return address
	}
	return path + id(kind, address)
}

func foreign(address string) bool {
	ours := strings.HasPrefix(address, "/") && !strings.HasPrefix(address, "//")
	return address != "" && !ours
}

// Refusal says why a text is no address of a picture: one on the web, a path of our
// own, or none. It is empty when it is one.
func Refusal(address string) string {
	u, err := url.Parse(address)
	onWeb := err == nil && u.Scheme == "https" && u.Host != ""
	ours := err == nil && u.Scheme == "" && u.Host == "" && strings.HasPrefix(address, "/")
	if address == "" || onWeb || ours {
		return ""
	}
	return "must begin with https:// or be a path of this server"
}

func id(kind Kind, address string) string {
	sum := sha256.Sum256([]byte(string(kind) + " " + address))
	return hex.EncodeToString(sum[:16])
}

// Register lets the picture of an address be asked for under its Path. Nothing is
// fetched before somebody looks.
func Register(tx *db.Tx, kind Kind, address string) error {
	if !foreign(address) {
		return nil
	}
	return insert(tx, kind, address)
}

// RegisterAll is Register for the pictures of many addresses.
func RegisterAll(tx *db.Tx, kind Kind, addresses []string) error {
	rows, seen := db.Rows{Columns: []string{"id", "kind", "address"}}, map[string]bool{}
	for _, address := range addresses {
		if foreign(address) && !seen[address] {
			seen[address] = true
			rows.Add(id(kind, address), string(kind), address)
		}
	}
	return insertAll(tx, rows)
}

// Lock keeps everybody else from registering or forgetting the picture of an address
// until the end of the transaction.
func Lock(tx *db.Tx, kind Kind, address string) error {
	if !foreign(address) {
		return nil
	}
	return lock(tx, id(kind, address))
}

// Delete drops the picture of an address that nobody shows any more.
func Delete(tx *db.Tx, kind Kind, address string) error {
	if !foreign(address) {
		return nil
	}
	return remove(tx, id(kind, address))
}

// Service fetches and serves pictures.
type Service struct {
	db      *db.DB
	web     *http.Client
	flights singleflight.Group[string, []byte]
	fetches *places
	draws   *places
}

// New makes the service; web nil reaches the public internet and nothing else.
func New(d *db.DB, web http.RoundTripper) *Service {
	if web == nil {
		web = publicWeb()
	}
	client := &http.Client{Transport: web, CheckRedirect: follow, Timeout: patience}
	return &Service{db: d, web: client, fetches: newPlaces(fetched, fetchedOfHost), draws: newPlaces(drawn, drawnOfHost)}
}

// get returns the bytes of a registered picture: those that are kept, or fresh ones.
// Concurrent callers share one fetch, which ends when the last of them has left.
func (s *Service) get(ctx context.Context, id string) ([]byte, error) {
	body, _, err := s.flights.Do(ctx, id, func(ctx context.Context) ([]byte, error) { return s.find(ctx, id) })
	if ctx.Err() != nil {
		err = errBusy.Because(ctx.Err())
	}
	return body, err
}

func (s *Service) find(ctx context.Context, id string) ([]byte, error) {
	var p row
	err := s.db.Read(ctx, func(tx *db.Tx) (err error) {
		p, err = find(tx, id)
		return err
	})
	if err != nil || p.body != nil {
		return p.body, err
	}
	if s.db.Now().Sub(p.tried) < rest {
		return nil, errNone
	}
	return s.fetch(ctx, p)
}

// fetch asks a picture's host for it and keeps it, or that there was none. Neither the
// wait for a place nor callers who leave make a picture count as missing.
func (s *Service) fetch(ctx context.Context, p row) ([]byte, error) {
	host := hostOf(p.address)
	leave, err := s.fetches.enter(ctx, host)
	if err != nil {
		return nil, err
	}
	defer leave()
	body, failed := s.download(ctx, p.address)
	if failed == nil {
		body, failed = s.redraw(ctx, host, body, p.kind.edge())
	}
	if ctx.Err() != nil {
		return nil, errBusy.Because(ctx.Err())
	}
	if errors.Is(failed, errBusy) {
		return nil, failed
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error { return keep(tx, p.id, body) })
	if failed != nil {
		return nil, errNone.Because(failed)
	}
	return body, err
}

// hostOf is whose address it is; addresses that cannot be read have none, and one place.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// redraw draws a picture in at most drawnIn, once there is a place for its host. A
// decoder that panics must not end the node.
func (s *Service) redraw(ctx context.Context, host string, body []byte, edge int) (upright []byte, err error) {
	leave, err := s.draws.enter(ctx, host)
	if err != nil {
		return nil, err
	}
	defer leave()
	ctx, end := context.WithTimeout(ctx, drawnIn)
	defer end()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic while drawing: %v", p)
		}
	}()
	return redraw(ctx, body, edge)
}

// Package picture shows pictures that lie elsewhere. This server fetches them, so
// that their hosts learn nothing about who looks, and keeps them, drawn anew and
// small.
package picture

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"time"

	"golang.org/x/sync/singleflight"

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
	// atOnce bounds what is fetched and drawn at the same time.
	atOnce = 2
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

// Forget drops the picture of an address that nobody shows any more.
func Forget(tx *db.Tx, kind Kind, address string) error {
	if !foreign(address) {
		return nil
	}
	return remove(tx, id(kind, address))
}

// Service fetches and serves pictures.
type Service struct {
	db      *db.DB
	web     *http.Client
	flights singleflight.Group
	places  chan struct{}
}

// New makes the service; web nil reaches the public internet and nothing else.
func New(d *db.DB, web http.RoundTripper) *Service {
	if web == nil {
		web = publicWeb()
	}
	client := &http.Client{Transport: web, CheckRedirect: follow, Timeout: patience}
	return &Service{db: d, web: client, places: make(chan struct{}, atOnce)}
}

// get gives the bytes of a registered picture: those that are kept, or fresh ones.
func (s *Service) get(ctx context.Context, id string) ([]byte, error) {
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
	// However many ask, it is fetched once, and whoever leaves takes nothing from the others.
	body, err, _ := s.flights.Do(id, func() (any, error) { return s.fetch(context.WithoutCancel(ctx), p) })
	if err != nil {
		return nil, err
	}
	return body.([]byte), nil
}

// fetch asks a picture's host for it and keeps it, or that there was none.
func (s *Service) fetch(ctx context.Context, p row) ([]byte, error) {
	ctx, end := context.WithTimeout(ctx, patience)
	defer end()
	select {
	case s.places <- struct{}{}:
		defer func() { <-s.places }()
	case <-ctx.Done():
		return nil, errBusy
	}
	body, failed := s.download(ctx, p.address)
	if failed == nil {
		body, failed = redraw(body, p.kind.edge())
	}
	// The deadline was the host's: what came of it is written down all the same.
	err := s.db.InTx(context.WithoutCancel(ctx), func(tx *db.Tx) error { return keep(tx, p.id, body) })
	if failed != nil {
		return nil, errNone.Because(failed)
	}
	return body, err
}

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

// Kind is what an image shows. It determines the size of the stored copy.
type Kind string

// The kinds.
const (
	Person Kind = "person" // shown small
	Thing  Kind = "thing"  // an item or a pack's cover
)

// edge returns the maximum width and height in pixels.
func (k Kind) edge() int {
	if k == Person {
		return 256
	}
	return 1024
}

const (
	path = "/media/pictures/"
	// fetchTimeout limits a fetch, and the wait for a slot.
	fetchTimeout  = 8 * time.Second
	decodeTimeout = 3 * time.Second
	// retryDelay is how long an image that couldn't be fetched isn't retried.
	retryDelay = 10 * time.Minute
)

// Path returns the path at which this server shows the image of a URL. Our own paths and "" are
// returned unchanged.
func Path(kind Kind, imageURL string) string {
	if !isForeign(imageURL) {
		return imageURL
	}
	return path + id(kind, imageURL)
}

// isForeign reports whether a URL is neither empty nor a path on this server.
func isForeign(imageURL string) bool {
	isPath := strings.HasPrefix(imageURL, "/") && !strings.HasPrefix(imageURL, "//")
	return imageURL != "" && !isPath
}

// Refusal returns why a text isn't a valid image URL, or "". Valid are https URLs, paths on this
// server, and "".
func Refusal(imageURL string) string {
	u, err := url.Parse(imageURL)
	isHTTPS := err == nil && u.Scheme == "https" && u.Host != ""
	isPath := err == nil && u.Scheme == "" && u.Host == "" && strings.HasPrefix(imageURL, "/")
	if imageURL == "" || isHTTPS || isPath {
		return ""
	}
	return "must start with https://, or be a path on this server"
}

func id(kind Kind, imageURL string) string {
	sum := sha256.Sum256([]byte(string(kind) + " " + imageURL))
	return hex.EncodeToString(sum[:16])
}

// Register makes the image of a URL available at its Path. It is fetched when first requested.
func Register(tx *db.Tx, kind Kind, imageURL string) error {
	if !isForeign(imageURL) {
		return nil
	}
	return insert(tx, kind, imageURL)
}

// RegisterAll is like Register for many URLs.
func RegisterAll(tx *db.Tx, kind Kind, imageURLs []string) error {
	rows, seen := db.Rows{Columns: []string{"id", "kind", "address"}}, map[string]bool{}
	for _, imageURL := range imageURLs {
		if isForeign(imageURL) && !seen[imageURL] {
			seen[imageURL] = true
			rows.Add(id(kind, imageURL), string(kind), imageURL)
		}
	}
	return insertAll(tx, rows)
}

// Lock prevents others from registering or deleting the image of a URL until the transaction ends.
func Lock(tx *db.Tx, kind Kind, imageURL string) error {
	if !isForeign(imageURL) {
		return nil
	}
	return lock(tx, id(kind, imageURL))
}

// Delete deletes the image of a URL that isn't shown anymore.
func Delete(tx *db.Tx, kind Kind, imageURL string) error {
	if !isForeign(imageURL) {
		return nil
	}
	return remove(tx, id(kind, imageURL))
}

// Service fetches and serves images.
type Service struct {
	db      *db.DB
	client  *http.Client
	pending singleflight.Group[string, []byte] // by image id
	fetches *slots
	decodes *slots
}

// New returns a Service. If web is nil, it can reach only the public internet.
func New(d *db.DB, web http.RoundTripper) *Service {
	if web == nil {
		web = publicTransport()
	}
	client := &http.Client{Transport: web, CheckRedirect: checkRedirect, Timeout: fetchTimeout}
	return &Service{db: d, client: client, fetches: newSlots(maxFetches, maxFetchesPerHost), decodes: newSlots(maxDecodes, maxDecodesPerHost)}
}

// get returns a registered image, from the database or its host. Concurrent callers share one
// fetch, which is canceled when the last of them has left.
func (s *Service) get(ctx context.Context, id string) ([]byte, error) {
	body, _, err := s.pending.Do(ctx, id, func(ctx context.Context) ([]byte, error) { return s.find(ctx, id) })
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
	if s.db.Now().Sub(p.tried) < retryDelay {
		return nil, errNoPicture
	}
	return s.fetch(ctx, p)
}

// fetch downloads an image and stores it, or that there was none. A timeout
// while waiting for a slot, or a caller who leaves, doesn't count as a failed fetch.
func (s *Service) fetch(ctx context.Context, p row) ([]byte, error) {
	host := hostOf(p.imageURL)
	release, err := s.fetches.acquire(ctx, host)
	if err != nil {
		return nil, err
	}
	defer release()
	body, failed := s.download(ctx, p.imageURL)
	if failed == nil {
		body, failed = s.reencode(ctx, host, body, p.kind.edge())
	}
	if ctx.Err() != nil {
		return nil, errBusy.Because(ctx.Err())
	}
	if errors.Is(failed, errBusy) {
		return nil, failed
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error { return store(tx, p.id, body) })
	if failed != nil {
		return nil, errNoPicture.Because(failed)
	}
	return body, err
}

// hostOf returns the host of a URL. Invalid URLs share the host "".
func hostOf(imageURL string) string {
	u, err := url.Parse(imageURL)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// reencode re-encodes an image within decodeTimeout, after waiting for a slot. It recovers from
// panics in decoders, which must not crash the node.
func (s *Service) reencode(ctx context.Context, host string, body []byte, edge int) (encoded []byte, err error) {
	release, err := s.decodes.acquire(ctx, host)
	if err != nil {
		return nil, err
	}
	defer release()
	ctx, end := context.WithTimeout(ctx, decodeTimeout)
	defer end()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic while decoding: %v", p)
		}
	}()
	return reencode(ctx, body, edge)
}

package publiclog

import (
	"context"
	"fmt"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/httpcache"
)

// Head is the last signed tree.
type Head struct {
	Origin   string `json:"origin"`
	Size     int64  `json:"size"`
	Root     string `json:"root" doc:"Root hash in base64."`
	Text     string `json:"text" doc:"The checkpoint as a signed note."`
	SignedAt string `json:"signedAt"`
}

// Routes registers the routes of the log, laid out as C2SP tlog-tiles.
func (l *Log) Routes(api *httpapi.API) {
	api.File(httpapi.Get(httpapi.Public, "/log/key", "get-log-key", "The log's verifier key"), textPlain, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		writeText(w, l.VerifierKey()+"\n")
	}))
	checkpoint := httpapi.Get(httpapi.Public, "/log/checkpoint", "get-log-checkpoint", "The last signed tree", apperr.NotFound, apperr.LogForked)
	api.File(checkpoint, textPlain, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h, err := l.consistentHead(r.Context())
		if err == nil && h.checkpoint == "" {
			err = apperr.Missing("The first checkpoint")
		}
		if err != nil {
			api.Fail(w, r, err)
			return
		}
		w.Header().Set("Cache-Control", "no-cache")
		writeText(w, h.checkpoint)
	}))
	tile := httpapi.Get(httpapi.Public, "/log/tile/{path...}", "get-log-tile", "A tile of the tree, or a bundle of entries, by its C2SP tlog-tiles name")
	api.File(tile, octetStream, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.serveTile(api, w, r, l.epoch())
	}))
	// Logs that ended when the database was restored, by the last part of their origin.
	ended := httpapi.Get(httpapi.Public, "/log/ended/{log}/tile/{path...}", "get-ended-log-tile", "A tile of a log that ended with a restore of the database")
	api.File(ended, octetStream, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.serveTile(api, w, r, l.endedEpoch(r.PathValue("log")))
	}))
}

// endedEpoch returns the epoch of an ended log, or 0 if there is none with this name.
func (l *Log) endedEpoch(name string) int64 {
	return 1 + int64(slices.IndexFunc(l.signers[:len(l.signers)-1], func(n epochSigner) bool { return path.Base(n.origin) == name }))
}

func (l *Log) serveTile(api *httpapi.API, w http.ResponseWriter, r *http.Request, epoch int64) {
	data, err := l.tile(r.Context(), epoch, r.PathValue("path"))
	if err != nil {
		api.Fail(w, r, err)
		return
	}
	httpcache.Immutable(w, r, octetStream, data)
}

const (
	textPlain   = "text/plain; charset=utf-8"
	octetStream = "application/octet-stream"
)

func writeText(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", textPlain)
	_, _ = w.Write([]byte(body))
}

func (l *Log) head(ctx context.Context) (h treeHead, err error) {
	err = l.db.Peek(ctx, func(tx *db.Tx) error { h, err = readHead(tx); return err })
	return h, err
}

// consistentHead returns the head. It returns log_forked if the database isn't the one that this
// node knows, even for trees signed before.
func (l *Log) consistentHead(ctx context.Context) (h treeHead, err error) {
	err = l.db.Read(ctx, func(tx *db.Tx) error {
		consistent := l.CheckConsistency(tx)
		h, err = readHead(tx)
		if err != nil {
			return err
		}
		return consistent()
	})
	return h, err
}

// Head returns the last signed tree, or nil if there is none yet.
func (l *Log) Head(ctx context.Context) (*Head, error) {
	h, err := l.head(ctx)
	if err != nil || h.checkpoint == "" {
		return nil, err
	}
	signed, err := l.openCheckpoint(h.checkpoint)
	return &Head{Origin: l.Origin(), Size: signed.size, Root: signed.root.String(), Text: h.checkpoint, SignedAt: httpapi.Timestamp(h.signedAt)}, err
}

// tilePath is the parsed path of a tile or an entry bundle.
type tilePath struct {
	entries bool
	tileID
	width int64
}

// parseTilePath parses <L>/<N>[.p/<W>], where L is "entries" for entry bundles. N is written in
// groups of three digits, all but the last prefixed with x.
func parseTilePath(path string) (a tilePath, ok bool) {
	level, rest, _ := strings.Cut(path, "/")
	a.entries = level == "entries"
	if !a.entries {
		n, err := strconv.ParseUint(level, 10, 6)
		if err != nil || level != strconv.FormatUint(n, 10) {
			return a, false
		}
		a.level = int64(n)
	}
	number, width, partial := strings.Cut(rest, ".p/")
	a.width = tileWidth
	if partial {
		n, err := strconv.ParseUint(width, 10, 8)
		if err != nil || n == 0 || width != strconv.FormatUint(n, 10) {
			return a, false
		}
		a.width = int64(n)
	}
	groups := strings.Split(number, "/")
	for n, group := range groups {
		digits, marked := strings.CutPrefix(group, "x")
		value, err := strconv.ParseUint(digits, 10, 16)
		if err != nil || len(digits) != 3 || marked == (n == len(groups)-1) || a.number > 1e12 || (n == 0 && marked && value == 0) {
			return a, false
		}
		a.number = a.number*1000 + int64(value)
	}
	return a, true
}

// tile returns a tile or an entry bundle of an epoch's signed tree.
func (l *Log) tile(ctx context.Context, epoch int64, path string) (data []byte, err error) {
	a, ok := parseTilePath(path)
	if !ok || epoch == 0 {
		return nil, apperr.Missing("Tile")
	}
	err = l.db.Read(ctx, func(tx *db.Tx) error {
		heads, err := readHeads(tx)
		if err != nil {
			return err
		}
		h := heads[epoch-1]
		if a.number*tileWidth+a.width > h.signedSize>>(a.level*tileHeight) {
			return apperr.Missing("Tile")
		}
		if a.entries {
			leaves, err := readLeaves(tx, epoch, a.number*tileWidth, a.number*tileWidth+a.width)
			if err == nil && int64(len(leaves)) != a.width {
				err = fmt.Errorf("bundle %d has %d leaves of %d", a.number, len(leaves), a.width)
			}
			data = encodeBundle(leaves)
			return err
		}
		data, err = readTile(tx, epoch, a.tileID)
		if err != nil {
			return err
		}
		if end := int(a.width) * tlog.HashSize; len(data) >= end {
			data = data[:end]
			return nil
		}
		return fmt.Errorf("tile %s has %d bytes", path, len(data))
	})
	return data, err
}

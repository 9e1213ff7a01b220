package publiclog

import (
	"context"
	"errors"
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
	key := httpapi.Get(httpapi.Public, "/log/key", "get-log-key", "The log's verifier key", apperr.LogForked)
	api.File(key, textPlain, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := l.consistentHead(r.Context()); err != nil {
			api.Fail(w, r, err)
			return
		}
		w.Header().Set("Cache-Control", "no-cache")
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
	witnesses := httpapi.Get(httpapi.Public, "/log/witnesses", "get-log-witnesses", "The witnesses in force, as in their leaf: the quorum, and a verifier key per line; empty if there are none")
	api.File(witnesses, textPlain, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, err := l.witnessesText(r.Context())
		if err != nil {
			api.Fail(w, r, err)
			return
		}
		w.Header().Set("Cache-Control", "no-cache")
		writeText(w, text)
	}))
	tile := httpapi.Get(httpapi.Public, "/log/tile/{path...}", "get-log-tile", "A tile of the tree, or a bundle of entries, by its C2SP tlog-tiles name")
	api.File(tile, octetStream, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.serveTile(api, w, r, currentLog)
	}))
	// Logs that ended when the database was restored or the key was replaced, by the last part of
	// their origin.
	endedTile := httpapi.Get(httpapi.Public, "/log/ended/{log}/tile/{path...}", "get-ended-log-tile", "A tile of a log that ended with a restore of the database or a new key")
	api.File(endedTile, octetStream, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.serveTile(api, w, r, r.PathValue("log"))
	}))
	endedKey := httpapi.Get(httpapi.Public, "/log/ended/{log}/key", "get-ended-log-key", "The verifier key of a log that ended")
	api.File(endedKey, textPlain, l.endedText(api, func(_ treeHead, k epochKey) string { return k.verifier + "\n" }))
	replaced := httpapi.Get(httpapi.Public, "/api/fairness/replaced-keys", "list-replaced-log-keys", "Proofs that the log's earlier keys were followed by the next ones, newest first")
	httpapi.JSON(api, replaced, l.replacedKeys)
	endedCheckpoint := httpapi.Get(httpapi.Public, "/log/ended/{log}/checkpoint", "get-ended-log-checkpoint", "The last signed tree of a log that ended")
	api.File(endedCheckpoint, textPlain, l.endedText(api, func(h treeHead, _ epochKey) string { return h.checkpoint }))
}

// ReplacedKey proves that a log ended by naming the key of the next one.
type ReplacedKey struct {
	Key     string    `json:"key" doc:"Verifier key of the ended log."`
	NextKey string    `json:"nextKey" doc:"Verifier key of the log that continues it."`
	End     LeafProof `json:"end" doc:"The last leaf of the ended log, which names the next key."`
	Begin   LeafProof `json:"begin" doc:"The first leaf of the next log, which names the ended log's tree."`
}

// LeafProof is a leaf with its proof of inclusion in a signed tree.
type LeafProof struct {
	Leaf           string   `json:"leaf"`
	Index          int64    `json:"index"`
	InclusionProof []string `json:"inclusionProof" nullable:"false" doc:"RFC 6962 audit path in base64, from the leaf up."`
	Checkpoint     string   `json:"checkpoint" doc:"The signed tree."`
}

// ReplacedKeys are the replaced keys of the log, newest first.
type ReplacedKeys struct {
	Keys []ReplacedKey `json:"keys" nullable:"false"`
}

// replacedKeys returns the keys that were replaced, newest first.
func (l *Log) replacedKeys(ctx context.Context, _ *struct{}) (list ReplacedKeys, err error) {
	err = l.db.Read(ctx, func(tx *db.Tx) error {
		list.Keys = []ReplacedKey{}
		heads, err := readHeads(tx)
		if err != nil {
			return err
		}
		epochs, err := readEpochKeys(tx)
		if err != nil {
			return err
		}
		for n := len(heads) - 1; n > 0; n-- {
			replaced, err := keyReplaced(tx, heads[n-1], epochs[n-1], heads[n], epochs[n])
			if err != nil {
				return err
			}
			if !replaced {
				continue
			}
			end, err := proveLeaf(tx, heads[n-1], heads[n-1].size-1)
			if err != nil {
				return err
			}
			begin, err := proveLeaf(tx, heads[n], 0)
			if err != nil {
				return err
			}
			list.Keys = append(list.Keys, ReplacedKey{epochs[n-1].verifier, epochs[n].verifier, end, begin})
		}
		return nil
	})
	return list, err
}

// proveLeaf returns a leaf and its proof of inclusion in the signed tree.
func proveLeaf(tx *db.Tx, h treeHead, index int64) (p LeafProof, err error) {
	leaves, err := readLeaves(tx, h.epoch, index, index+1)
	if err != nil {
		return p, err
	}
	path, err := tlog.ProveRecord(h.signedSize, index, storedHashes{tx, h.epoch, tiles{}})
	if err == nil && len(leaves) != 1 {
		err = errors.New("the leaf is missing")
	}
	if err != nil {
		return p, fmt.Errorf("leaf %d of %s: %w", index, h.origin, err)
	}
	return LeafProof{leaves[0], index, encodeHashes(path), h.checkpoint}, nil
}

// encodeHashes returns hashes in base64.
func encodeHashes(hashes []tlog.Hash) []string {
	texts := make([]string, len(hashes))
	for n, hash := range hashes {
		texts[n] = hash.String()
	}
	return texts
}

// endedText serves a text about an ended log.
func (l *Log) endedText(api *httpapi.API, text func(treeHead, epochKey) string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body string
		err := l.db.Read(r.Context(), func(tx *db.Tx) error {
			h, err := findLog(tx, r.PathValue("log"))
			if err != nil {
				return err
			}
			epochs, err := readEpochKeys(tx)
			if err == nil {
				body = text(h, epochs[h.epoch-1])
			}
			return err
		})
		if err == nil && body == "" {
			err = apperr.Missing("Checkpoint")
		}
		if err != nil {
			api.Fail(w, r, err)
			return
		}
		httpcache.Immutable(w, r, textPlain, []byte(body))
	})
}

// currentLog stands for the current log, in place of the name of an ended one.
const currentLog = ""

// findLog returns the head of the current log, or of an ended one by the last part of its origin.
func findLog(tx *db.Tx, name string) (treeHead, error) {
	heads, err := readHeads(tx)
	if err != nil {
		return treeHead{}, err
	}
	last := len(heads) - 1
	if name == currentLog {
		return heads[last], nil
	}
	n := slices.IndexFunc(heads[:last], func(h treeHead) bool { return path.Base(h.origin) == name })
	if n < 0 {
		return treeHead{}, apperr.Missing("Tile")
	}
	return heads[n], nil
}

func (l *Log) serveTile(api *httpapi.API, w http.ResponseWriter, r *http.Request, log string) {
	data, err := l.tile(r.Context(), log, r.PathValue("path"))
	if err != nil {
		api.Fail(w, r, err)
		return
	}
	if log == currentLog { // once the log has ended, this is the address of another one
		httpcache.Current(w, r, octetStream, data)
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
func (l *Log) Head(ctx context.Context) (head *Head, err error) {
	err = l.db.Read(ctx, func(tx *db.Tx) error {
		h, err := readHead(tx)
		if err != nil || h.checkpoint == "" {
			return err
		}
		epochs, err := readEpochKeys(tx)
		if err != nil {
			return err
		}
		signed, err := l.openCheckpoint(epochs, h.checkpoint)
		head = &Head{Origin: h.origin, Size: signed.size, Root: signed.root.String(), Text: h.checkpoint, SignedAt: httpapi.Timestamp(h.signedAt)}
		return err
	})
	return head, err
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

// tile returns a tile or an entry bundle of the current log's signed tree, or of an ended log's whole
// tree, which the next log names. A log whose key was lost may end with leaves that were never signed.
func (l *Log) tile(ctx context.Context, log, path string) (data []byte, err error) {
	a, ok := parseTilePath(path)
	if !ok {
		return nil, apperr.Missing("Tile")
	}
	err = l.db.Read(ctx, func(tx *db.Tx) error {
		h, err := findLog(tx, log)
		if err != nil {
			return err
		}
		size := h.size
		if log == currentLog {
			size = h.signedSize
		}
		if a.number*tileWidth+a.width > size>>(a.level*tileHeight) {
			return apperr.Missing("Tile")
		}
		if a.entries {
			leaves, err := readLeaves(tx, h.epoch, a.number*tileWidth, a.number*tileWidth+a.width)
			if err == nil && int64(len(leaves)) != a.width {
				err = fmt.Errorf("bundle %d has %d leaves of %d", a.number, len(leaves), a.width)
			}
			data = encodeBundle(leaves)
			return err
		}
		data, err = readTile(tx, h.epoch, a.tileID)
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

package verify

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/mod/sumdb/tlog"

	"kaibao/internal/beacon"
	"kaibao/internal/protocol"
)

// downloads is the number of concurrent downloads of a mirror.
const downloads = 8

// Mirror copies a server's log into a folder, from which the log can be verified offline. It
// returns the copied tree. Complete tiles and bundles that are already there aren't fetched again.
// It refuses a tree that doesn't extend the one in the folder. progress is called with the number
// of copied leaves and the total.
//
// A leaf of an unknown kind may name other resources that must be copied. In that case the folder's
// checkpoint isn't replaced, and the leaf is returned.
func Mirror(ctx context.Context, from, to, key string, progress func(done, total int64)) (Checkpoint, *UnknownLeaf, error) {
	s, err := newSource(from)
	if err != nil {
		return Checkpoint{}, nil, err
	}
	if _, ok := s.(logServer); !ok {
		return Checkpoint{}, nil, fmt.Errorf("%q is not a server", from)
	}
	m := &mirror{source: s, to: to, progress: progress}
	current := key
	if served, err := s.read(ctx, keyName, maxNote); err == nil {
		current = strings.TrimSpace(string(served))
	} else if key == "" {
		return Checkpoint{}, nil, err
	}
	signed, err := s.read(ctx, checkpointName, maxNote)
	if err != nil {
		return Checkpoint{}, nil, err
	}
	c, err := openCheckpoint(signed, current)
	if err != nil {
		return c, nil, err
	}
	copied, err := mirrorDir(to).read(ctx, checkpointName, maxNote)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return c, nil, err
	}
	if originOf(copied) == c.Origin {
		if err := m.checkConsistency(ctx, epochLog{Checkpoint: c, key: current}, copied); err != nil {
			return c, nil, err
		}
	}
	epochs, err := findEpochs(ctx, s, c, current)
	if err != nil {
		return c, nil, err
	}
	if err := checkKeys(epochs, key); err != nil {
		return c, nil, err
	}
	if err := m.continueCopy(ctx, epochs, copied); err != nil {
		return c, nil, err
	}
	if err := errors.Join(m.copyEpochs(ctx, epochs), m.discardIfEnded(ctx, c.Origin)); err != nil {
		return c, nil, err
	}
	if m.unknown != nil {
		return c, m.unknown, nil
	}
	// Written last, so that the folder is complete when it has the checkpoint.
	return c, nil, errors.Join(m.write(checkpointName, signed), m.write(keyName, []byte(current+"\n")))
}

type mirror struct {
	source   source
	to       string
	progress func(done, total int64)

	done, total int64 // leaves in earlier epochs, and in all

	mutex   sync.Mutex
	unknown *UnknownLeaf // first leaf of an unknown kind
	fetched []string     // names of the current log's tiles that this run has fetched
}

// copyEpochs copies the trees of all epochs.
func (m *mirror) copyEpochs(ctx context.Context, epochs []epochLog) error {
	m.total = totalLeaves(epochs)
	for _, epoch := range epochs {
		if err := errors.Join(m.writeEnd(epoch), m.copyTree(ctx, epoch)); err != nil {
			return err
		}
		m.done += epoch.Size
	}
	return nil
}

// discardIfEnded deletes the fetched tiles of the current log if it has ended since the run began:
// some of them may be those of the next log, which has the same addresses now.
func (m *mirror) discardIfEnded(ctx context.Context, origin string) error {
	signed, err := m.source.read(ctx, checkpointName, maxNote)
	if err != nil || originOf(signed) == origin {
		return err
	}
	err = errors.New("the log ended while it was copied, because its key was replaced or the database was restored: run the command again")
	for _, name := range m.fetched {
		err = errors.Join(err, os.Remove(filepath.Join(m.to, filepath.FromSlash(name))))
	}
	return err
}

// continueCopy checks that the log continues the one in the folder. If the key was replaced since, it
// moves the copied tree to the ended logs.
func (m *mirror) continueCopy(ctx context.Context, epochs []epochLog, copied []byte) error {
	folder, last := mirrorDir(m.to), len(epochs)-1
	trusted := epochs[last].key
	if text, err := folder.read(ctx, keyName, maxNote); err == nil {
		trusted = strings.TrimSpace(string(text))
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	n := slices.IndexFunc(epochs, func(e epochLog) bool { return e.key == trusted })
	if n < 0 || slices.ContainsFunc(epochs[n:last], func(e epochLog) bool { return e.end == nil }) {
		return fmt.Errorf("%s contains a copy of another log, or of this one from before a restore (%.40s…): choose another folder", folder, trusted)
	}
	if len(copied) == 0 {
		return nil
	}
	if origin := slices.IndexFunc(epochs, func(e epochLog) bool { return e.Origin == originOf(copied) }); origin > n {
		n = origin // the last run was interrupted between writing the checkpoint and the key
	}
	if err := m.checkConsistency(ctx, epochs[n], copied); err != nil || n == last {
		return err
	}
	return m.moveToEnded(epochs[n])
}

// moveToEnded moves the tiles of a log that has ended since the last copy. If an interrupted run already
// moved them, it deletes that run's partial tiles of the next log.
func (m *mirror) moveToEnded(s epochLog) error {
	from, to := filepath.Join(m.to, "tile"), filepath.Join(m.to, filepath.FromSlash(s.prefix), "tile")
	if _, err := os.Stat(to); err == nil {
		return os.RemoveAll(from)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o750); err != nil {
		return err
	}
	err := os.Rename(from, to)
	if errors.Is(err, fs.ErrNotExist) { // the copied tree was empty
		return nil
	}
	return err
}

// writeEnd writes the key and the last checkpoint of an ended log, as far as the server has them.
func (m *mirror) writeEnd(s epochLog) (err error) {
	if s.hasKey {
		err = m.write(s.prefix+keyName, []byte(s.key+"\n"))
	}
	if s.signed != nil {
		err = errors.Join(err, m.write(s.prefix+checkpointName, s.signed))
	}
	return err
}

// checkConsistency refuses a log that went back or changed since the last copy. The mirror's
// checkpoint is the evidence of that, so it must not be replaced.
func (m *mirror) checkConsistency(ctx context.Context, now epochLog, copied []byte) error {
	kept, err := openCheckpoint(copied, now.key)
	if err != nil {
		return fmt.Errorf("the checkpoint in %s can't be compared with the server's: %w: choose another folder", m.to, err)
	}
	const evidence = "keep the folder as evidence, show others its checkpoint, and mirror the served log to another folder"
	if now.Size < kept.Size {
		return fmt.Errorf("the log has %d leaves, but %s has a signed tree of %d: the log was cut, or there are two logs; %s", now.Size, m.to, kept.Size, evidence)
	}
	tiles := tlog.TileHashReader(tlog.Tree{N: now.Size, Hash: now.Root}, tileReader{ctx, m.source, now.prefix, nil})
	root, err := tlog.TreeHash(kept.Size, tiles)
	if err != nil {
		return fmt.Errorf("can't check whether the log's %d leaves start with the %d in %s, so nothing was copied; try again: %w",
			now.Size, kept.Size, m.to, err)
	}
	if root != kept.Root {
		return fmt.Errorf("the log's %d leaves don't start with the %d signed ones in %s: the log was rewritten, or there are two logs; %s",
			now.Size, kept.Size, m.to, evidence)
	}
	return nil
}

// tileReader reads tiles of a log. Package tlog verifies them against the signed root.
type tileReader struct {
	ctx    context.Context
	source source
	prefix string // of the names of the log's tiles
	failed *error // set if a tile can't be read; may be nil
}

// Height implements tlog.TileReader.
func (tileReader) Height() int { return tileHeight }

// ReadTiles implements tlog.TileReader.
func (r tileReader) ReadTiles(tiles []tlog.Tile) (data [][]byte, err error) {
	data = make([][]byte, len(tiles))
	for n, tile := range tiles {
		data[n], err = r.source.read(r.ctx, r.prefix+tilePath(strconv.Itoa(tile.L), tile.N, tile.W), maxTile)
		if err != nil {
			if r.failed != nil {
				*r.failed = err
			}
			return nil, err
		}
	}
	return data, nil
}

// SaveTiles implements tlog.TileReader.
func (tileReader) SaveTiles([]tlog.Tile, [][]byte) {} // copyTree saves them

// copyTree fetches the tiles, the leaves and the manifests that the leaves name.
func (m *mirror) copyTree(ctx context.Context, s epochLog) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	work := make(chan func() error)
	var workers sync.WaitGroup
	for range downloads {
		workers.Go(func() {
			for job := range work {
				if err := job(); err != nil {
					cancel(err)
				}
			}
		})
	}
	send := func(job func() error) bool {
		select {
		case work <- job:
			return true
		case <-ctx.Done():
			return false
		}
	}
	for level := 0; s.Size>>(tileHeight*level) > 0; level++ {
		hashes := s.Size >> (8 * level)
		for first := int64(0); first < hashes; first += tileWidth {
			number, width := first/tileWidth, int(min(tileWidth, hashes-first))
			sent := send(func() error {
				_, err := m.fetch(ctx, s.prefix+tilePath(strconv.Itoa(level), number, width), maxTile)
				return err
			})
			if level == 0 {
				sent = sent && send(func() error { return m.copyLeaves(ctx, s, number, width) })
				m.progress(m.done+first, m.total)
			}
			if !sent {
				break
			}
		}
	}
	close(work)
	workers.Wait()
	return context.Cause(ctx)
}

// copyLeaves fetches an entry bundle, the manifests announced in it, and the beacons of its manifests and
// rounds.
func (m *mirror) copyLeaves(ctx context.Context, s epochLog, number int64, width int) error {
	data, err := m.fetch(ctx, s.prefix+tilePath("entries", number, width), maxBundle)
	if err != nil {
		return err
	}
	leaves, err := splitBundle(data, width)
	if err != nil {
		return fmt.Errorf("bundle %d: %w", number, err)
	}
	for i, text := range leaves {
		if unknown, ok := errors.AsType[protocol.UnknownKindError](protocol.CheckKind(text)); ok {
			m.recordUnknown(UnknownLeaf{number*tileWidth + int64(i), unknown.Kind})
			continue
		}
		start := string(text[:min(len(text), 32)])
		if !strings.HasPrefix(start, "kaibao-manifest-published/") && !strings.HasPrefix(start, "kaibao-round/") {
			continue
		}
		leaf, err := protocol.ParseLeaf(text)
		if err != nil {
			return fmt.Errorf("bundle %d: %w", number, err)
		}
		switch leaf := leaf.(type) {
		case protocol.ManifestLeaf:
			err = m.copyManifest(ctx, leaf.Manifest)
		case protocol.RoundLeaf:
			err = m.copyBeacon(ctx, leaf.Beacon)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// copyBeacon fetches a beacon unless every verifier knows it.
func (m *mirror) copyBeacon(ctx context.Context, chain [32]byte) error {
	if beacon.Known(chain) != nil {
		return nil
	}
	_, err := m.fetch(ctx, beaconPrefix+hex.EncodeToString(chain[:]), maxNote)
	return err
}

// copyManifest fetches a manifest and its beacon.
func (m *mirror) copyManifest(ctx context.Context, hash [32]byte) error {
	text, err := m.fetch(ctx, manifestPrefix+hex.EncodeToString(hash[:]), maxManifest)
	if err != nil {
		return err
	}
	// The verifier reports a malformed manifest.
	if manifest, parseErr := protocol.ParseManifest(text); parseErr == nil && manifest.Sealing != nil {
		err = m.copyBeacon(ctx, manifest.Sealing.Beacon)
	}
	return err
}

// recordUnknown records a leaf of an unknown kind if it comes before the recorded one.
func (m *mirror) recordUnknown(unknown UnknownLeaf) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.unknown == nil || unknown.Leaf < m.unknown.Leaf {
		m.unknown = &unknown
	}
}

// fetch returns a file of the mirror, or downloads it if it is missing.
func (m *mirror) fetch(ctx context.Context, name string, limit int64) ([]byte, error) {
	data, err := mirrorDir(m.to).read(ctx, name, limit)
	if !errors.Is(err, fs.ErrNotExist) {
		return data, err
	}
	data, err = m.source.read(ctx, name, limit)
	if err != nil {
		return nil, err
	}
	if err := m.write(name, data); err != nil {
		return nil, err
	}
	if strings.HasPrefix(name, "tile/") {
		m.mutex.Lock()
		defer m.mutex.Unlock()
		m.fetched = append(m.fetched, name)
	}
	return data, nil
}

// write writes a file atomically.
func (m *mirror) write(name string, data []byte) error {
	path := filepath.Join(m.to, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), ".part-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(temp.Name()) }()
	_, err = temp.Write(data)
	if err := errors.Join(err, temp.Close()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}

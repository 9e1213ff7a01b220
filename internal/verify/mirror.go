package verify

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/mod/sumdb/tlog"

	"kaibao/internal/protocol"
)

// fetchers is how many resources of a mirror are on their way at once.
const fetchers = 8

// Mirror copies a server's log into a folder from which it can be checked without
// the server. What is there in full is not fetched again. A tree that does not begin
// with the one that the folder keeps is refused. It returns the tree that it copied.
// progress is told how many of all leaves are there.
//
// Of a leaf of an unknown kind nobody can tell here what else it names that must be copied: the
// tree that the folder keeps stays the one before, and the Newer says what is needed.
func Mirror(ctx context.Context, from, to, key string, progress func(done, total int64)) (Checkpoint, *Newer, error) {
	s, err := newSource(from)
	if err != nil {
		return Checkpoint{}, nil, err
	}
	if _, ok := s.(server); !ok {
		return Checkpoint{}, nil, fmt.Errorf("%q is not a server", from)
	}
	m := &mirror{from: s, to: to, progress: progress}
	if key == "" {
		text, err := s.read(ctx, keyName, maxNote)
		if err != nil {
			return Checkpoint{}, nil, err
		}
		key = strings.TrimSpace(string(text))
	}
	kept, err := folder(to).kept(ctx, key)
	if err != nil {
		return Checkpoint{}, nil, err
	}
	signed, err := s.read(ctx, checkpointName, maxNote)
	if err != nil {
		return Checkpoint{}, nil, err
	}
	c, err := openCheckpoint(signed, key)
	if err != nil {
		return c, nil, err
	}
	if err := m.continues(ctx, c, kept); err != nil {
		return c, nil, err
	}
	segments, err := chain(ctx, s, c)
	if err != nil {
		return c, nil, err
	}
	m.total = leaves(segments)
	for _, segment := range segments {
		if err := m.copyTree(ctx, segment); err != nil {
			return c, nil, err
		}
		m.done += segment.Size
	}
	if m.newer != nil {
		return c, m.newer, nil
	}
	// Last, so that what it names is there.
	return c, nil, errors.Join(m.write(keyName, []byte(key+"\n")), m.write(checkpointName, signed))
}

type mirror struct {
	from     source
	to       string
	progress func(done, total int64)

	done, total int64 // leaves of the segments before, and of all

	mutex sync.Mutex
	newer *Newer // the first leaf of an unknown kind
}

// kept is the tree that a mirror holds of the log of a key, the empty one as long as it
// holds none.
func (f folder) kept(ctx context.Context, key string) (Checkpoint, error) {
	before, err := f.read(ctx, keyName, maxNote)
	if err == nil && strings.TrimSpace(string(before)) != key {
		return Checkpoint{}, fmt.Errorf("%s is a copy of the log %.40s…, which is not this one: name another folder", f, before)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Checkpoint{}, err
	}
	signed, err := f.read(ctx, checkpointName, maxNote)
	if errors.Is(err, fs.ErrNotExist) {
		return Checkpoint{Root: (&frontier{}).root()}, nil
	}
	if err != nil {
		return Checkpoint{}, err
	}
	c, err := openCheckpoint(signed, key)
	if err != nil {
		err = fmt.Errorf("the checkpoint that %s keeps cannot be compared with the server's: %w: name another folder", f, err)
	}
	return c, err
}

// continues refuses a log that went back or became another one since it was copied last.
// The checkpoint that is kept is the proof of that, so it must not be replaced.
func (m *mirror) continues(ctx context.Context, now, kept Checkpoint) error {
	const evidence = "keep the folder as evidence, show others its checkpoint, and copy what is served now into another folder"
	if now.Size < kept.Size {
		return fmt.Errorf("the log has %d leaves, but %s keeps a signed tree of %d: it went back, or there are two; %s", now.Size, m.to, kept.Size, evidence)
	}
	tiles := tlog.TileHashReader(tlog.Tree{N: now.Size, Hash: now.Root}, tileReader{ctx, m.from})
	root, err := tlog.TreeHash(kept.Size, tiles)
	if err != nil {
		return fmt.Errorf("whether the %d leaves of the log begin with the %d that %s keeps cannot be told, so nothing was copied; try again: %w",
			now.Size, kept.Size, m.to, err)
	}
	if root != kept.Root {
		return fmt.Errorf("the %d leaves of the log do not begin with the %d that %s keeps a signed tree of: it was rewritten, or there are two; %s",
			now.Size, kept.Size, m.to, evidence)
	}
	return nil
}

// tileReader reads the tiles of the log that grows. tlog compares them with the signed root.
type tileReader struct {
	ctx  context.Context
	from source
}

// Height implements tlog.TileReader.
func (tileReader) Height() int { return tileHeight }

// ReadTiles implements tlog.TileReader.
func (r tileReader) ReadTiles(tiles []tlog.Tile) (data [][]byte, err error) {
	data = make([][]byte, len(tiles))
	for n, tile := range tiles {
		data[n], err = r.from.read(r.ctx, tileName(strconv.Itoa(tile.L), tile.N, tile.W), maxTile)
		if err != nil {
			return nil, err
		}
	}
	return data, nil
}

// SaveTiles implements tlog.TileReader.
func (tileReader) SaveTiles([]tlog.Tile, [][]byte) {} // they are copied with the others

// copyTree fetches tiles, leaves and the manifests that the leaves name.
func (m *mirror) copyTree(ctx context.Context, s segment) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	work := make(chan func() error)
	var workers sync.WaitGroup
	for range fetchers {
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
				_, err := m.fetch(ctx, s.folder+tileName(strconv.Itoa(level), number, width), maxTile)
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

// copyLeaves fetches a bundle and the manifests announced in it.
func (m *mirror) copyLeaves(ctx context.Context, s segment, number int64, width int) error {
	data, err := m.fetch(ctx, s.folder+tileName("entries", number, width), maxBundle)
	if err != nil {
		return err
	}
	leaves, err := splitBundle(data, width)
	if err != nil {
		return fmt.Errorf("bundle %d: %w", number, err)
	}
	for i, text := range leaves {
		if unknown, ok := errors.AsType[protocol.UnknownKindError](protocol.CheckKind(text)); ok {
			m.meet(Newer{number*tileWidth + int64(i), unknown.Kind})
			continue
		}
		if !strings.HasPrefix(string(text[:min(len(text), 32)]), "kaibao-manifest-published/") {
			continue
		}
		leaf, err := protocol.ParseLeaf(text)
		if err != nil {
			return fmt.Errorf("bundle %d: %w", number, err)
		}
		published, ok := leaf.(protocol.ManifestLeaf)
		if !ok {
			continue
		}
		if _, err := m.fetch(ctx, manifests+hex.EncodeToString(published.Manifest[:]), maxManifest); err != nil {
			return err
		}
	}
	return nil
}

// meet notes a leaf of an unknown kind, of several the first.
func (m *mirror) meet(unknown Newer) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.newer == nil || unknown.Leaf < m.newer.Leaf {
		m.newer = &unknown
	}
}

// fetch takes what is there, or else the server's.
func (m *mirror) fetch(ctx context.Context, name string, limit int64) ([]byte, error) {
	data, err := folder(m.to).read(ctx, name, limit)
	if !errors.Is(err, fs.ErrNotExist) {
		return data, err
	}
	data, err = m.from.read(ctx, name, limit)
	if err != nil {
		return nil, err
	}
	return data, m.write(name, data)
}

// write puts a file in its place whole, or not at all.
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

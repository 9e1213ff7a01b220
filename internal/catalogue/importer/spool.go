package importer

import (
	"bufio"
	"cmp"
	"container/heap"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// spool stores items on disk until they are written and returns them sorted by id. Writing in that
// order finds a large table's pages in the cache and can't deadlock with other imports. Its file is
// unlinked, so nothing remains if the process dies.
type spool struct {
	file       *os.File
	rows       int64
	run        []rowItem // not on disk yet
	runOffsets []int64   // offsets of the sorted runs, and the end of the last
}

// A run is sorted in memory. While merging, one part of each run is in memory.
const (
	runSize  = 10_000
	partSize = 100
)

func newSpool() (*spool, error) {
	file, err := os.CreateTemp("", "kaibao-import-*")
	if err != nil {
		return nil, fmt.Errorf("create a temporary file for the import: %w", err)
	}
	s := &spool{file: file, runOffsets: []int64{0}}
	if err := os.Remove(file.Name()); err != nil {
		return nil, errors.Join(fmt.Errorf("create a temporary file for the import: %w", err), s.close())
	}
	return s, nil
}

func (s *spool) add(items []rowItem) error {
	s.rows += int64(len(items))
	s.run = append(s.run, items...)
	if len(s.run) < runSize {
		return nil
	}
	return s.flush()
}

// flush sorts and writes the current run.
func (s *spool) flush() error {
	if len(s.run) == 0 {
		return nil
	}
	slices.SortFunc(s.run, func(a, b rowItem) int { return cmp.Compare(a.ID, b.ID) })
	out := bufio.NewWriter(s.file)
	to := json.NewEncoder(out)
	for part := range slices.Chunk(s.run, partSize) {
		if err := to.Encode(part); err != nil {
			return fmt.Errorf("write the temporary file: %w", err)
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write the temporary file: %w", err)
	}
	end, err := s.file.Seek(0, io.SeekCurrent)
	if err != nil {
		return fmt.Errorf("write the temporary file: %w", err)
	}
	s.runOffsets, s.run = append(s.runOffsets, end), s.run[:0]
	return nil
}

// forEachBatch calls visit with all items, sorted by id, in batches. It can be called repeatedly.
func (s *spool) forEachBatch(visit func([]rowItem) error) error {
	if err := s.flush(); err != nil {
		return err
	}
	var merged runs
	for n, start := range s.runOffsets[:len(s.runOffsets)-1] {
		r := &run{from: json.NewDecoder(bufio.NewReader(io.NewSectionReader(s.file, start, s.runOffsets[n+1]-start)))}
		if err := r.next(); err != nil {
			return fmt.Errorf("read the temporary file: %w", err)
		}
		merged = append(merged, r)
	}
	heap.Init(&merged)
	batch := make([]rowItem, 0, batchSize)
	for len(merged) > 0 {
		batch = append(batch, merged[0].part[0])
		if err := merged.step(); err != nil {
			return fmt.Errorf("read the temporary file: %w", err)
		}
		if len(batch) < batchSize && len(merged) > 0 {
			continue
		}
		if err := visit(batch); err != nil {
			return err
		}
		batch = make([]rowItem, 0, batchSize) // a transaction may still use the old one
	}
	return nil
}

func (s *spool) close() error {
	if s == nil {
		return nil
	}
	return s.file.Close()
}

// run reads a sorted run of a spool.
type run struct {
	from *json.Decoder
	part []rowItem
}

// next advances to the next item, or returns io.EOF.
func (r *run) next() error {
	if len(r.part) > 1 {
		r.part = r.part[1:]
		return nil
	}
	r.part = nil
	return r.from.Decode(&r.part)
}

// runs is a heap of runs, ordered by their first items.
type runs []*run

// step removes the first item.
func (h *runs) step() error {
	err := (*h)[0].next()
	if errors.Is(err, io.EOF) {
		heap.Pop(h)
		return nil
	}
	heap.Fix(h, 0)
	return err
}

// Len implements heap.Interface.
func (h *runs) Len() int { return len(*h) }

// Less implements heap.Interface.
func (h *runs) Less(a, b int) bool { return (*h)[a].part[0].ID < (*h)[b].part[0].ID }

// Swap implements heap.Interface.
func (h *runs) Swap(a, b int) { (*h)[a], (*h)[b] = (*h)[b], (*h)[a] }

// Push implements heap.Interface.
func (h *runs) Push(r any) { *h = append(*h, r.(*run)) }

// Pop implements heap.Interface.
func (h *runs) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

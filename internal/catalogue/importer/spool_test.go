package importer

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"kaibao/internal/catalogue"
)

// All items come back sorted by id, every time, regardless of the order in which they were added.
func TestSpoolReturnsItemsSortedByID(t *testing.T) {
	for _, rows := range []int{0, 1, partSize, runSize, 2*runSize + 7} {
		s, err := newSpool()
		if err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewPCG(1, 2))
		for batch := range slices.Chunk(random.Perm(rows), batchSize) {
			items := make([]rowItem, len(batch))
			for n, id := range batch {
				items[n] = rowItem{Item: catalogue.Item{ID: fmt.Sprintf("%08d", id)}, KeepsActive: id%2 == 0}
			}
			if err := s.add(items); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 {
			next := 0
			if err := s.forEachBatch(func(items []rowItem) error {
				for _, item := range items {
					if item.ID != fmt.Sprintf("%08d", next) || item.KeepsActive != (next%2 == 0) {
						t.Fatalf("item %d is %+v", next, item)
					}
					next++
				}
				return nil
			}); err != nil || next != rows {
				t.Errorf("%d of %d items returned: %v", next, rows, err)
			}
		}
		if err := s.close(); err != nil {
			t.Error(err)
		}
	}
}

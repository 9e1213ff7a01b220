package profiles

import (
	"context"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"kaibao/internal/db"
	"kaibao/internal/inventory"
)

// countsBySet is how many cards a user owns of each set.
type countsBySet = map[inventory.SetName]inventory.SetCount

// Counting the cards of a user with 100,000 entries takes a second on a busy node, and adding an index for
// it would slow down every open. So only users with few entries are counted for each request. The others
// are counted in the background, one at a time; until then, their newest entries count.
const (
	fewEntries   = 3000
	countedUsers = 1024 // whose counts are kept
	countsLife   = time.Minute
)

// ownedCounter counts users' cards by set. It keeps only counts, which are shown to nobody unless the user
// is public at that moment.
type ownedCounter struct {
	db       *db.DB
	kept     *lru.Cache[string, keptCounts]
	counting sync.Mutex // held while a user is counted in the background
}

type keptCounts struct {
	counts countsBySet
	until  time.Time
}

func newOwnedCounter(d *db.DB) *ownedCounter {
	kept, err := lru.New[string, keptCounts](countedUsers)
	if err != nil {
		panic(err) // only for a size below 1
	}
	return &ownedCounter{db: d, kept: kept}
}

// count returns how many cards a user owns of each set.
func (c *ownedCounter) count(ctx context.Context, tx *db.Tx, user string) (countsBySet, error) {
	many, err := inventory.HasMoreThan(tx, user, fewEntries)
	if err != nil {
		return nil, err
	}
	if !many {
		return inventory.CountBySet(tx, user)
	}
	kept, ok := c.kept.Get(user)
	if !ok || !tx.Now.Before(kept.until) {
		c.recount(ctx, user)
	}
	if ok {
		return kept.counts, nil
	}
	return inventory.CountNewestBySet(tx, user, fewEntries)
}

// recount counts a user's cards in the background, unless it is counting already.
func (c *ownedCounter) recount(ctx context.Context, user string) {
	if !c.counting.TryLock() {
		return
	}
	go func() {
		defer c.counting.Unlock()
		ctx, end := c.db.WithTimeLimit(context.WithoutCancel(ctx))
		defer end()
		// If it fails, the next request tries again.
		_ = c.db.Search(ctx, func(tx *db.Tx) error {
			counts, err := inventory.CountBySet(tx, user)
			if err == nil {
				c.kept.Add(user, keptCounts{counts, tx.Now.Add(countsLife)})
			}
			return err
		})
	}()
}

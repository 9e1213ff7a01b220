// Package index keeps all listings in memory on each node, to filter, sort and count them. It
// contains every act of its own node and every act of other nodes older than marketevents.MaxLag.
// When it lags behind that, pages query the database instead. Buying always reads the database.
package index

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/inventory"
	"kaibao/internal/jobs"
	"kaibao/internal/marketevents"
)

// buildPause is how often a node checks whether its model must be built, and buildLimit how long a
// build may take.
const (
	buildPause = 100 * time.Millisecond
	buildLimit = time.Minute
)

// Service is the in-memory read model of one node. It queries the database if the model can't
// serve.
type Service struct {
	db       *db.DB
	follower *marketevents.Follower

	// behind is held by the one request that queries the database because the model lags. With a
	// million listings, several such queries at once would slow down the model's catch-up.
	behind   sync.Mutex
	patience time.Duration // timeout of the query made while behind is held

	mutex   sync.RWMutex // guards the fields below
	model   *model       // nil until it is built
	changed chan struct{}

	reading sync.Mutex // held while stale rows are read, to apply them in that order
	stale   stale
	heard   int64 // the number of the last event handled
}

// New returns the service of a node. The caller must pass market events to Handle.
func New(d *db.DB) *Service {
	s := &Service{db: d, patience: longestWait, changed: make(chan struct{}), stale: stale{entries: map[string]bool{}, items: map[string]bool{}}}
	d.Subscribe(func(what any) {
		switch what := what.(type) {
		case inventory.EntriesChanged:
			s.stale.note(what.Entries, nil)
		case marketevents.Added:
			s.stale.note(about(what))
		}
	})
	return s
}

// Follow sets the follower that delivers the events.
func (s *Service) Follow(f *marketevents.Follower) { s.follower = f }

// Jobs returns the job that builds the model.
func (s *Service) Jobs() []jobs.Job {
	return []jobs.Job{{Name: "market index", Every: buildPause, Limit: buildLimit, Do: func(ctx context.Context) (int64, error) { return 0, s.build(ctx) }}}
}

// stale collects the entries and items that the model must read again.
type stale struct {
	mutex          sync.Mutex
	entries, items map[string]bool
}

func (s *stale) note(entries, items []string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, id := range entries {
		s.entries[id] = true
	}
	for _, id := range items {
		s.items[id] = true
	}
}

// take empties the set and returns it. A caller that fails to read the rows must note them again.
func (s *stale) take() (entries, items []string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	entries, items = slices.Collect(maps.Keys(s.entries)), slices.Collect(maps.Keys(s.items))
	clear(s.entries)
	clear(s.items)
	return entries, items
}

// Handle processes market events in order. If events were missed, it discards the model, which is
// then rebuilt.
func (s *Service) Handle(ctx context.Context, events []marketevents.Event) error {
	s.stale.note(about(events))
	if s.heard > 0 && events[0].Number > s.heard+1 {
		s.swap(nil)
	}
	s.heard = events[len(events)-1].Number
	return s.refresh(ctx)
}

// about returns the entries and items that the events changed.
func about(events []marketevents.Event) (entries, items []string) {
	for _, e := range events {
		switch e.Kind {
		case marketevents.Offered, marketevents.Delisted, marketevents.Traded, marketevents.Left:
			entries = append(entries, e.Entry)
		case marketevents.Edited, marketevents.Valued:
			items = append(items, e.Item)
		default: // the event changes no listing
		}
	}
	return entries, items
}

// build catches up with the events, loads the model from the database and applies changes noted
// meanwhile.
func (s *Service) build(ctx context.Context) error {
	if s.built() {
		return nil
	}
	if err := s.follower.CatchUp(ctx); err != nil {
		return err
	}
	m := newModel()
	err := s.db.Inspect(ctx, func(tx *db.Tx) error {
		m.turned = tx.Now
		return m.read(tx)
	})
	if err != nil {
		return err
	}
	m.build()
	s.swap(m)
	return s.refresh(ctx)
}

func (s *Service) built() bool {
	s.mutex.RLock()
	defer s.mutex.RUnlock()
	return s.model != nil
}

func (s *Service) swap(m *model) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.model = m
}

// refresh reads stale rows and applies them to the model. Rows are noted only after their
// transaction committed. Without a model they stay noted for later.
func (s *Service) refresh(ctx context.Context) error {
	if !s.built() {
		return nil
	}
	s.reading.Lock()
	defer s.reading.Unlock()
	entries, items := s.stale.take()
	if len(entries) == 0 && len(items) == 0 {
		return nil
	}
	var rows []listingRow
	var edited []catalogue.Item
	err := s.db.Read(ctx, func(tx *db.Tx) (err error) {
		rows, err = listingRowsOf(tx, entries)
		if err == nil && len(items) > 0 {
			edited, err = itemsOf(tx, items)
		}
		return err
	})
	if err != nil {
		s.stale.note(entries, items)
		return err
	}
	s.apply(rows, edited)
	return nil
}

func (s *Service) apply(rows []listingRow, edited []catalogue.Item) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.model == nil {
		return
	}
	s.model.rotateLeft(s.db.Now())
	for _, i := range edited {
		if _, known := s.model.known[i.ID]; known {
			s.model.putItem(i)
		}
	}
	for _, row := range rows {
		s.model.put(row)
	}
	close(s.changed)
	s.changed = make(chan struct{})
}

// longestWait is how long a request waits for a position that is younger than justNow, and how long
// a lagging node waits for the database.
const (
	longestWait = marketevents.MaxLag
	justNow     = 10 * time.Second
)

// ready catches up with the events and waits, if needed, for the caller's position. It reports
// whether the model is current.
func (s *Service) ready(ctx context.Context, position string) bool {
	if !s.built() || s.follower.CatchUp(ctx) != nil || s.refresh(ctx) != nil {
		return false
	}
	p, ok := inventory.ParsePosition(position)
	if ok && s.db.Now().Sub(p.At) < justNow {
		s.wait(ctx, p)
	}
	return true
}

// wait waits until the model includes the position, at most longestWait.
func (s *Service) wait(ctx context.Context, p inventory.Position) {
	entry, ok := db.ParseID(p.Entry)
	if !ok {
		return
	}
	ctx, end := context.WithTimeout(ctx, longestWait)
	defer end()
	for {
		s.mutex.RLock()
		there, changed := s.model == nil || s.model.version(entry) >= p.Version, s.changed
		s.mutex.RUnlock()
		if there {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

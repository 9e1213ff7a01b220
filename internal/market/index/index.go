// Package index keeps all listings in memory on each node, to filter, sort and count them. It
// reflects acts of its own node at once, and those of other nodes within marketevents.MaxLag. When it
// lags more, pages query the database instead. Buying always reads the database.
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

// buildInterval is how often a node checks whether its model must be built, and buildTimeout how
// long a build may take.
const (
	buildInterval = 100 * time.Millisecond
	buildTimeout  = time.Minute
)

// Service is the in-memory read model of one node. It queries the database if the model can't
// serve.
type Service struct {
	db         *db.DB
	dispatcher *marketevents.Dispatcher

	// searchLock is held by the one request that queries the database because the model lags. With
	// a million listings, several such queries at once would slow down the model's catch-up.
	searchLock    sync.Mutex
	searchTimeout time.Duration // of the query made while searchLock is held

	mutex   sync.RWMutex // guards the fields below
	model   *model       // nil until it is built
	changed chan struct{}

	applyLock sync.Mutex // held while stale rows are read, to apply them in that order
	stale     staleRows
	lastEvent int64 // the number of the last event handled
}

// New returns the service of a node. The caller must pass market events to Handle.
func New(d *db.DB) *Service {
	s := &Service{db: d, searchTimeout: maxWait, changed: make(chan struct{}), stale: staleRows{entries: map[string]bool{}, items: map[string]bool{}}}
	d.Subscribe(func(message any) {
		switch message := message.(type) {
		case inventory.EntriesChanged:
			s.stale.add(message.Entries, nil)
		case marketevents.Added:
			s.stale.add(changedBy(message))
		}
	})
	return s
}

// SetDispatcher sets the dispatcher that delivers the events.
func (s *Service) SetDispatcher(d *marketevents.Dispatcher) { s.dispatcher = d }

// Jobs returns the job that builds the model.
func (s *Service) Jobs() []jobs.Job {
	return []jobs.Job{{Name: "market index", Every: buildInterval, Limit: buildTimeout, Do: func(ctx context.Context) (int64, error) { return 0, s.build(ctx) }}}
}

// staleRows collects the entries and items that the model must read again.
type staleRows struct {
	mutex          sync.Mutex
	entries, items map[string]bool
}

func (s *staleRows) add(entries, items []string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, id := range entries {
		s.entries[id] = true
	}
	for _, id := range items {
		s.items[id] = true
	}
}

// drain empties the set and returns it. A caller that fails to read the rows must add them again.
func (s *staleRows) drain() (entries, items []string) {
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
	s.stale.add(changedBy(events))
	if s.lastEvent > 0 && events[0].Number > s.lastEvent+1 {
		s.setModel(nil)
	}
	s.lastEvent = events[len(events)-1].Number
	return s.refresh(ctx)
}

// changedBy returns the entries and items that the events changed.
func changedBy(events []marketevents.Event) (entries, items []string) {
	for _, e := range events {
		switch e.Kind {
		case marketevents.Offered, marketevents.Delisted, marketevents.Traded, marketevents.LeftMarket:
			entries = append(entries, e.Entry)
		case marketevents.Edited, marketevents.Valued:
			items = append(items, e.Item)
		default: // the event changes no listing
		}
	}
	return entries, items
}

// build catches up with the events, loads the model from the database and applies rows that
// became stale meanwhile.
func (s *Service) build(ctx context.Context) error {
	if s.built() {
		return nil
	}
	if err := s.dispatcher.CatchUp(ctx); err != nil {
		return err
	}
	m := newModel()
	err := s.db.Inspect(ctx, func(tx *db.Tx) error {
		m.rotatedAt = tx.Now
		return m.read(tx)
	})
	if err != nil {
		return err
	}
	m.build()
	s.setModel(m)
	return s.refresh(ctx)
}

func (s *Service) built() bool {
	s.mutex.RLock()
	defer s.mutex.RUnlock()
	return s.model != nil
}

func (s *Service) setModel(m *model) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.model = m
}

// refresh reads stale rows and applies them to the model. Rows become stale only after their
// transaction committed. Without a model they stay stale.
func (s *Service) refresh(ctx context.Context) error {
	if !s.built() {
		return nil
	}
	s.applyLock.Lock()
	defer s.applyLock.Unlock()
	entries, items := s.stale.drain()
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
		s.stale.add(entries, items)
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
	s.model.rotateUnlisted(s.db.Now())
	for _, i := range edited {
		if _, ok := s.model.itemNumbers[i.ID]; ok {
			s.model.putItem(i)
		}
	}
	for _, row := range rows {
		s.model.put(row)
	}
	close(s.changed)
	s.changed = make(chan struct{})
}

// maxWait is how long a request waits for a position that is younger than freshPosition, and how
// long a lagging node waits for the database.
const (
	maxWait       = marketevents.MaxLag
	freshPosition = 10 * time.Second
)

// ready catches up with the events and waits, if needed, for the caller's position. It reports
// whether the model is current.
func (s *Service) ready(ctx context.Context, position string) bool {
	if !s.built() || s.dispatcher.CatchUp(ctx) != nil || s.refresh(ctx) != nil {
		return false
	}
	p, ok := inventory.ParsePosition(position)
	if ok && s.db.Now().Sub(p.At) < freshPosition {
		s.waitFor(ctx, p)
	}
	return true
}

// waitFor waits until the model includes the position, at most maxWait.
func (s *Service) waitFor(ctx context.Context, p inventory.Position) {
	entry, ok := db.ParseID(p.Entry)
	if !ok {
		return
	}
	ctx, end := context.WithTimeout(ctx, maxWait)
	defer end()
	for {
		s.mutex.RLock()
		included, changed := s.model == nil || s.model.version(entry) >= p.Version, s.changed
		s.mutex.RUnlock()
		if included {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

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

// How often a node looks whether it has to build its model, and how long that may take.
const (
	buildPause = 100 * time.Millisecond
	buildLimit = time.Minute
)

// Service is the read model of one node, and the database where the model cannot serve.
type Service struct {
	db       *db.DB
	follower *marketevents.Follower

	// behind is held by who asks the database because the model is behind: at a million listings
	// several at once would hold up what brings it forward, for as long as anybody asks.
	behind   sync.Mutex
	patience time.Duration // with the database, of who holds it

	mutex   sync.RWMutex // of what follows
	model   *model       // nil until it is built
	changed chan struct{}

	reading sync.Mutex // who reads stale rows: what was read first is applied first
	stale   stale
	heard   int64 // the number of the last event
}

// New makes the service of a node, to which the market's events are to be handed (Handle).
func New(d *db.DB) *Service {
	s := &Service{db: d, patience: longestWait, changed: make(chan struct{}), stale: stale{entries: map[string]bool{}, items: map[string]bool{}}}
	d.Subscribe(func(what any) {
		switch what := what.(type) {
		case inventory.Changed:
			s.stale.note(what.Entries, nil)
		case marketevents.Added:
			s.stale.note(about(what))
		}
	})
	return s
}

// Follow says who hands over the events.
func (s *Service) Follow(f *marketevents.Follower) { s.follower = f }

// Jobs build the model.
func (s *Service) Jobs() []jobs.Job {
	return []jobs.Job{{Name: "stalls", Every: buildPause, Limit: buildLimit, Do: func(ctx context.Context) (int64, error) { return 0, s.build(ctx) }}}
}

// stale is what the model must read again.
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

// take takes all of it. Who does not read it then notes it again.
func (s *stale) take() (entries, items []string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	entries, items = slices.Collect(maps.Keys(s.entries)), slices.Collect(maps.Keys(s.items))
	clear(s.entries)
	clear(s.items)
	return entries, items
}

// Handle is told of the market's events, in their order. After some that it was not told of
// the model is built anew.
func (s *Service) Handle(ctx context.Context, events []marketevents.Event) error {
	s.stale.note(about(events))
	if s.heard > 0 && events[0].Number > s.heard+1 {
		s.swap(nil)
	}
	s.heard = events[len(events)-1].Number
	return s.refresh(ctx)
}

// about are the entries and the items that events say are otherwise.
func about(events []marketevents.Event) (entries, items []string) {
	for _, e := range events {
		switch e.Kind {
		case marketevents.Offered, marketevents.Delisted, marketevents.Traded, marketevents.Left:
			entries = append(entries, e.Entry)
		case marketevents.Edited, marketevents.Valued:
			items = append(items, e.Item)
		default: // changes nothing of what is for sale
		}
	}
	return entries, items
}

// build makes the model, once the events are followed that come after what it reads.
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

// refresh reads what the model must read again: what was noted by then was committed before.
// Until there is a model it is kept for later.
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
	var rows []stall
	var edited []catalogue.Item
	err := s.db.Read(ctx, func(tx *db.Tx) (err error) {
		rows, err = stallsOf(tx, entries)
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

func (s *Service) apply(rows []stall, edited []catalogue.Item) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.model == nil {
		return
	}
	s.model.turn(s.db.Now())
	for _, i := range edited {
		if _, known := s.model.known[i.ID]; known {
			s.model.see(i)
		}
	}
	for _, row := range rows {
		s.model.put(row)
	}
	close(s.changed)
	s.changed = make(chan struct{})
}

// How long a node waits for what a position tells of, if that has just happened, and for the
// database to say what a model that is behind has not heard.
const (
	longestWait = marketevents.MaxLag
	justNow     = 10 * time.Second
)

// ready brings the model to where a caller has seen the market, as far as that can be, and
// tells whether it is there.
func (s *Service) ready(ctx context.Context, position string) bool {
	if !s.built() || s.follower.CatchUp(ctx) != nil || s.refresh(ctx) != nil {
		return false
	}
	p, ok := inventory.ReadPosition(position)
	if ok && s.db.Now().Sub(p.At) < justNow {
		s.wait(ctx, p)
	}
	return true
}

// wait waits until the model has a position.
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

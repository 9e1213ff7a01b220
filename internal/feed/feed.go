// Package feed streams public events as they happen: opens, listings, trades and leaderboard
// changes. A reader that reconnects continues where it stopped. Each node encodes an event once for
// all readers and keeps recent ones for those who reconnect.
package feed

import (
	"context"
	"io"
	"slices"
	"strconv"

	"golang.org/x/sync/singleflight"

	"kaibao/internal/db"
	"kaibao/internal/eventstream"
	"kaibao/internal/marketevents"
)

// batchSize is the most events read and sent at a time.
const batchSize = 512

// Service serves the stream on one node.
type Service struct {
	db      *db.DB
	ring    ring
	loading singleflight.Group
	wake    func()
	streams func() int // number of open streams
	// viewer returns the id of the user who opens a stream, or an empty string.
	viewer func(ctx context.Context) (string, error)
}

// New returns a service. The caller must pass events to Handle.
func New(d *db.DB) *Service {
	return &Service{db: d, wake: func() {}, streams: func() int { return 0 }, viewer: func(context.Context) (string, error) { return "", nil }}
}

// OpenStreams returns the number of readers on this node.
func (s *Service) OpenStreams() int { return s.streams() }

// Last returns the number of the last event this node has, or "" before load.
func (s *Service) Last() string {
	head, loaded := s.ring.state()
	if !loaded {
		return ""
	}
	return formatNumber(head)
}

// load loads the latest events once, so that clients who come from another node can continue here.
func (s *Service) load(ctx context.Context) error {
	if _, loaded := s.ring.state(); loaded {
		return nil
	}
	_, err, _ := s.loading.Do("", func() (any, error) {
		if _, loaded := s.ring.state(); loaded {
			return nil, nil
		}
		return nil, s.db.Read(context.WithoutCancel(ctx), func(tx *db.Tx) error {
			head, err := marketevents.Head(tx)
			if err != nil {
				return err
			}
			events, err := marketevents.After(tx, head-ringSize, ringSize)
			if err != nil {
				return err
			}
			var pages []page
			for chunk := range slices.Chunk(events, batchSize) {
				p, err := encodePage(tx, chunk)
				if err != nil {
					return err
				}
				pages = append(pages, p)
			}
			s.ring.init(head, pages)
			return nil
		})
	})
	return err
}

// Handle adds events, in order, and wakes the readers. It skips events it already has.
func (s *Service) Handle(ctx context.Context, events []marketevents.Event) error {
	if err := s.load(ctx); err != nil {
		return err
	}
	head, _ := s.ring.state()
	events = slices.DeleteFunc(slices.Clone(events), func(e marketevents.Event) bool { return e.Number <= head })
	if len(events) == 0 {
		return nil
	}
	var p page
	err := s.db.Peek(ctx, func(tx *db.Tx) (err error) { p, err = encodePage(tx, events); return err })
	if err != nil {
		return err
	}
	s.ring.add(p)
	s.wake()
	return nil
}

// reader is a client of the stream and its position.
type reader struct {
	*Service
	user     string // who reads; empty if nobody is signed in
	position int64
	first    []byte // sent before anything else
	caughtUp bool   // has caught up at least once
}

// open starts a stream after the client's last event, or from now on if last is empty.
func (s *Service) open(ctx context.Context, last string) (eventstream.Next, error) {
	if err := s.load(ctx); err != nil {
		return nil, err
	}
	user, err := s.viewer(ctx)
	if err != nil {
		return nil, err
	}
	head, _ := s.ring.state()
	if last == "" {
		// Send the position, so that a client who disconnects before the first event can continue
		// from it.
		return (&reader{Service: s, user: user, position: head, first: eventstream.Event{ID: formatNumber(head)}.Append(nil)}).next, nil
	}
	at, err := strconv.ParseInt(last, 10, 64)
	known := err == nil && at >= 0 && at <= head
	if err == nil && at > head { // another node may be ahead of this one
		err = s.db.Peek(ctx, func(tx *db.Tx) error {
			newest, err := marketevents.Head(tx)
			known = at <= newest
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if !known {
		return (&reader{Service: s, user: user, position: head, first: reset(head)}).next, nil
	}
	return (&reader{Service: s, user: user, position: at}).next, nil
}

// next returns the text to send now. It ends the stream of a reader who was live and then fell
// behind the ring: the client must reconnect, and others aren't delayed.
func (r *reader) next(ctx context.Context) (text []byte, err error) {
	if len(r.first) > 0 {
		text, r.first = r.first, nil
		return text, nil
	}
	p, ok := r.ring.after(r.position)
	switch {
	case ok:
		r.caughtUp = true
	case r.caughtUp:
		return nil, io.EOF
	default:
		p, err = r.readOlder(ctx, r.position)
	}
	if err != nil || len(p.text) == 0 {
		return nil, err
	}
	p = p.at(r.db.Now())
	text, own := p.after(r.position), p.ownAfter(r.position, r.user)
	r.position = p.last
	if own != nil {
		text = append(own, text...)
	}
	return text, nil
}

// readOlder reads events that are no longer in the ring from the database. If some are gone, it
// returns a reset.
func (s *Service) readOlder(ctx context.Context, at int64) (p page, err error) {
	err = s.db.Search(ctx, func(tx *db.Tx) error {
		events, err := marketevents.After(tx, at, batchSize)
		if err != nil {
			return err
		}
		p, err = encodePage(tx, consecutive(events, at))
		return err
	})
	if err != nil || len(p.ends) > 0 {
		return p, err
	}
	head, _ := s.ring.state()
	return page{last: head, text: reset(head)}, nil
}

// consecutive returns the events that follow number at without a gap.
func consecutive(events []marketevents.Event, at int64) []marketevents.Event {
	for n, e := range events {
		if e.Number != at+int64(n)+1 {
			return events[:n]
		}
	}
	return events
}

// reset returns the event that tells a client to reload everything, and continue after number at.
func reset(at int64) []byte {
	return eventstream.Event{ID: formatNumber(at), Name: "reset", Data: []byte("{}")}.Append(nil)
}

func formatNumber(n int64) string { return strconv.FormatInt(n, 10) }

// Package feed streams events to everybody as they happen: opens, listings, trades and leaderboard
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
	"kaibao/internal/httpkit"
	"kaibao/internal/marketevents"
)

// portion is how many events are read and told at a time.
const portion = 512

// Service tells a node's readers.
type Service struct {
	db    *db.DB
	ring  ring
	begun singleflight.Group
	wake  func()
}

// New makes the service, which tells of what it Hears.
func New(d *db.DB) *Service { return &Service{db: d, wake: func() {}} }

// Last is the number of the last event that this node has told; empty before it tells any.
func (s *Service) Last() string {
	head, begun := s.ring.state()
	if !begun {
		return ""
	}
	return number(head)
}

// begin reads the last events that there are, unless that was done: who was told of some
// by another node goes on here.
func (s *Service) begin(ctx context.Context) error {
	if _, begun := s.ring.state(); begun {
		return nil
	}
	_, err, _ := s.begun.Do("", func() (any, error) {
		if _, begun := s.ring.state(); begun {
			return nil, nil
		}
		return nil, s.db.Read(context.WithoutCancel(ctx), func(tx *db.Tx) error {
			head, err := marketevents.Head(tx)
			if err != nil {
				return err
			}
			events, err := marketevents.After(tx, head-kept, kept)
			if err != nil {
				return err
			}
			var pages []page
			for some := range slices.Chunk(events, portion) {
				p, err := written(tx, some)
				if err != nil {
					return err
				}
				pages = append(pages, p)
			}
			s.ring.begin(head, pages)
			return nil
		})
	})
	return err
}

// Handle tells of events, in their order; those that it has told of already it passes over.
func (s *Service) Handle(ctx context.Context, events []marketevents.Event) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	head, _ := s.ring.state()
	events = slices.DeleteFunc(slices.Clone(events), func(e marketevents.Event) bool { return e.Number <= head })
	if len(events) == 0 {
		return nil
	}
	var p page
	err := s.db.Peek(ctx, func(tx *db.Tx) (err error) { p, err = written(tx, events); return err })
	if err != nil {
		return err
	}
	s.ring.add(p)
	s.wake()
	return nil
}

// reader is who reads the stream, up to an event.
type reader struct {
	*Service
	at    int64
	first []byte // what they are told before anything else
	live  bool   // they were told all that there was
}

// open lets a reader in who has been told up to an event, or of none.
func (s *Service) open(ctx context.Context, last string) (httpkit.Next, error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	head, _ := s.ring.state()
	if last == "" {
		// Who is gone before anything happens goes on from here, too.
		return (&reader{Service: s, at: head, first: httpkit.Event{ID: number(head)}.Append(nil)}).next, nil
	}
	at, err := strconv.ParseInt(last, 10, 64)
	known := err == nil && at >= 0 && at <= head
	if err == nil && at > head { // another node may be ahead
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
		return (&reader{Service: s, at: head, first: reset(head)}).next, nil
	}
	return (&reader{Service: s, at: at}).next, nil
}

// next is what the reader is told now. One who fell behind what this node keeps is to come
// again: others go on meanwhile.
func (r *reader) next(ctx context.Context) (text []byte, err error) {
	if len(r.first) > 0 {
		text, r.first = r.first, nil
		return text, nil
	}
	text, last, ok := r.ring.behind(r.at)
	switch {
	case ok:
		r.live = true
	case r.live:
		return nil, io.EOF
	default:
		text, last, err = r.older(ctx, r.at)
	}
	if err == nil {
		r.at = last
	}
	return text, err
}

// older reads what follows an event that the node does not keep any more. Where something
// is missing the reader begins afresh.
func (s *Service) older(ctx context.Context, at int64) (text []byte, last int64, err error) {
	var p page
	err = s.db.Search(ctx, func(tx *db.Tx) error {
		events, err := marketevents.After(tx, at, portion)
		if err != nil {
			return err
		}
		p, err = written(tx, unbroken(events, at))
		return err
	})
	if err != nil || len(p.ends) > 0 {
		return p.text, p.last, err
	}
	head, _ := s.ring.state()
	return reset(head), head, nil
}

// unbroken are those of some events that follow a number without a gap.
func unbroken(events []marketevents.Event, at int64) []marketevents.Event {
	for n, e := range events {
		if e.Number != at+int64(n)+1 {
			return events[:n]
		}
	}
	return events
}

// reset has a reader read everything afresh, and go on behind an event.
func reset(at int64) []byte {
	return httpkit.Event{ID: number(at), Name: "reset", Data: []byte("{}")}.Append(nil)
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

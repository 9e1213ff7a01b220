package imageproxy

import (
	"context"
	"sync"
)

const (
	// fetched bounds how many pictures are fetched at the same time, and what they take
	// of memory: fetched times largest.
	fetched = 32
	// fetchedOfHost bounds how many of these one host may hold up.
	fetchedOfHost = 4
	// drawn bounds how many pictures are drawn at the same time, for the memory that each
	// takes (see mostPixels).
	drawn = 2
	// drawnOfHost leaves places to other hosts while one of them sends pictures that are
	// expensive to decode.
	drawnOfHost = 1
)

// places bounds how many pictures are worked on at the same time, in all and of one host.
type places struct {
	all    chan struct{}
	ofHost int
	mutex  sync.Mutex
	hosts  map[string]*hostPlaces // of those that are asked or waited for
}

type hostPlaces struct {
	taken chan struct{}
	users int // who have a place or wait for one
}

func newPlaces(all, ofHost int) *places {
	return &places{all: make(chan struct{}, all), ofHost: ofHost, hosts: map[string]*hostPlaces{}}
}

// enter waits for a place to work on a picture of a host; leave gives it back. Who waits for a
// slow host takes none of the places of the others.
func (p *places) enter(ctx context.Context, host string) (leave func(), err error) {
	ctx, end := context.WithTimeout(ctx, patience)
	defer end()
	at := p.at(host)
	if !take(ctx, at.taken) {
		p.left(host, at)
		return nil, errBusy
	}
	if !take(ctx, p.all) {
		<-at.taken
		p.left(host, at)
		return nil, errBusy
	}
	return func() {
		<-p.all
		<-at.taken
		p.left(host, at)
	}, nil
}

func take(ctx context.Context, places chan struct{}) bool {
	select {
	case places <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (p *places) at(host string) *hostPlaces {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	at := p.hosts[host]
	if at == nil {
		at = &hostPlaces{taken: make(chan struct{}, p.ofHost)}
		p.hosts[host] = at
	}
	at.users++
	return at
}

func (p *places) left(host string, at *hostPlaces) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	at.users--
	if at.users == 0 {
		delete(p.hosts, host)
	}
}

package picture

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
)

// places are where pictures are fetched at the same time.
type places struct {
	all   chan struct{}
	mutex sync.Mutex
	hosts map[string]*hostPlaces // of those that are asked or waited for
}

type hostPlaces struct {
	taken chan struct{}
	users int // who have a place or wait for one
}

func newPlaces() *places {
	return &places{all: make(chan struct{}, fetched), hosts: map[string]*hostPlaces{}}
}

// enter waits for a place to fetch from a host; leave gives it back. Who waits for a
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
		at = &hostPlaces{taken: make(chan struct{}, fetchedOfHost)}
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

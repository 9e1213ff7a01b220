package imageproxy

import (
	"context"
	"sync"
)

const (
	// fetched is the maximum number of concurrent fetches. It limits their memory to fetched ×
	// largest.
	fetched = 32
	// fetchedOfHost is the maximum number of concurrent fetches from one host.
	fetchedOfHost = 4
	// drawn is the maximum number of images decoded concurrently, limited by their memory (see
	// mostPixels).
	drawn = 2
	// drawnOfHost leaves slots for other hosts while one of them sends images that are expensive to
	// decode.
	drawnOfHost = 1
)

// places limits how many images are processed concurrently, in total and per host.
type places struct {
	all    chan struct{}
	ofHost int
	mutex  sync.Mutex
	hosts  map[string]*hostPlaces // hosts with active or waiting users
}

type hostPlaces struct {
	taken chan struct{}
	users int // that hold a slot or wait for one
}

func newPlaces(all, ofHost int) *places {
	return &places{all: make(chan struct{}, all), ofHost: ofHost, hosts: map[string]*hostPlaces{}}
}

// enter waits for a slot for an image of a host; leave releases it. Waiting for a slow host doesn't
// occupy a slot of other hosts.
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

package imageproxy

import (
	"context"
	"sync"
)

const (
	// maxFetches is the maximum number of concurrent fetches. It limits their memory to maxFetches
	// × maxBytes.
	maxFetches = 32
	// maxFetchesPerHost is the maximum number of concurrent fetches from one host.
	maxFetchesPerHost = 4
	// maxDecodes is the maximum number of images decoded concurrently, limited by their memory (see
	// maxPixels).
	maxDecodes = 2
	// maxDecodesPerHost leaves slots for other hosts while one of them sends images that are
	// expensive to decode.
	maxDecodesPerHost = 1
)

// slots limits how many images are processed concurrently, in total and per host.
type slots struct {
	all     chan struct{}
	perHost int
	mutex   sync.Mutex
	hosts   map[string]*hostSlots // hosts with active or waiting users
}

type hostSlots struct {
	taken chan struct{}
	users int // holding a slot or waiting for one
}

func newSlots(all, perHost int) *slots {
	return &slots{all: make(chan struct{}, all), perHost: perHost, hosts: map[string]*hostSlots{}}
}

// acquire waits for a slot for an image of a host; release frees it. Waiting for a slow host
// doesn't occupy a slot of other hosts.
func (s *slots) acquire(ctx context.Context, host string) (release func(), err error) {
	ctx, end := context.WithTimeout(ctx, fetchTimeout)
	defer end()
	h := s.join(host)
	if !take(ctx, h.taken) {
		s.leave(host, h)
		return nil, errBusy
	}
	if !take(ctx, s.all) {
		<-h.taken
		s.leave(host, h)
		return nil, errBusy
	}
	return func() {
		<-s.all
		<-h.taken
		s.leave(host, h)
	}, nil
}

// take takes a slot, unless ctx ends first.
func take(ctx context.Context, taken chan struct{}) bool {
	select {
	case taken <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// join counts a user of a host; leave ends that.
func (s *slots) join(host string) *hostSlots {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	h := s.hosts[host]
	if h == nil {
		h = &hostSlots{taken: make(chan struct{}, s.perHost)}
		s.hosts[host] = h
	}
	h.users++
	return h
}

func (s *slots) leave(host string, h *hostSlots) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	h.users--
	if h.users == 0 {
		delete(s.hosts, host)
	}
}

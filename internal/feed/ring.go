package feed

import (
	"encoding/json"
	"slices"
	"sort"
	"sync"
	"time"

	"kaibao/internal/eventstream"
)

// page is a run of events with consecutive numbers, encoded once for all readers.
type page struct {
	last int64 // the last event's number
	ends []int // where each event ends in text
	text []byte
	own  map[string][]int64 // the events of each user, in order
	// unnamed is the page without handles, for readers who come later; nil if it has none. Its users may have
	// stopped being public by then.
	unnamed    *page
	namedUntil time.Time
}

// at returns the page as it may be sent at a time.
func (p page) at(now time.Time) page {
	if p.unnamed != nil && !now.Before(p.namedUntil) {
		return *p.unnamed
	}
	return p
}

func (p page) first() int64 { return p.last - int64(len(p.ends)) + 1 }

// after returns the encoded events after the given number.
func (p page) after(number int64) []byte {
	if number < p.first() {
		return p.text
	}
	return p.text[p.ends[number-p.first()]:]
}

// ownAfter returns the encoded event that names the user's own events after the given number, or
// nothing if there are none.
func (p page) ownAfter(number int64, user string) []byte {
	numbers := p.own[user]
	first, _ := slices.BinarySearch(numbers, number+1)
	if first == len(numbers) {
		return nil
	}
	var names struct {
		IDs []string `json:"ids"`
	}
	for _, n := range numbers[first:] {
		names.IDs = append(names.IDs, formatNumber(n))
	}
	data, _ := json.Marshal(names) // strings can't fail
	return eventstream.Event{Name: "own", Data: data}.Append(nil)
}

// ringSize is how many encoded events a node keeps, about 300 bytes each. Readers further behind
// are served from the database.
const ringSize = 4096

// ring holds the latest pages, without a gap between them.
type ring struct {
	mutex  sync.RWMutex
	loaded bool
	head   int64 // the last event's number
	pages  []page
}

// init fills the ring. head is the number of the last existing event.
func (r *ring) init(head int64, pages []page) {
	for _, p := range pages {
		r.add(p)
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.head != head {
		r.head, r.pages = head, nil
	}
	r.loaded = true
}

// add appends a page. If it doesn't follow the last one, all earlier pages are dropped.
func (r *ring) add(p page) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if p.first() != r.head+1 {
		r.pages = nil
	}
	r.pages, r.head = append(r.pages, p), p.last
	for r.pages[0].last <= r.head-ringSize {
		r.pages[0] = page{} // release the text, which the array would keep alive
		r.pages = r.pages[1:]
	}
}

// state returns the last event's number, and whether init was called.
func (r *ring) state() (head int64, loaded bool) {
	r.mutex.RLock()
	defer r.mutex.RUnlock()
	return r.head, r.loaded
}

// after returns the page with the next event after the given number. It is empty if there is none
// yet. ok is false if the event is no longer kept.
func (r *ring) after(number int64) (p page, ok bool) {
	r.mutex.RLock()
	defer r.mutex.RUnlock()
	if number >= r.head {
		return page{}, true
	}
	if len(r.pages) == 0 || number+1 < r.pages[0].first() {
		return page{}, false
	}
	return r.pages[sort.Search(len(r.pages), func(n int) bool { return r.pages[n].last > number })], true
}

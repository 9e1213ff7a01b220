package feed

import (
	"sort"
	"sync"
)

// page is events of neighbouring numbers as they are told: one text, which all readers
// share.
type page struct {
	last int64 // number
	ends []int // where in the text each event ends
	text []byte
}

func (p page) first() int64 { return p.last - int64(len(p.ends)) + 1 }

// behind is the text of what the page has behind a number.
func (p page) behind(number int64) []byte {
	if number < p.first() {
		return p.text
	}
	return p.text[p.ends[number-p.first()]:]
}

// kept is how many events a node keeps as they are told, each of some 300 bytes. A reader
// who is further behind reads the database.
const kept = 4096

// ring is the last pages, without a gap between them.
type ring struct {
	mutex sync.RWMutex
	begun bool
	head  int64 // the last number
	pages []page
}

// begin puts in what there is, of which the head is the last number.
func (r *ring) begin(head int64, pages []page) {
	for _, p := range pages {
		r.add(p)
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.head != head {
		r.head, r.pages = head, nil
	}
	r.begun = true
}

// add puts a page behind the last one. What stands before a gap is kept no more.
func (r *ring) add(p page) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if p.first() != r.head+1 {
		r.pages = nil
	}
	r.pages, r.head = append(r.pages, p), p.last
	for r.pages[0].last <= r.head-kept {
		r.pages[0] = page{} // or its text would stay as long as the array
		r.pages = r.pages[1:]
	}
}

// state says up to which number the ring is, and whether it was begun.
func (r *ring) state() (head int64, begun bool) {
	r.mutex.RLock()
	defer r.mutex.RUnlock()
	return r.head, r.begun
}

// behind gives what follows a number, and the last number of that; nothing, if there is
// none yet. Where what follows is kept no more, it is not there.
func (r *ring) behind(number int64) (text []byte, last int64, ok bool) {
	r.mutex.RLock()
	defer r.mutex.RUnlock()
	if number >= r.head {
		return nil, number, true
	}
	if len(r.pages) == 0 || number+1 < r.pages[0].first() {
		return nil, number, false
	}
	p := r.pages[sort.Search(len(r.pages), func(n int) bool { return r.pages[n].last > number })]
	return p.behind(number), p.last, true
}

package feed

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// pageOf are events of some numbers, each of which says its own.
func pageOf(first, last int64) (p page) {
	for n := first; n <= last; n++ {
		p.text = fmt.Appendf(p.text, "%d ", n)
		p.ends = append(p.ends, len(p.text))
	}
	p.last = last
	return p
}

// told are the numbers behind one, as the ring gives them.
func told(r *ring, number int64) (numbers string, ok bool) {
	for {
		text, last, ok := r.behind(number)
		if !ok || len(text) == 0 {
			return numbers, ok
		}
		numbers, number = numbers+string(text), last
	}
}

// Whatever the pages are, who is behind an event that is kept is told all that followed it.
func TestTheRingHasAllThatFollowed(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var r ring
	head := random.Int64N(1000)
	r.begin(head, nil)
	begun := head
	for range 300 {
		size := 1 + random.Int64N(100)
		r.add(pageOf(head+1, head+size))
		head += size
		at := begun + random.Int64N(head-begun+1)
		var want strings.Builder
		for n := at + 1; n <= head; n++ {
			fmt.Fprintf(&want, "%d ", n)
		}
		got, ok := told(&r, at)
		if ok && got != want.String() || !ok && head-at <= kept {
			t.Fatalf("behind %d of %d: %t %q", at, head, ok, got)
		}
	}
	if len(r.pages) == 0 || head-r.pages[0].first() > kept+100 {
		t.Errorf("begins at %d, %d is the last", r.pages[0].first(), head)
	}
	if _, ok := told(&r, begun); ok {
		t.Error("nothing is ever dropped")
	}
}

// Across a gap nobody is told anything: who stands before it has to look elsewhere.
func TestTheRingHasNoGap(t *testing.T) {
	var r ring
	r.begin(5, []page{pageOf(3, 5)})
	r.add(pageOf(9, 10))
	for at, want := range map[int64]bool{4: false, 5: false, 7: false, 8: true, 10: true, 12: true} {
		if _, ok := told(&r, at); ok != want {
			t.Errorf("behind %d: %t", at, ok)
		}
	}
	var restored ring
	restored.begin(1000, []page{pageOf(3, 5)})
	if _, ok := told(&restored, 5); ok {
		t.Error("numbers that were left out are missed by nobody")
	}
}

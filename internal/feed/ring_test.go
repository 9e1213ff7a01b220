package feed

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// pageOf returns a page whose events contain their own numbers.
func pageOf(first, last int64) (p page) {
	for n := first; n <= last; n++ {
		p.text = fmt.Appendf(p.text, "%d ", n)
		p.ends = append(p.ends, len(p.text))
	}
	p.last = last
	return p
}

// numbersAfter returns the numbers after the given one that the ring returns.
func numbersAfter(r *ring, number int64) (numbers string, ok bool) {
	for {
		p, ok := r.after(number)
		if !ok || len(p.text) == 0 {
			return numbers, ok
		}
		numbers, number = numbers+string(p.after(number)), p.last
	}
}

// With pages of any size, the ring returns every event after one it keeps.
func TestRingReturnsAllThatFollows(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var r ring
	head := random.Int64N(1000)
	r.init(head, nil)
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
		got, ok := numbersAfter(&r, at)
		if ok && got != want.String() || !ok && head-at <= ringSize {
			t.Fatalf("after %d of %d the ring returns %q (ok %t), want %q", at, head, got, ok, want.String())
		}
	}
	if len(r.pages) == 0 || head-r.pages[0].first() > ringSize+100 {
		t.Errorf("the ring begins at %d although %d is the last number", r.pages[0].first(), head)
	}
	if _, ok := numbersAfter(&r, begun); ok {
		t.Error("the ring never drops events")
	}
}

// The ring returns nothing across a gap.
func TestRingReturnsNothingAcrossGap(t *testing.T) {
	var r ring
	r.init(5, []page{pageOf(3, 5)})
	r.add(pageOf(9, 10))
	for at, want := range map[int64]bool{4: false, 5: false, 7: false, 8: true, 10: true, 12: true} {
		if _, ok := numbersAfter(&r, at); ok != want {
			t.Errorf("events after %d are kept: %t, want %t", at, ok, want)
		}
	}
	var restored ring
	restored.init(1000, []page{pageOf(3, 5)})
	if _, ok := numbersAfter(&restored, 5); ok {
		t.Error("the ring returns events across the numbers skipped by a restore")
	}
}

// A page with handles is sent without them once its users may have stopped being public.
func TestLatePagesNameNobody(t *testing.T) {
	read := time.Unix(1000, 0)
	unnamed := page{text: []byte("without")}
	p := page{text: []byte("with"), unnamed: &unnamed, namedUntil: read.Add(namedFor)}
	for late, want := range map[time.Duration]string{0: "with", namedFor - 1: "with", namedFor: "without", time.Hour: "without"} {
		if got := string(p.at(read.Add(late)).text); got != want {
			t.Errorf("after %s the page is sent %s handles", late, got)
		}
	}
	if got := string(unnamed.at(read.Add(time.Hour)).text); got != "without" {
		t.Errorf("a page that names nobody becomes %q", got)
	}
}

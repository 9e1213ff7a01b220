package index

import (
	"bytes"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/tidwall/btree"

	"kaibao/internal/catalogue"
	"kaibao/internal/searchtext"
)

// words finds items by the words of their names.
type words struct {
	beginnings postings // of all words
	insides    postings // the ends of words without spaces, from each letter on: one begins with what stands inside the word
}

// postings are the items of each word.
type postings struct {
	btree.Map[string, posting]
}

// posting is the items of a word: most have but one, as numbers do, and a bitmap is some
// ten times as large.
type posting struct {
	first uint32
	all   *roaring.Bitmap // nil = the first alone
}

func (p *postings) add(word string, item uint32) {
	items, ok := p.Get(word)
	switch {
	case !ok:
		p.Set(strings.Clone(word), posting{first: item})
	case items.all != nil:
		items.all.Add(item)
	case items.first != item:
		p.Set(word, posting{all: roaring.BitmapOf(items.first, item)})
	}
}

func (p *postings) remove(word string, item uint32) {
	items, ok := p.Get(word)
	if ok && items.all != nil {
		items.all.Remove(item)
	}
	if ok && (items.all == nil && items.first == item || items.all != nil && items.all.IsEmpty()) {
		p.Delete(word)
	}
}

// mark marks the items of all words that begin so.
func (p *postings) mark(text string, items marks) {
	buffer := make([]uint32, 256)
	p.Ascend(text, func(word string, found posting) bool {
		if !strings.HasPrefix(word, text) {
			return false
		}
		if found.all == nil {
			items[found.first] = 1
			return true
		}
		for all := found.all.ManyIterator(); ; {
			number := all.NextMany(buffer)
			for _, n := range buffer[:number] {
				items[n] = 1
			}
			if number < len(buffer) {
				return true
			}
		}
	})
}

// name adds an item's name, or takes it out.
func (w *words) name(name string, item uint32, change func(p *postings, word string, item uint32)) {
	for _, word := range strings.Fields(searchtext.Index(name)) {
		change(&w.beginnings, word, item)
		if !catalogue.Unspaced(word) {
			continue
		}
		for at := range word {
			change(&w.insides, word[at:], item)
		}
	}
}

// marks are 1 by item that is meant. Sets of few items would be smaller as roaring.Bitmap, and
// take several times as long to make and to walk.
type marks []uint8

// number is how many items are meant.
func (m marks) number() int { return bytes.Count(m, []byte{1}) }

// having marks those of so many items whose names hold all of some words; nil = whatever they
// are called.
func (w *words) having(asked []catalogue.Word, items int) (called marks) {
	for _, word := range asked {
		found := make(marks, items)
		switch {
		case word.Text == "":
		case word.Inside:
			w.insides.mark(word.Text, found)
		default:
			w.beginnings.mark(word.Text, found)
		}
		for n, is := range called {
			found[n] &= is
		}
		called = found
	}
	return called
}

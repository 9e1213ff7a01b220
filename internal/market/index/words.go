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
	beginnings postings // all words, for prefix search
	// insides has all suffixes of words in scripts without spaces. A prefix search over them finds
	// text inside a word.
	insides postings
}

// postings maps each word to its items.
type postings struct {
	btree.Map[string, posting]
}

// posting is the set of items of a word. Most words, such as numbers, have a single item, and a
// bitmap is about ten times as large.
type posting struct {
	first uint32
	all   *roaring.Bitmap // nil = only first
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

// mark marks the items of all words with the given prefix.
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

// name applies change, which adds or removes, to every word of an item's name.
func (w *words) name(name string, item uint32, change func(p *postings, word string, item uint32)) {
	for word := range strings.FieldsSeq(searchtext.Index(name)) {
		change(&w.beginnings, word, item)
		if !catalogue.Unspaced(word) {
			continue
		}
		for at := range word {
			change(&w.insides, word[at:], item)
		}
	}
}

// marks holds 1 for each item in a set. roaring.Bitmap would be smaller for sparse sets, but takes
// several times as long to build and walk.
type marks []uint8

// number returns the number of items in the set.
func (m marks) number() int { return bytes.Count(m, []byte{1}) }

// having returns the items whose names contain all words; nil if there are no words.
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

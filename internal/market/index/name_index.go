package index

import (
	"bytes"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/tidwall/btree"

	"kaibao/internal/catalogue"
	"kaibao/internal/searchtext"
)

// nameIndex finds items by the words of their names.
type nameIndex struct {
	words postings // for prefix search
	// suffixes has all suffixes of words in scripts without spaces. A prefix search over them finds
	// text inside a word.
	suffixes postings
}

// postings maps each word to its items.
type postings struct {
	btree.Map[string, posting]
}

// posting is the set of items of a word. Most words, such as numbers, have a single item, and a
// bitmap is about ten times as large.
type posting struct {
	first  uint32
	bitmap *roaring.Bitmap // nil = only first
}

func (p *postings) add(word string, item uint32) {
	items, ok := p.Get(word)
	switch {
	case !ok:
		p.Set(strings.Clone(word), posting{first: item})
	case items.bitmap != nil:
		items.bitmap.Add(item)
	case items.first != item:
		p.Set(word, posting{bitmap: roaring.BitmapOf(items.first, item)})
	}
}

func (p *postings) remove(word string, item uint32) {
	items, ok := p.Get(word)
	if ok && items.bitmap != nil {
		items.bitmap.Remove(item)
	}
	if ok && (items.bitmap == nil && items.first == item || items.bitmap != nil && items.bitmap.IsEmpty()) {
		p.Delete(word)
	}
}

// markPrefix marks the items of all words with the given prefix.
func (p *postings) markPrefix(prefix string, items itemSet) {
	buffer := make([]uint32, 256)
	p.Ascend(prefix, func(word string, found posting) bool {
		if !strings.HasPrefix(word, prefix) {
			return false
		}
		if found.bitmap == nil {
			items[found.first] = 1
			return true
		}
		for all := found.bitmap.ManyIterator(); ; {
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

// eachWord applies change, which adds or removes, to every word of an item's name.
func (w *nameIndex) eachWord(name string, item uint32, change func(p *postings, word string, item uint32)) {
	for word := range strings.FieldsSeq(searchtext.Index(name)) {
		change(&w.words, word, item)
		if !catalogue.Unspaced(word) {
			continue
		}
		for at := range word {
			change(&w.suffixes, word[at:], item)
		}
	}
}

// itemSet holds 1 for each item in a set. roaring.Bitmap would be smaller for sparse sets, but
// takes several times as long to build and walk.
type itemSet []uint8

// number returns the number of items in the set.
func (m itemSet) number() int { return bytes.Count(m, []byte{1}) }

// find returns the items whose names contain all words; nil if there are no words. items is the
// number of all items.
func (w *nameIndex) find(words []catalogue.Word, items int) (named itemSet) {
	for _, word := range words {
		found := make(itemSet, items)
		switch {
		case word.Text == "":
		case word.Inside:
			w.suffixes.markPrefix(word.Text, found)
		default:
			w.words.markPrefix(word.Text, found)
		}
		for n, in := range named {
			found[n] &= in
		}
		named = found
	}
	return named
}

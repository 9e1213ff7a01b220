package stalls

import (
	"strings"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/tidwall/btree"

	"kaibao/internal/catalogue"
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
	items, there := p.Get(word)
	switch {
	case !there:
		p.Set(strings.Clone(word), posting{first: item})
	case items.all != nil:
		items.all.Add(item)
	case items.first != item:
		p.Set(word, posting{all: roaring.BitmapOf(items.first, item)})
	}
}

func (p *postings) remove(word string, item uint32) {
	items, there := p.Get(word)
	if there && items.all != nil {
		items.all.Remove(item)
	}
	if there && (items.all == nil && items.first == item || items.all != nil && items.all.IsEmpty()) {
		p.Delete(word)
	}
}

// beginning is the items, of so many, of all words that begin so; it is not to be changed.
func (p *postings) beginning(text string, items int) *roaring.Bitmap {
	var found []posting
	p.Ascend(text, func(word string, items posting) bool {
		if !strings.HasPrefix(word, text) {
			return false
		}
		found = append(found, items)
		return true
	})
	if len(found) == 1 && found[0].all != nil {
		return found[0].all
	}
	// One after the other they would be merged into what grows.
	all := make([]uint64, (items+63)/64)
	for _, items := range found {
		if items.all == nil {
			all[items.first/64] |= 1 << (items.first % 64)
			continue
		}
		for n := range roaring.Values(items.all) {
			all[n/64] |= 1 << (n % 64)
		}
	}
	return roaring.FromDense(all, false)
}

// name adds an item's name, or takes it out.
func (w *words) name(name string, item uint32, change func(p *postings, word string, item uint32)) {
	for _, word := range strings.Fields(catalogue.Fold(name)) {
		change(&w.beginnings, word, item)
		if !catalogue.Unspaced(word) {
			continue
		}
		for at := range word {
			change(&w.insides, word[at:], item)
		}
	}
}

// having are the items, of so many, whose names hold all of some words; nil = whatever they
// are called.
func (w *words) having(asked []catalogue.Word, items int) *roaring.Bitmap {
	if len(asked) == 0 {
		return nil
	}
	found := make([]*roaring.Bitmap, len(asked))
	for n, word := range asked {
		switch {
		case word.Text == "":
			return roaring.New()
		case word.Inside:
			found[n] = w.insides.beginning(word.Text, items)
		default:
			found[n] = w.beginnings.beginning(word.Text, items)
		}
	}
	return roaring.FastAnd(found...)
}

package sets

import (
	"context"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"

	"kaibao/internal/apperr"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/inventory"
	"kaibao/internal/market/match"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// SetView is a series or a set.
type SetView struct {
	ID             string   `json:"id"`
	Series         string   `json:"series"`
	Name           string   `json:"name" doc:"The set, such as 1999 Pokemon Base Set; empty for the whole series, including its cards without a set."`
	CardCount      int64    `json:"cardCount" doc:"Number of different cards. Retired ones don't count."`
	OwnedCount     *int64   `json:"ownedCount,omitempty" doc:"How many of them the caller owns, including listed ones and those being shipped or given; absent without a session."`
	DuplicateCount *int64   `json:"duplicateCount,omitempty" doc:"Number of copies beyond the first of each card that the caller owns; absent without a session."`
	ImageURLs      []string `json:"imageUrls" nullable:"false" doc:"Pictures of up to three of the most valuable cards."`
}

// SetPage is a series or set with a page of its cards.
type SetPage struct {
	SetView
	Cards      []SetCard      `json:"cards" nullable:"false" doc:"Sorted by set, number and id. X-Next-Cursor leads to the next page."`
	Finish     *FinishView    `json:"finish,omitempty" doc:"What the missing cards cost, including cards on other pages; absent without a session."`
	Duplicates *DuplicateView `json:"duplicates,omitempty" doc:"What selling the caller's duplicates pays, including cards on other pages; absent without a session."`
}

// SetCard is a card of a set.
type SetCard struct {
	Item       catalogue.ItemView `json:"item"`
	OwnedCount int64              `json:"ownedCount" doc:"Number of copies that the caller owns; 0 = missing, or no session."`
	OwnedIDs   []string           `json:"ownedIds" nullable:"false" doc:"The oldest of these copies, at most 20."`
	Ask        *AskView           `json:"ask,omitempty" doc:"The cheapest listing that the caller could buy; absent if there is none."`
}

// AskView is a listing that the caller could buy.
type AskView struct {
	InventoryID string      `json:"inventoryId"`
	ListingID   string      `json:"listingId"`
	PriceCents  money.Cents `json:"priceCents"`
}

// FinishView is what the missing cards of a set cost.
type FinishView struct {
	MissingCount    int64                `json:"missingCount"`
	Lines           []FinishLine         `json:"lines" nullable:"false" doc:"The cheapest listing of each missing card, cheapest first: at most the 50 that fit into a cart."`
	TotalCents      money.Cents          `json:"totalCents" doc:"Sum of these lines."`
	MoreCount       int64                `json:"moreCount" doc:"Number of missing cards for sale that are not in lines."`
	NotForSaleCount int64                `json:"notForSaleCount" doc:"Number of missing cards without a listing that the caller could buy."`
	NotForSale      []catalogue.ItemView `json:"notForSale" nullable:"false" doc:"These cards by id, at most 200."`
}

// FinishLine is the cheapest listing of a missing card.
type FinishLine struct {
	AskView
	Item catalogue.ItemView `json:"item"`
}

// DuplicateView is what selling a user's duplicates pays.
type DuplicateView struct {
	Count        int64       `json:"count" doc:"Copies beyond the first of each card, also those that can't be sold now."`
	InventoryIDs []string    `json:"inventoryIds" nullable:"false" doc:"The copies to sell, at most 1,000. One copy of each card is kept: one that can't be sold now, else one in the vault, else the one with Kaibao's lowest offer."`
	PayoutCents  money.Cents `json:"payoutCents" doc:"What a quick sell of these pays now, after fees."`
}

type listInput struct {
	Series string `query:"series" maxLength:"64" doc:"A series, or a category such as onepiece."`
	httpapi.Page
}

type setInput struct {
	ID httpapi.PathID `path:"id"`
	httpapi.Page
}

// setOutput is a page of a set with its headers.
type setOutput struct {
	Next string `header:"X-Next-Cursor"`
	Body SetPage
}

// maxOwnedIDs is how many of a user's copies of a card are listed.
const maxOwnedIDs = 20

// Routes registers the endpoints for sets.
func (s *Service) Routes(api *httpapi.API) {
	httpapi.Handle(api, httpapi.Get(httpapi.Public, "/api/sets", "list-sets", "All series and sets, with how many of their cards the caller owns; each series comes before its sets"),
		func(ctx context.Context, in *listInput) (*httpapi.List[SetView], error) {
			user, err := api.Viewer(ctx)
			if err != nil {
				return nil, err
			}
			return s.list(ctx, user, in)
		})
	httpapi.Handle(api, httpapi.Get(httpapi.Public, "/api/sets/{id}", "get-set", "The cards of a series or set with the caller's copies and the lowest asks, and what finishing it costs", apperr.NotFound),
		func(ctx context.Context, in *setInput) (*setOutput, error) {
			user, err := api.Viewer(ctx)
			if err != nil {
				return nil, err
			}
			return s.page(ctx, user, in)
		})
}

// order is the order of the directory.
var order = db.Order[set]{Keys: []db.Key[set]{
	db.BytewiseText("series", func(s set) string { return s.series }), db.BytewiseText("name", func(s set) string { return s.name }),
}}

func (s *Service) list(ctx context.Context, user string, in *listInput) (*httpapi.List[SetView], error) {
	selection, err := order.Select(in.Limit, in.Cursor)
	if err != nil {
		return nil, err
	}
	all, err := s.all.Get(ctx, struct{}{})
	if err != nil {
		return nil, err
	}
	found := all.inSeries(in.Series)
	list := &httpapi.List[SetView]{Total: strconv.Itoa(len(found))}
	if after, _ := selection.Start(); after != nil {
		last := set{series: after[0].(string), name: after[1].(string)}
		found = found[sort.Search(len(found), func(i int) bool { return found[i].compare(last) > 0 }):]
	}
	if len(found) > in.Limit {
		found = found[:in.Limit]
		selection.EndAt(found[in.Limit-1])
	}
	list.Next = selection.Next()
	err = s.db.Search(ctx, func(tx *db.Tx) error {
		list.Body, err = views(tx, user, found)
		return err
	})
	return list, err
}

// compare compares two sets in the order of the directory.
func (s set) compare(o set) int {
	if c := strings.Compare(s.series, o.series); c != 0 {
		return c
	}
	return strings.Compare(s.name, o.name)
}

// views returns what the API shows of sets. user is empty without a session.
func views(tx *db.Tx, user string, sets []set) ([]SetView, error) {
	pictures, err := picturesOf(tx, sets)
	if err != nil {
		return nil, err
	}
	owned := map[inventory.SetName]inventory.SetCount{}
	if user != "" {
		owned, err = inventory.CountBySet(tx, user)
	}
	views := make([]SetView, len(sets))
	for i, s := range sets {
		views[i] = SetView{ID: s.id(), Series: s.series, Name: s.name, CardCount: s.cards, ImageURLs: pictures[s.id()]}
		if user != "" {
			views[i].setCounts(s.ownedOf(owned))
		}
	}
	return views, err
}

// setCounts sets what the view says about a user's copies.
func (v *SetView) setCounts(c inventory.SetCount) {
	duplicates := c.Entries - c.Items
	v.OwnedCount, v.DuplicateCount = &c.Items, &duplicates
}

// ownedOf returns how much of the set a user owns, from counts per set.
func (s set) ownedOf(counts map[inventory.SetName]inventory.SetCount) (total inventory.SetCount) {
	if s.name != "" {
		return counts[inventory.SetName{Series: s.series, Set: s.name}]
	}
	for name, c := range counts {
		if name.Series == s.series {
			total.Items += c.Items
			total.Entries += c.Entries
		}
	}
	return total
}

// picturesOf returns the pictures of sets by id.
func picturesOf(tx *db.Tx, sets []set) (map[string][]string, error) {
	needed := map[inventory.SetName]bool{}
	for _, s := range sets {
		if s.name != "" {
			needed[inventory.SetName{Series: s.series, Set: s.name}] = true
		}
		for _, name := range s.pictured {
			needed[inventory.SetName{Series: s.series, Set: name}] = true
		}
	}
	top, err := topCardsOf(tx, slices.Collect(maps.Keys(needed)))
	if err != nil {
		return nil, err
	}
	var ids []string
	best := map[inventory.SetName][]string{}
	for _, t := range top {
		for _, id := range t.items {
			if id != "" {
				ids = append(ids, id)
				name := inventory.SetName{Series: t.series, Set: t.name}
				best[name] = append(best[name], id)
			}
		}
	}
	items, err := catalogue.Items(tx, ids)
	found := make(map[string][]string, len(sets))
	for _, s := range sets {
		shown := best[inventory.SetName{Series: s.series, Set: s.name}]
		if s.name == "" {
			shown = nil
			for _, name := range s.pictured {
				top := best[inventory.SetName{Series: s.series, Set: name}]
				shown = append(shown, top[:min(len(top), 1)]...)
			}
		}
		found[s.id()] = make([]string, 0, picturesPerSet)
		for _, id := range shown[:min(len(shown), picturesPerSet)] {
			found[s.id()] = append(found[s.id()], items[id].Picture())
		}
	}
	return found, err
}

func (s *Service) page(ctx context.Context, user string, in *setInput) (*setOutput, error) {
	chosen, err := s.find(ctx, string(in.ID))
	if err != nil {
		return nil, err
	}
	selection, err := cardOrder.Select(in.Limit, in.Cursor)
	if err != nil {
		return nil, err
	}
	out := &setOutput{}
	err = s.db.Search(ctx, func(tx *db.Tx) error {
		out.Body, err = s.setPage(tx, user, chosen, selection)
		return err
	})
	out.Next = selection.Next()
	return out, err
}

func (s *Service) setPage(tx *db.Tx, user string, chosen set, selection *db.Selection[catalogue.Item]) (page SetPage, err error) {
	found, err := views(tx, "", []set{chosen})
	if err != nil {
		return page, err
	}
	page.SetView = found[0]
	cards, err := chosen.readCards(tx, selection)
	if err != nil {
		return page, err
	}
	shown := make([]string, len(cards))
	for i, c := range cards {
		shown[i] = c.ID
	}
	owned, missing := map[string][]string{}, []string{}
	if user != "" {
		owned, missing, err = chosen.ownedAndMissing(tx, user)
	}
	if err != nil {
		return page, err
	}
	asks, err := s.match.LowestAsks(tx, user, slices.Concat(shown, missing))
	if err != nil {
		return page, err
	}
	page.Cards = make([]SetCard, len(cards))
	for i, c := range cards {
		copies := owned[c.ID]
		page.Cards[i] = SetCard{Item: c.View(), OwnedCount: int64(len(copies)), OwnedIDs: append([]string{}, copies[:min(len(copies), maxOwnedIDs)]...)}
		if ask, ok := asks[c.ID]; ok {
			page.Cards[i].Ask = new(askView(ask))
		}
	}
	if user != "" {
		err = s.addOwn(tx, user, &page, owned, missing, asks)
	}
	return page, err
}

// ownedAndMissing returns a user's entries of the set by item, and the cards that the user doesn't own.
func (s set) ownedAndMissing(tx *db.Tx, user string) (owned map[string][]string, missing []string, err error) {
	owned, err = inventory.OwnedInSet(tx, user, inventory.SetName{Series: s.series, Set: s.name})
	if err != nil {
		return nil, nil, err
	}
	all, err := s.cardIDs(tx)
	return owned, slices.DeleteFunc(all, func(id string) bool { return len(owned[id]) > 0 }), err
}

// addOwn adds what only a signed-in user sees.
func (s *Service) addOwn(tx *db.Tx, user string, page *SetPage, owned map[string][]string, missing []string, asks map[string]match.LowestAsk) error {
	count := inventory.SetCount{Items: int64(len(owned))}
	for _, copies := range owned {
		count.Entries += int64(len(copies))
	}
	page.setCounts(count)
	f := finishing(missing, asks)
	view, err := f.view(tx)
	if err != nil {
		return err
	}
	view.MissingCount = int64(len(missing))
	page.Finish = &view
	duplicates, err := s.quoteDuplicates(tx, user, owned)
	page.Duplicates = &duplicates
	return err
}

func askView(a match.LowestAsk) AskView {
	return AskView{InventoryID: a.Entry, ListingID: a.Listing, PriceCents: a.Price}
}

func (f finish) view(tx *db.Tx) (FinishView, error) {
	slices.Sort(f.notForSale)
	unsold := f.notForSale[:min(len(f.notForSale), policy.MaxPageSize)]
	ids := slices.Clone(unsold)
	for _, l := range f.lines {
		ids = append(ids, l.item)
	}
	items, err := catalogue.Items(tx, ids)
	v := FinishView{Lines: []FinishLine{}, MoreCount: f.more, NotForSaleCount: int64(len(f.notForSale)), NotForSale: []catalogue.ItemView{}}
	for _, l := range f.lines {
		v.Lines = append(v.Lines, FinishLine{askView(l.LowestAsk), items[l.item].View()})
		v.TotalCents += l.Price
	}
	for _, id := range unsold {
		v.NotForSale = append(v.NotForSale, items[id].View())
	}
	return v, err
}

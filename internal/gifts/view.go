package gifts

import (
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/identity"
	"kaibao/internal/inventory"
	"kaibao/internal/money"
)

// Person is a giver's public profile.
type Person struct {
	FirstName       string `json:"firstName" doc:"Empty if they have no name."`
	ProfileImageURL string `json:"profileImageUrl"`
}

func personOf(u identity.User) Person { return Person{u.FirstName, u.Picture()} }

// GiftView is a gift as shown to its giver or receiver.
type GiftView struct {
	ID            string      `json:"id"`
	Side          Side        `json:"side" doc:"Whether the caller gave it or received it."`
	State         State       `json:"state" doc:"waiting, or how the gift ended. ended = because an account was stopped or deleted; receivers see canceled instead."`
	Link          bool        `json:"link" doc:"True: anyone with the link can accept it. False: it is for a wallet."`
	WalletAddress string      `json:"walletAddress,omitempty" doc:"The receiver's address, shown to the giver only."`
	From          *Person     `json:"from,omitempty" doc:"The giver, shown to the receiver only."`
	Items         []GiftEntry `json:"items" nullable:"false"`
	ValueCents    money.Cents `json:"valueCents" doc:"Value of the items when they were given."`
	CreatedAt     string      `json:"createdAt" format:"date-time"`
	ExpiresAt     string      `json:"expiresAt" format:"date-time"`
	EndedAt       string      `json:"endedAt,omitempty" format:"date-time"`
}

// GiftEntry is one entry of a gift.
type GiftEntry struct {
	InventoryID string              `json:"inventoryId"`
	Item        inventory.EntryItem `json:"item"`
}

// LinkView is a gift as shown to anyone with its link.
type LinkView struct {
	State      State                 `json:"state"`
	Own        bool                  `json:"own" doc:"The caller is the giver, who can't accept it."`
	From       Person                `json:"from"`
	Items      []inventory.EntryItem `json:"items" nullable:"false"`
	ValueCents money.Cents           `json:"valueCents" doc:"Value of the items when they were given."`
	ExpiresAt  string                `json:"expiresAt" format:"date-time"`
}

// Schema implements huma.SchemaProvider.
func (State) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, state := range states {
		s.Enum = append(s.Enum, string(state))
	}
	s.PrecomputeMessages()
	return s
}

// Schema implements huma.SchemaProvider.
func (Side) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString, Enum: []any{string(Given), string(Received)}}
	s.PrecomputeMessages()
	return s
}

// sidedGift is a gift as one of its sides sees it.
type sidedGift struct {
	Gift
	side Side
}

// contents has the items, entries and givers of gifts, loaded for all of them together.
type contents struct {
	items   map[string][]Item // by gift
	entries map[string]inventory.Entry
	givers  map[string]identity.User
}

func loadContents(tx *db.Tx, gifts []Gift) (c contents, err error) {
	items, err := loadItems(tx, giftIDs(gifts))
	if err != nil {
		return c, err
	}
	c.items = map[string][]Item{}
	for _, item := range items {
		c.items[item.Gift] = append(c.items[item.Gift], item)
	}
	c.entries, err = inventory.ByIDs(tx, entryIDs(items))
	if err != nil {
		return c, err
	}
	givers := make([]string, len(gifts))
	for i, g := range gifts {
		givers[i] = g.Giver
	}
	c.givers, err = identity.ByIDs(tx, givers)
	return c, err
}

// viewsOf returns the views of gifts, in the same order.
func viewsOf(tx *db.Tx, gifts []sidedGift) ([]GiftView, error) {
	plain := make([]Gift, len(gifts))
	for i, g := range gifts {
		plain[i] = g.Gift
	}
	c, err := loadContents(tx, plain)
	views := make([]GiftView, len(gifts))
	for i, g := range gifts {
		views[i] = c.view(tx, g)
	}
	return views, err
}

func (c contents) view(tx *db.Tx, g sidedGift) GiftView {
	v := GiftView{
		ID: g.ID, Side: g.side, State: g.shownTo(g.side, tx.Now), Link: g.isLink(), Items: []GiftEntry{},
		CreatedAt: httpapi.Timestamp(g.CreatedAt), ExpiresAt: httpapi.Timestamp(g.ExpiresAt),
	}
	if g.side == Given && !strings.HasPrefix(g.Wallet, identity.DeletedAddress("")) {
		v.WalletAddress = g.Wallet
	}
	if g.side == Received {
		from := personOf(c.givers[g.Giver])
		v.From = &from
	}
	if v.State != Waiting {
		v.EndedAt = httpapi.Timestamp(g.endedAt())
	}
	for _, item := range c.items[g.ID] {
		v.ValueCents += item.Value
		v.Items = append(v.Items, GiftEntry{item.Entry, inventory.ItemView(c.entries[item.Entry].Item)})
	}
	return v
}

// endedAt returns when the gift ended. An expired one that the job hasn't seen yet ended when it expired.
func (g Gift) endedAt() time.Time {
	if g.EndedAt.IsZero() {
		return g.ExpiresAt
	}
	return g.EndedAt
}

// viewLink returns the gift of a link, or errNoGift. viewer is the caller's id; empty without a session.
func viewLink(tx *db.Tx, id, secret, viewer string) (v LinkView, err error) {
	g, err := findByLink(tx, id, secret)
	if err != nil {
		return v, err
	}
	c, err := loadContents(tx, []Gift{g})
	v = LinkView{
		State: g.shownTo(Received, tx.Now), Own: viewer != "" && viewer == g.Giver, From: personOf(c.givers[g.Giver]),
		Items: []inventory.EntryItem{}, ExpiresAt: httpapi.Timestamp(g.ExpiresAt),
	}
	for _, item := range c.items[g.ID] {
		v.ValueCents += item.Value
		v.Items = append(v.Items, inventory.ItemView(c.entries[item.Entry].Item))
	}
	return v, err
}

package market

import (
	"context"

	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/identity"
	"kaibao/internal/inventory"
	"kaibao/internal/money"
	"kaibao/internal/policy"
	"kaibao/internal/trades"
)

// ItemPage is an item with its value history, sales, odds and listings.
type ItemPage struct {
	catalogue.ItemView
	SellBackCents money.Cents   `json:"sellBackCents" doc:"Kaibao's current offer, without a price floor from a fresh pull."`
	Values        []ValueView   `json:"values" nullable:"false" doc:"Value history, newest first."`
	Sales         []SaleView    `json:"sales" nullable:"false" doc:"Last sales between users, newest first."`
	Odds          []PackChance  `json:"odds" nullable:"false" doc:"Packs on sale that can contain it."`
	Listings      []ItemListing `json:"listings" nullable:"false" doc:"Listings, cheapest first."`
}

// ValueView is a line of an item's value history.
type ValueView struct {
	ValueCents money.Cents `json:"valueCents"`
	Source     string      `json:"source"`
	Reason     string      `json:"reason"`
	At         string      `json:"at"`
	CountsFrom string      `json:"countsFrom,omitempty" doc:"When a raised value starts to count for quotes: after the last draw by an older value. Absent while the announcement waits that sets it."`
}

// SaleView is the public view of a sale.
type SaleView struct {
	PriceCents money.Cents `json:"priceCents"`
	At         string      `json:"at"`
}

// PackChance is the probability that a pack yields an item.
type PackChance struct {
	PackID       string      `json:"packId"`
	PackName     string      `json:"packName"`
	PackNameZH   string      `json:"packNameZh,omitempty"`
	PriceCents   money.Cents `json:"priceCents"`
	ItemsPerPack int64       `json:"itemsPerPack"`
	IsActive     bool        `json:"isActive" doc:"The margin guard currently allows opens."`
	Chance       float64     `json:"chance" doc:"Probability that the next card of the pack is this one, from the live stock and after fallbacks."`
}

// ItemListing is a listing on an item's page.
type ItemListing struct {
	ID             string      `json:"id"`
	ListingID      string      `json:"listingId"`
	SalePriceCents money.Cents `json:"salePriceCents"`
	Vaulted        bool        `json:"vaulted"`
	User           Seller      `json:"user"`
}

type itemInput struct {
	ID httpapi.PathID `path:"id"`
}

func (s *Service) item(ctx context.Context, in *itemInput) (page ItemPage, err error) {
	err = s.DB.Read(ctx, func(tx *db.Tx) error {
		page, err = s.itemPage(tx, string(in.ID))
		return err
	})
	return page, err
}

func (s *Service) itemPage(tx *db.Tx, id string) (page ItemPage, err error) {
	item, err := catalogue.Find(tx, id)
	if err != nil {
		return page, err
	}
	quoteValues, err := catalogue.QuoteValues(tx, []string{id})
	if err != nil {
		return page, err
	}
	page.ItemView, page.SellBackCents = item.View(), policy.SellBack(quoteValues[id])
	page.Values, err = valueViews(tx, id)
	if err != nil {
		return page, err
	}
	page.Sales, err = saleViews(tx, id)
	if err != nil {
		return page, err
	}
	page.Odds, err = s.packChances(tx, id)
	if err != nil {
		return page, err
	}
	page.Listings, err = itemListings(tx, id)
	return page, err
}

func valueViews(tx *db.Tx, item string) ([]ValueView, error) {
	history, err := catalogue.History(tx, item, policy.MaxPageSize)
	views := make([]ValueView, len(history))
	for n, v := range history {
		views[n] = ValueView{ValueCents: v.Value, Source: v.Source, Reason: v.Reason, At: httpapi.Timestamp(v.At)}
		if !v.CarriedAt.Equal(catalogue.NotAnnounced) {
			views[n].CountsFrom = httpapi.Timestamp(v.CarriedAt)
		}
	}
	return views, err
}

func saleViews(tx *db.Tx, item string) ([]SaleView, error) {
	sold, err := trades.LastSales(tx, item, policy.PageSize)
	views := make([]SaleView, len(sold))
	for n, t := range sold {
		views[n] = SaleView{PriceCents: t.Price, At: httpapi.Timestamp(t.At)}
	}
	return views, err
}

func (s *Service) packChances(tx *db.Tx, item string) ([]PackChance, error) {
	onSale, err := s.Packs.OnSale(tx)
	odds := []PackChance{}
	for _, d := range onSale {
		if chance := d.ChanceOf(item); chance > 0 {
			odds = append(odds, PackChance{
				PackID: d.ID, PackName: d.Name, PackNameZH: d.NameZH, PriceCents: d.Price, ItemsPerPack: d.ItemsPerPack, IsActive: d.CanOpen(), Chance: chance,
			})
		}
	}
	return odds, err
}

func itemListings(tx *db.Tx, item string) ([]ItemListing, error) {
	found, err := inventory.CheapestForSale(tx, item, policy.PageSize)
	if err != nil {
		return nil, err
	}
	sellers, err := sellersOf(tx, found)
	listings := make([]ItemListing, len(found))
	for n, e := range found {
		listings[n] = ItemListing{ID: e.ID, ListingID: e.ListingID, SalePriceCents: e.SalePrice, Vaulted: e.Vaulted, User: sellers[e.Owner]}
	}
	return listings, err
}

// sellersOf returns the entries' owners by user ID.
func sellersOf(tx *db.Tx, entries []inventory.Entry) (map[string]Seller, error) {
	owners := make([]string, len(entries))
	for n, e := range entries {
		owners[n] = e.Owner
	}
	users, err := identity.ByIDs(tx, owners)
	if err != nil {
		return nil, err
	}
	public, err := publicOf(tx, users)
	sellers := make(map[string]Seller, len(users))
	for id, u := range users {
		sellers[id] = Seller{FirstName: u.FirstName, ProfileImageURL: u.Picture(), Handle: public[id].Handle}
	}
	return sellers, err
}

// publicOf returns those of the users who are public now. Most aren't, so it often needs no query.
func publicOf(tx *db.Tx, users map[string]identity.User) (map[string]identity.PublicUser, error) {
	var ids []string
	for id, u := range users {
		if u.IsPublic {
			ids = append(ids, id)
		}
	}
	if ids == nil {
		return nil, nil
	}
	return identity.PublicUsers(tx, ids)
}

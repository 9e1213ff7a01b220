package bids

import (
	"context"
	"strconv"

	"kaibao/internal/catalogue"
	"kaibao/internal/csvfile"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/identity"
	"kaibao/internal/inventory"
	"kaibao/internal/money"
)

// AdminBid is a bid as admins see it.
type AdminBid struct {
	ID            string      `json:"id"`
	UserID        string      `json:"userId"`
	WalletAddress string      `json:"walletAddress" doc:"The bidder's address."`
	Kind          scopeKind   `json:"kind" enum:"entry,item,criterion" doc:"What the bid is for: one copy, any copy of an item, or any item that meets a criterion."`
	InventoryID   string      `json:"inventoryId,omitempty" doc:"The copy, for a bid on one."`
	ItemID        string      `json:"itemId,omitempty" doc:"The item, unless the bid is for a criterion."`
	ItemName      string      `json:"itemName,omitempty"`
	Series        string      `json:"series,omitempty" doc:"Of the criterion; absent for any."`
	Rarity        string      `json:"rarity,omitempty"`
	Grader        string      `json:"certType,omitempty"`
	MinGrade      float64     `json:"minGrade,omitempty"`
	PegPercent    int64       `json:"pegPercent,omitempty" doc:"Percentage of the item's value; absent for a fixed price."`
	PriceCents    money.Cents `json:"priceCents" doc:"The fixed price per item, or the cap."`
	Quantity      int64       `json:"quantity"`
	Remaining     int64       `json:"remaining" doc:"How many are not filled yet."`
	HeldCents     money.Cents `json:"heldCents" doc:"Money held for it."`
	State         State       `json:"state" enum:"open,filled,withdrawn,expired,ended,frozen"`
	CreatedAt     string      `json:"createdAt"`
	ExpiresAt     string      `json:"expiresAt"`
	EndedAt       string      `json:"endedAt,omitempty"`
}

// scopeKind is a kind of Scope.
type scopeKind string

const (
	forEntry     scopeKind = "entry"
	forItem      scopeKind = "item"
	forCriterion scopeKind = "criterion"
)

func (s Scope) kind() scopeKind {
	switch {
	case s.Entry != "":
		return forEntry
	case s.Item != "":
		return forItem
	}
	return forCriterion
}

type adminInput struct {
	csvfile.PagedInput
	httpapi.UserFilter
	State string `query:"state" enum:"open,filled,withdrawn,expired,ended,frozen"`
	Kind  string `query:"kind" enum:"entry,item,criterion" doc:"What the bids are for."`
}

var adminColumns = []string{
	"time", "id", "wallet", "kind", "entry", "itemId", "item", "series", "rarity", "grader", "minGrade", "percent", "price", "quantity", "remaining", "heldAmount",
	"state", "expires", "ended",
}

func adminRecord(b AdminBid) []string {
	minGrade, percent := "", ""
	if b.MinGrade > 0 {
		minGrade = strconv.FormatFloat(b.MinGrade, 'f', -1, 64)
	}
	if b.PegPercent > 0 {
		percent = strconv.FormatInt(b.PegPercent, 10)
	}
	return []string{
		b.CreatedAt, b.ID, b.WalletAddress, string(b.Kind), b.InventoryID, b.ItemID, b.ItemName, b.Series, b.Rarity, b.Grader, minGrade, percent,
		b.PriceCents.String(), strconv.FormatInt(b.Quantity, 10), strconv.FormatInt(b.Remaining, 10), b.HeldCents.String(), string(b.State), b.ExpiresAt, b.EndedAt,
	}
}

// Routes registers the admins' list of bids. Package market serves users' own bids.
func Routes(api *httpapi.API) {
	csvfile.Table(api, httpapi.Get(httpapi.Admin, "/api/admin/bids", "list-all-bids", "All users' bids, newest first"),
		"kaibao-bids", adminColumns, adminRecord, func(ctx context.Context, in *adminInput) (*httpapi.List[AdminBid], error) {
			return httpapi.Paged(ctx, api.DB.Search, in.Page, in.selection, adminViews)
		})
}

func adminViews(tx *db.Tx, page *db.Selection[Bid]) ([]AdminBid, error) {
	found, err := listAll(tx, page)
	if err != nil {
		return nil, err
	}
	var bidders, entries, items []string
	for _, b := range found {
		bidders = append(bidders, b.User)
		switch b.Scope.kind() {
		case forEntry:
			entries = append(entries, b.Scope.Entry)
		case forItem:
			items = append(items, b.Scope.Item)
		}
	}
	users, err := identity.ByIDs(tx, bidders)
	if err != nil {
		return nil, err
	}
	copies, err := inventory.ByIDs(tx, entries)
	if err != nil {
		return nil, err
	}
	named, err := catalogue.Items(tx, items)
	views := make([]AdminBid, len(found))
	for n, b := range found {
		item := named[b.Scope.Item]
		if b.Scope.Entry != "" {
			item = copies[b.Scope.Entry].Item
		}
		views[n] = AdminBid{
			ID: b.ID, UserID: b.User, WalletAddress: users[b.User].Address, Kind: b.Scope.kind(), InventoryID: b.Scope.Entry, ItemID: item.ID, ItemName: item.Name,
			Series: b.Scope.Series, Rarity: b.Scope.Rarity, Grader: b.Scope.Grader, MinGrade: float64(b.Scope.MinGrade) / 10,
			PegPercent: int64(b.Price.Peg), PriceCents: b.Price.Max, Quantity: b.Quantity, Remaining: b.Remaining, HeldCents: b.Held(), State: b.State,
			CreatedAt: httpapi.Timestamp(b.CreatedAt), ExpiresAt: httpapi.Timestamp(b.ExpiresAt),
		}
		if !b.EndedAt.IsZero() {
			views[n].EndedAt = httpapi.Timestamp(b.EndedAt)
		}
	}
	return views, err
}

package inventory

import (
	"context"
	"strconv"

	"kaibao/internal/csvfile"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/identity"
	"kaibao/internal/money"
)

// AdminEntry is an entry as admins see it.
type AdminEntry struct {
	ID               string       `json:"id"`
	UserID           string       `json:"userId" doc:"The owner, also of an entry that has ended."`
	WalletAddress    string       `json:"walletAddress" doc:"The owner's address."`
	ItemID           string       `json:"itemId"`
	ItemName         string       `json:"itemName"`
	State            State        `json:"state"`
	Vaulted          bool         `json:"vaulted"`
	PulledValueCents money.Cents  `json:"pulledValueCents" doc:"Value in the manifest of the draw."`
	BaseValueCents   money.Cents  `json:"baseValueCents" doc:"Value now."`
	SalePriceCents   *money.Cents `json:"salePriceCents,omitempty" doc:"Present while listed for sale."`
	OpenID           string       `json:"openId" doc:"The open in which it was drawn."`
	PackName         string       `json:"packName"`
	PackNameZH       string       `json:"packNameZh,omitempty"`
	AcquiredFrom     Source       `json:"acquiredFrom" doc:"How the owner got it."`
	AcquiredAt       string       `json:"acquiredAt" doc:"When the owner got it."`
}

// adminInput has the filters of the admins' list. The period is that of the pulls.
type adminInput struct {
	csvfile.PagedInput
	httpapi.UserFilter
	State string `query:"state" enum:"held,listed,claimed,giving,sold-back,delivered,made-good"`
	Kind  string `query:"kind" enum:"pack,market,offer,gift" doc:"How the owner got them."`
}

var adminColumns = []string{
	"acquired", "id", "wallet", "itemId", "item", "state", "vaulted", "from", "pulledValue", "value", "price", "open", "pack",
}

func adminRecord(e AdminEntry) []string {
	price := ""
	if e.SalePriceCents != nil {
		price = e.SalePriceCents.String()
	}
	return []string{
		e.AcquiredAt, e.ID, e.WalletAddress, e.ItemID, e.ItemName, string(e.State), strconv.FormatBool(e.Vaulted), string(e.AcquiredFrom),
		e.PulledValueCents.String(), e.BaseValueCents.String(), price, e.OpenID, e.PackName,
	}
}

func adminRoutes(api *httpapi.API) {
	csvfile.Table(api, httpapi.Get(httpapi.Admin, "/api/admin/entries", "list-all-entries", "All users' entries, newest pulls first"),
		"kaibao-entries", adminColumns, adminRecord, func(ctx context.Context, in *adminInput) (*httpapi.List[AdminEntry], error) {
			return httpapi.Paged(ctx, api.DB.Search, in.Page, in.selection, adminViews)
		})
}

func adminViews(tx *db.Tx, page *db.Selection[Entry]) ([]AdminEntry, error) {
	found, err := listAll(tx, page)
	if err != nil {
		return nil, err
	}
	owners := make([]string, len(found))
	for n, e := range found {
		owners[n] = e.Owner
	}
	users, err := identity.ByIDs(tx, owners)
	views := make([]AdminEntry, len(found))
	for n, e := range found {
		views[n] = AdminEntry{
			ID: e.ID, UserID: e.Owner, WalletAddress: users[e.Owner].Address, ItemID: e.Item.ID, ItemName: e.Item.Name, State: e.State, Vaulted: e.Vaulted,
			PulledValueCents: e.PulledValue, BaseValueCents: e.Item.BaseValue, OpenID: e.OpeningID, PackName: e.PackName, PackNameZH: e.PackNameZH,
			AcquiredFrom: e.AcquiredFrom, AcquiredAt: httpapi.Timestamp(e.AcquiredAt),
		}
		if e.State == Listed {
			views[n].SalePriceCents = &e.SalePrice
		}
	}
	return views, err
}

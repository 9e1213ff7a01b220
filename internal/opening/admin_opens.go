package opening

import (
	"context"
	"encoding/json"
	"strconv"

	"kaibao/internal/csvfile"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/inventory"
	"kaibao/internal/money"
)

// AdminOpen is an open as shown to admins.
type AdminOpen struct {
	OpenID          string      `json:"openId"`
	State           State       `json:"state" enum:"sealed,open,void" doc:"sealed: ordered and paid, not drawn yet; void: could not be drawn and was refunded."`
	UserID          string      `json:"userId"`
	WalletAddress   string      `json:"walletAddress" doc:"Address of the user."`
	PackID          string      `json:"packId"`
	PackName        string      `json:"packName"`
	PackNameZH      string      `json:"packNameZh,omitempty"`
	PriceCents      money.Cents `json:"priceCents"`
	TotalValueCents money.Cents `json:"totalValueCents" doc:"Total value of the drawn items in the manifest of the draw."`
	Items           []DrawnItem `json:"items" nullable:"false" doc:"The drawn items in draw order. CSV files have ids, names and values in the column of this name."`
	Nonce           int64       `json:"nonce"`
	ManifestHash    string      `json:"manifestHash"`
	CreatedAt       string      `json:"createdAt" doc:"Time of the draw or the refund; of the order while it is sealed."`
}

// DrawnItem is an item that was drawn, and where it is now.
type DrawnItem struct {
	DrawnFacts
	InventoryID string          `json:"inventoryId"`
	State       inventory.State `json:"state" doc:"State of the entry now."`
	OwnerID     string          `json:"ownerId" doc:"The user who owns it now, or owned it last."`
}

// DrawnFacts are the part of a DrawnItem that never changes.
type DrawnFacts struct {
	ItemID     string      `json:"itemId"`
	Name       string      `json:"name"`
	ValueCents money.Cents `json:"valueCents" doc:"Value in the manifest of the draw."`
}

// opensInput has the filters of the admins' list.
type opensInput struct {
	csvfile.PagedInput
	httpapi.UserFilter
}

var openColumns = []string{"time", "id", "wallet", "packId", "pack", "price", "value", "nonce", "manifest", "items", "state"}

func openRecord(o AdminOpen) []string {
	drawn := make([]DrawnFacts, len(o.Items))
	for n, item := range o.Items {
		drawn[n] = item.DrawnFacts
	}
	items, _ := json.Marshal(drawn) // can't fail: only strings and numbers
	return []string{
		o.CreatedAt, o.OpenID, o.WalletAddress, o.PackID, o.PackName, o.PriceCents.String(), o.TotalValueCents.String(),
		strconv.FormatInt(o.Nonce, 10), o.ManifestHash, string(items), string(o.State),
	}
}

func (s *Service) adminRoutes(api *httpapi.API) {
	csvfile.Table(api, httpapi.Get(httpapi.Admin, "/api/admin/opens", "list-all-opens", "All users' opens and orders, newest first"),
		"kaibao-opens", openColumns, openRecord, func(ctx context.Context, in *opensInput) (*httpapi.List[AdminOpen], error) {
			return httpapi.Paged(ctx, s.DB.Search, in.Page, in.selection, in.views)
		})
}

func (in *opensInput) views(tx *db.Tx, page *db.Selection[AdminOpen]) ([]AdminOpen, error) {
	found, err := in.adminOpens(tx, page)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(found))
	for n, o := range found {
		ids[n] = o.OpenID
	}
	items, err := inventory.ByOpenings(tx, ids)
	for n, o := range found {
		found[n].Items = []DrawnItem{}
		for _, e := range items[o.OpenID] {
			found[n].Items = append(found[n].Items, DrawnItem{DrawnFacts{e.Item.ID, e.Item.Name, e.PulledValue}, e.ID, e.State, e.Owner})
		}
	}
	return found, err
}

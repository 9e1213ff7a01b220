package sellback

import (
	"context"

	"kaibao/internal/csvfile"
	"kaibao/internal/httpapi"
	"kaibao/internal/inventory"
	"kaibao/internal/money"
)

// AdminSellBack is a sell-back in the admin view.
type AdminSellBack struct {
	InventoryID   string          `json:"inventoryId"`
	ItemID        string          `json:"itemId"`
	ItemName      string          `json:"itemName"`
	UserID        string          `json:"userId" doc:"The seller."`
	WalletAddress string          `json:"walletAddress" doc:"The seller's address."`
	ValueCents    money.Cents     `json:"valueCents" doc:"The value that the price was based on."`
	Quote         inventory.Basis `json:"quote" enum:"floor,value" doc:"Basis of the price: the quote at the draw, or the quote value now."`
	PayoutCents   money.Cents     `json:"payoutCents"`
	CreatedAt     string          `json:"createdAt"`
	micros        int64
}

// adminInput has the filters of the admins' list. A sell-back has the id of its entry.
type adminInput struct {
	csvfile.PagedInput
	httpapi.UserFilter
	Kind string `query:"kind" enum:"floor,value" doc:"Basis of the price."`
}

var csvColumns = []string{"time", "entry", "itemId", "item", "wallet", "value", "quote", "payout"}

func csvRecord(b AdminSellBack) []string {
	return []string{
		b.CreatedAt, b.InventoryID, b.ItemID, b.ItemName, b.WalletAddress, b.ValueCents.String(), string(b.Quote), b.PayoutCents.String(),
	}
}

func (s *Service) adminRoutes(api *httpapi.API) {
	csvfile.Table(api, httpapi.Get(httpapi.Admin, "/api/admin/sell-backs", "list-all-sell-backs", "All users' sell-backs, newest first; id is the entry"),
		"kaibao-sell-backs", csvColumns, csvRecord, func(ctx context.Context, in *adminInput) (*httpapi.List[AdminSellBack], error) {
			return httpapi.Paged(ctx, s.DB.Search, in.Page, in.selection, listAll)
		})
}

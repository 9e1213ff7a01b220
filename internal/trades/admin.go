package trades

import (
	"context"

	"kaibao/internal/httpkit"
	"kaibao/internal/money"
)

// AdminSale is a trade between users as an admin sees it.
type AdminSale struct {
	ID          string      `json:"id"`
	Kind        Kind        `json:"kind" enum:"listing,bid,counter"`
	InventoryID string      `json:"inventoryId"`
	ItemID      string      `json:"itemId"`
	ItemName    string      `json:"itemName"`
	Seller      string      `json:"seller" doc:"The seller's address."`
	Buyer       string      `json:"buyer" doc:"The buyer's address."`
	PriceCents  money.Cents `json:"priceCents"`
	FeeCents    money.Cents `json:"feeCents"`
	ValueCents  money.Cents `json:"valueCents" doc:"What the item was worth then."`
	CreatedAt   string      `json:"createdAt"`
	micros      int64
}

var saleColumns = []string{"time", "id", "kind", "entry", "itemId", "item", "seller", "buyer", "price", "fee", "value"}

func saleRecord(s AdminSale) []string {
	return []string{
		s.CreatedAt, s.ID, string(s.Kind), s.InventoryID, s.ItemID, s.ItemName, s.Seller, s.Buyer,
		s.PriceCents.String(), s.FeeCents.String(), s.ValueCents.String(),
	}
}

// Routes registers what is told of trades.
func Routes(k *httpkit.Kit) {
	httpkit.Table(k, httpkit.Get(httpkit.Admin, "/api/admin/sales", "list-all-sales", "Everybody's trades with each other, newest first"),
		"kaibao-sales", saleColumns, saleRecord, func(ctx context.Context, in *struct{ httpkit.Tabled }) (*httpkit.List[AdminSale], error) {
			return httpkit.Paged(ctx, k.DB.Read, in.Page, newestSales.Select, allSales)
		})
}

package market

import (
	"context"

	"kaibao/internal/httpkit"
	"kaibao/internal/money"
)

// AdminSale is a sale as an admin sees it.
type AdminSale struct {
	ListingID   string      `json:"listingId"`
	InventoryID string      `json:"inventoryId"`
	ItemID      string      `json:"itemId"`
	ItemName    string      `json:"itemName"`
	Seller      string      `json:"seller" doc:"The seller's address."`
	Buyer       string      `json:"buyer" doc:"The buyer's address."`
	PriceCents  money.Cents `json:"priceCents"`
	FeeCents    money.Cents `json:"feeCents"`
	CreatedAt   string      `json:"createdAt"`
}

var saleColumns = []string{"time", "listing", "entry", "itemId", "item", "seller", "buyer", "price", "fee"}

func saleRecord(s AdminSale) []string {
	return []string{s.CreatedAt, s.ListingID, s.InventoryID, s.ItemID, s.ItemName, s.Seller, s.Buyer, s.PriceCents.String(), s.FeeCents.String()}
}

func (s *Service) adminRoutes(k *httpkit.Kit) {
	httpkit.Table(k, httpkit.Get(httpkit.Admin, "/api/admin/sales", "list-all-sales", "Everybody's sales, the newest listing first"),
		"kaibao-sales", saleColumns, saleRecord, func(ctx context.Context, in *struct{ httpkit.Tabled }) (*httpkit.List[AdminSale], error) {
			return httpkit.Paged(ctx, s.DB.Read, in.Page, newestListings.Select, allSales)
		})
}

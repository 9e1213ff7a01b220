package trades

import (
	"context"
	"time"

	"kaibao/internal/csvfile"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// AdminSale is a trade between users as admins see it. The API contract has this name.
type AdminSale struct {
	ID          string      `json:"id"`
	Kind        Kind        `json:"kind" enum:"listing,bid,counter"`
	InventoryID string      `json:"inventoryId"`
	ItemID      string      `json:"itemId"`
	ItemName    string      `json:"itemName"`
	Seller      string      `json:"seller" doc:"The seller's address."`
	SellerID    string      `json:"sellerId"`
	Buyer       string      `json:"buyer" doc:"The buyer's address."`
	BuyerID     string      `json:"buyerId"`
	PriceCents  money.Cents `json:"priceCents"`
	FeeCents    money.Cents `json:"feeCents"`
	ValueCents  money.Cents `json:"valueCents" doc:"Value of the item at the time."`
	CreatedAt   string      `json:"createdAt"`
	micros      int64
}

// saleColumns are the columns of the admins' file; activityColumns are those of the users'.
var saleColumns = []string{"time", "id", "kind", "entry", "itemId", "item", "seller", "buyer", "price", "fee", "value"}

func saleRecord(s AdminSale) []string {
	return []string{
		s.CreatedAt, s.ID, string(s.Kind), s.InventoryID, s.ItemID, s.ItemName, s.Seller, s.Buyer,
		s.PriceCents.String(), s.FeeCents.String(), s.ValueCents.String(),
	}
}

// AdminPair is the value that the trades and gifts of two users moved from one to the other.
type AdminPair struct {
	Gainer     PairSide    `json:"gainer"`
	Payer      PairSide    `json:"payer"`
	Trades     int64       `json:"trades" doc:"Number of trades and accepted gifts, in both directions."`
	MovedCents money.Cents `json:"movedCents" doc:"Net gain of one side: prices above values in its sales, minus those in the other side's sales. Gifts move the value of their items."`
	LastAt     string      `json:"lastAt" doc:"Time of the last trade or gift."`
}

// PairSide is one user of a pair, with the times of their first and last deposit.
type PairSide struct {
	UserID         string  `json:"userId"`
	WalletAddress  string  `json:"walletAddress"`
	FirstDepositAt *string `json:"firstDepositAt" doc:"null without a deposit."`
	LastDepositAt  *string `json:"lastDepositAt"`
}

// salesInput has the filters of the admins' list. A user's trades are their sales and purchases.
type salesInput struct {
	csvfile.PagedInput
	httpapi.UserFilter
	Kind string `query:"kind" enum:"listing,bid,counter"`
}

type pairsInput struct {
	Days int `query:"days" minimum:"1" maximum:"90" default:"7" doc:"Number of days to look back."`
}

func adminRoutes(api *httpapi.API) {
	csvfile.Table(api, httpapi.Get(httpapi.Admin, "/api/admin/sales", "list-all-sales", "All users' trades, newest first"),
		"kaibao-sales", saleColumns, saleRecord, func(ctx context.Context, in *salesInput) (*httpapi.List[AdminSale], error) {
			return httpapi.Paged(ctx, api.DB.Search, in.Page, in.selection, in.list)
		})
	httpapi.Handle(api, httpapi.Get(httpapi.Admin, "/api/admin/trade-pairs", "list-trade-pairs", "Pairs of users with the largest net gains from off-value trades and gifts"),
		func(ctx context.Context, in *pairsInput) (*httpapi.List[AdminPair], error) {
			list := &httpapi.List[AdminPair]{}
			err := api.DB.Search(ctx, func(tx *db.Tx) (err error) {
				list.Body, err = pairsSince(tx, tx.Now.Add(-time.Duration(in.Days)*24*time.Hour), policy.MaxPairs)
				return err
			})
			return list, err
		})
}

package inventory

import (
	"context"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// TopPull is one of the most valuable pulls, for admins.
type TopPull struct {
	InventoryID   string      `json:"inventoryId"`
	ItemName      string      `json:"itemName"`
	Rarity        string      `json:"rarity" enum:"Common,Rare,Epic,Legendary,Mythic,Grail"`
	ValueCents    money.Cents `json:"valueCents" doc:"Value in the manifest of the draw."`
	PackName      string      `json:"packName"`
	PackNameZH    string      `json:"packNameZh,omitempty"`
	UserID        string      `json:"userId" doc:"The user who pulled it."`
	WalletAddress string      `json:"walletAddress" doc:"Address of the user who pulled it."`
	FirstName     string      `json:"firstName" doc:"Name of the user who pulled it; empty without one."`
	Ended         bool        `json:"ended" doc:"The item was sold back, delivered or refunded."`
	CreatedAt     string      `json:"createdAt"`
}

type topInput struct {
	Days int `query:"days" minimum:"1" maximum:"90" default:"7" doc:"Number of days to look back."`
}

func topPullRoutes(api *httpapi.API) {
	httpapi.Handle(api, httpapi.Get(httpapi.Admin, "/api/admin/top-pulls", "list-top-pulls", "The ten most valuable pulls of the last days, worth at least $100 each"),
		func(ctx context.Context, in *topInput) (*httpapi.List[TopPull], error) {
			list := &httpapi.List[TopPull]{}
			err := api.DB.Search(ctx, func(tx *db.Tx) (err error) {
				since := tx.Now.Add(-time.Duration(in.Days) * 24 * time.Hour)
				list.Body, err = topPulls(tx, since, policy.TopPulls)
				return err
			})
			return list, err
		})
}

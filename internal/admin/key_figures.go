package admin

import (
	"context"
	"time"

	"kaibao/internal/approval"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/leaderboard"
	"kaibao/internal/money"
	"kaibao/internal/packs"
)

// Metrics are the key figures for admins. For figures over time: GET /api/admin/days.
type Metrics struct {
	RecentActivity []leaderboard.ActivityView `json:"recentActivity" nullable:"false"`
	Totals         Totals                     `json:"totals"`
	At             string                     `json:"at" format:"date-time" doc:"When opens and amounts were counted, as on the public books."`
	RevenueCents   money.Cents                `json:"revenueCents" doc:"Total price of opened packs."`
	SellBackCents  money.Cents                `json:"sellBackCents"`
	FeesCents      money.Cents                `json:"feesCents"`
	DepositsCents  money.Cents                `json:"depositsCents"`
	HeldCents      money.Cents                `json:"heldCents" doc:"Total balance of all users."`
}

// Totals are current counts.
type Totals struct {
	Items       int64 `json:"items" doc:"Items in the catalogue."`
	Packs       int64 `json:"packs"`
	ActivePacks int64 `json:"activePacks" doc:"Packs that admins put on sale; the margin guard may have paused some of them."`
	Users       int64 `json:"users"`
	Opens       int64 `json:"opens"`
	Activities  int64 `json:"activities" doc:"Packs opened in the last 24 hours."`
	Approvals   int64 `json:"approvals" doc:"Requests waiting for a second admin."`
}

func (n Node) keyFigureRoutes(api *httpapi.API) {
	httpapi.JSON(api, httpapi.Get(httpapi.Admin, "/api/admin/metrics", "get-metrics", "Key figures"),
		func(ctx context.Context, _ *struct{}) (m Metrics, err error) {
			m.RecentActivity, err = n.Board.Latest(ctx)
			if err != nil {
				return m, err
			}
			books, err := n.Books.Current(ctx)
			if err != nil {
				return m, err
			}
			m.At, m.RevenueCents, m.SellBackCents, m.FeesCents = books.At, books.Points.SpentCents, books.Points.SoldBackCents, books.Points.FeesCents
			m.DepositsCents, m.HeldCents = books.Points.DepositsCents, books.Points.OutstandingCents
			m.Totals.Opens, m.Totals.Users = books.Points.Opens, books.Ledger.Accounts
			return m, api.DB.Read(ctx, m.Totals.count)
		})
}

// count reads the counts that admins' acts change, so that they are always current.
func (t *Totals) count(tx *db.Tx) error {
	all, err := packs.All(tx)
	if err != nil {
		return err
	}
	t.Packs, t.ActivePacks = int64(len(all)), 0
	for _, p := range all {
		if p.Active {
			t.ActivePacks++
		}
	}
	t.Items, err = catalogue.Count(tx)
	if err != nil {
		return err
	}
	t.Activities, err = countOpensSince(tx, tx.Now.Add(-24*time.Hour))
	if err != nil {
		return err
	}
	t.Approvals, err = approval.CountPending(tx)
	return err
}

package publicbooks

import (
	"context"
	"strconv"

	"kaibao/internal/csvfile"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/money"
	"kaibao/internal/protocol"
)

// DayView is the activity of one closed day.
type DayView struct {
	Day           string      `json:"day" format:"date" doc:"In UTC."`
	Opens         int64       `json:"opens"`
	RevenueCents  money.Cents `json:"revenueCents" doc:"Total price of opened packs."`
	SellBacks     int64       `json:"sellBacks"`
	SellBackCents money.Cents `json:"sellBackCents"`
	Sales         int64       `json:"sales"`
	SalesCents    money.Cents `json:"salesCents"`
	FeesCents     money.Cents `json:"feesCents"`
	DepositsCents money.Cents `json:"depositsCents" doc:"Points bought with money, minus refunds."`
	GivenCents    money.Cents `json:"givenCents" doc:"Free sandbox points and credits."`
	HeldCents     money.Cents `json:"heldCents" doc:"Total balance of all users at the end of the day."`
}

var dayColumns = []string{"day", "opens", "revenue", "sell-backs", "sell-back", "sales", "sales-value", "fees", "deposits", "given", "held"}

func dayRecord(d DayView) []string {
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	return []string{
		d.Day, number(d.Opens), d.RevenueCents.String(), number(d.SellBacks), d.SellBackCents.String(), number(d.Sales), d.SalesCents.String(),
		d.FeesCents.String(), d.DepositsCents.String(), d.GivenCents.String(), d.HeldCents.String(),
	}
}

// dayOf returns the difference between the books of a day and the day before.
func dayOf(before, l protocol.BooksLeaf) DayView {
	paid := func(l protocol.BooksLeaf) money.Cents { return l.Deposits - l.Refunds - l.Shortfalls }
	given := func(l protocol.BooksLeaf) money.Cents { return l.Gifts + l.Credits }
	return DayView{
		Day: l.Name(), Opens: l.Opens.Number - before.Opens.Number, RevenueCents: l.Opens.Amount - before.Opens.Amount,
		SellBacks: l.SellBacks.Number - before.SellBacks.Number, SellBackCents: l.SellBacks.Amount - before.SellBacks.Amount,
		Sales: l.Sales.Number - before.Sales.Number, SalesCents: l.Sales.Amount - before.Sales.Amount,
		FeesCents: l.Fees - before.Fees, DepositsCents: paid(l) - paid(before), GivenCents: given(l) - given(before), HeldCents: l.Balances,
	}
}

func (s *Service) dayRoutes(api *httpapi.API) {
	csvfile.Table(api, httpapi.Get(httpapi.Admin, "/api/admin/days", "list-days", "Daily totals of closed days, newest first"),
		"kaibao-days", dayColumns, dayRecord, func(ctx context.Context, in *struct{ csvfile.PagedInput }) (*httpapi.List[DayView], error) {
			return httpapi.Paged(ctx, s.DB.Read, in.Page, lastFirst.Select, func(tx *db.Tx, page *db.Selection[dayRow]) ([]DayView, error) {
				rows, err := listDays(tx, page)
				views := make([]DayView, len(rows))
				for n, r := range rows {
					views[n] = dayOf(r.before, r.leaf)
				}
				return views, err
			})
		})
}

package limits

import (
	"context"
	"strconv"

	"kaibao/internal/csvfile"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
)

// LimitChange is a change that a user made to their limits. It has one of cents, minutes and until;
// none of them means no limit, or an exclusion for good.
type LimitChange struct {
	Number    int64        `json:"number" doc:"Counts the user's changes."`
	Limit     string       `json:"limit" enum:"loss-day,loss-week,loss-month,deposit-day,deposit-week,deposit-month,reality-check,time-out,exclusion"`
	Kind      actKind      `json:"kind" enum:"set,ask,confirm" doc:"set: in force at once; ask: a request for more; confirm: of that request."`
	Cents     *money.Cents `json:"cents,omitempty"`
	Minutes   *int64       `json:"minutes,omitempty" doc:"Between two reality checks."`
	Until     *string      `json:"until,omitempty" doc:"End of a time-out or exclusion; absent for good."`
	CreatedAt string       `json:"createdAt"`
}

func (c *LimitChange) setValue(value int64) {
	switch limit := Bound(c.Limit); {
	case value == noLimit:
	case limit == realityCheck:
		c.Minutes = &value
	case limit == timeOut, limit == exclusion:
		c.Until = formatEnd(value)
	default:
		c.Cents = new(money.Cents(value))
	}
}

type changesInput struct {
	csvfile.PagedInput
	httpapi.Period
	User  httpapi.PathID `path:"id"`
	Kind  string         `query:"kind" enum:"set,ask,confirm"`
	Limit string         `query:"limitName" enum:"loss-day,loss-week,loss-month,deposit-day,deposit-week,deposit-month,reality-check,time-out,exclusion"`
}

var changeColumns = []string{"time", "number", "limit", "kind", "amount", "minutes", "until"}

func changeRecord(c LimitChange) []string {
	amount, minutes, until := "", "", ""
	if c.Cents != nil {
		amount = c.Cents.String()
	}
	if c.Minutes != nil {
		minutes = strconv.FormatInt(*c.Minutes, 10)
	}
	if c.Until != nil {
		until = *c.Until
	}
	return []string{c.CreatedAt, strconv.FormatInt(c.Number, 10), c.Limit, string(c.Kind), amount, minutes, until}
}

func adminRoutes(api *httpapi.API) {
	csvfile.Table(api, httpapi.Get(httpapi.Admin, "/api/admin/users/{id}/limit-changes", "list-limit-changes", "What a user changed about their limits, newest first"),
		"kaibao-limit-changes", changeColumns, changeRecord, func(ctx context.Context, in *changesInput) (*httpapi.List[LimitChange], error) {
			return httpapi.Paged(ctx, api.DB.Read, in.Page, in.selection, in.list)
		})
}

// View returns a user's limits.
func View(tx *db.Tx, user string) (LimitsView, error) {
	account, err := ledger.Find(tx, user)
	if err != nil {
		return LimitsView{}, err
	}
	return viewOf(tx, account)
}

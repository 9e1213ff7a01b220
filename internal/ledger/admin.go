package ledger

import (
	"context"

	"kaibao/internal/csvfile"
	"kaibao/internal/httpapi"
	"kaibao/internal/money"
)

// AdminTransfer is a transfer as admins see it, with both accounts.
type AdminTransfer struct {
	ID               string       `json:"id"`
	Kind             string       `json:"kind"`
	From             string       `json:"from" doc:"A user's address, or a house account."`
	FromUserID       string       `json:"fromUserId,omitempty" doc:"Absent for a house account."`
	To               string       `json:"to" doc:"A user's address, or a house account."`
	ToUserID         string       `json:"toUserId,omitempty" doc:"Absent for a house account."`
	AmountCents      money.Cents  `json:"amountCents"`
	FromBalanceCents *money.Cents `json:"fromBalanceCents,omitempty" doc:"The user's balance after the transfer."`
	ToBalanceCents   *money.Cents `json:"toBalanceCents,omitempty" doc:"The user's balance after the transfer."`
	RefKind          RefKind      `json:"refKind" doc:"What ref refers to."`
	Ref              string       `json:"ref"`
	Note             string       `json:"note"`
	CreatedAt        string       `json:"createdAt"`
	micros           int64
}

// transfersInput has the filters of the admins' list. A transfer has no id of its own in the list: id
// is what it was for, such as a deposit, an open or a trade.
type transfersInput struct {
	csvfile.PagedInput
	httpapi.UserFilter
	Kind Kind `query:"kind"`
}

var transferColumns = []string{"time", "kind", "from", "to", "amount", "fromBalance", "toBalance", "refKind", "ref", "note", "id"}

func transferRecord(t AdminTransfer) []string {
	return []string{
		t.CreatedAt, t.Kind, t.From, t.To, t.AmountCents.String(), formatBalance(t.FromBalanceCents), formatBalance(t.ToBalanceCents),
		string(t.RefKind), t.Ref, t.Note, t.ID,
	}
}

// formatBalance formats a balance for the CSV file; house accounts have none.
func formatBalance(balance *money.Cents) string {
	if balance == nil {
		return ""
	}
	return balance.String()
}

func adminRoutes(api *httpapi.API) {
	csvfile.Table(api, httpapi.Get(httpapi.Admin, "/api/admin/transfers", "list-all-transfers", "All transfers of the ledger, newest first; id is what they were for, such as a deposit, an open or a trade"),
		"kaibao-transfers", transferColumns, transferRecord,
		func(ctx context.Context, in *transfersInput) (*httpapi.List[AdminTransfer], error) {
			return httpapi.Paged(ctx, api.DB.Search, in.Page, in.selection, in.list)
		})
}

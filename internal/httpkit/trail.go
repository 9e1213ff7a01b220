package httpkit

import (
	"context"
	"encoding/json"
)

// AdminActView is a line of the audit trail.
type AdminActView struct {
	ID            string          `json:"id"`
	Act           string          `json:"act" doc:"The operation's id."`
	WalletAddress string          `json:"walletAddress" doc:"Who did it."`
	Request       json.RawMessage `json:"request" doc:"What was asked for."`
	CreatedAt     string          `json:"createdAt"`
}

// Trail registers the audit trail: what admins did, newest first.
func (k *Kit) Trail() {
	Handle(k, Admin, Get("/api/admin/audit", "list-admin-acts", "What admins did, newest first"),
		func(ctx context.Context, in *struct{ Page }) (*List[AdminActView], error) {
			return Paged(ctx, k.DB.Read, in.Page, newestFirst.Select, adminActs)
		})
}

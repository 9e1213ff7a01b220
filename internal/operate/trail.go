package operate

import (
	"context"
	"encoding/json"

	"kaibao/internal/httpkit"
)

// AdminActView is a line of the audit trail.
type AdminActView struct {
	ID            string          `json:"id"`
	Act           string          `json:"act" doc:"The operation's id."`
	Path          string          `json:"path" doc:"Of the call: it names what was changed."`
	WalletAddress string          `json:"walletAddress" doc:"Who did it."`
	Request       json.RawMessage `json:"request" doc:"What was asked for."`
	CreatedAt     string          `json:"createdAt"`
}

func trailRoutes(k *httpkit.Kit) {
	httpkit.Handle(k, httpkit.Get(httpkit.Admin, "/api/admin/audit", "list-admin-acts", "What admins did, newest first"),
		func(ctx context.Context, in *struct{ httpkit.Page }) (*httpkit.List[AdminActView], error) {
			return httpkit.Paged(ctx, k.DB.Read, in.Page, newestFirst.Select, acts)
		})
}

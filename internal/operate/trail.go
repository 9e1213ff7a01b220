package operate

import (
	"context"
	"encoding/json"

	"kaibao/internal/db"
	"kaibao/internal/httpkit"
)

// AdminActView is a line of the audit trail.
type AdminActView struct {
	ID            string          `json:"id"`
	Act           string          `json:"act" doc:"The operation's id."`
	WalletAddress string          `json:"walletAddress" doc:"Who did it."`
	Request       json.RawMessage `json:"request" doc:"What was asked for."`
	CreatedAt     string          `json:"createdAt"`
}

func trailRoutes(k *httpkit.Kit) {
	httpkit.Handle(k, httpkit.Get(httpkit.Admin, "/api/admin/audit", "list-admin-acts", "What admins did, newest first"),
		func(ctx context.Context, in *struct{ httpkit.Page }) (*httpkit.List[AdminActView], error) {
			var found []AdminActView
			err := k.DB.Read(ctx, func(tx *db.Tx) (err error) {
				found, err = acts(tx, in.Cursor, in.Limit+1)
				return err
			})
			return httpkit.Cut(found, in.Limit, func(a AdminActView) string { return a.ID }), err
		})
}

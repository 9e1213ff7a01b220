package identity

import (
	"context"

	"kaibao/internal/csvfile"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
)

// SessionView is a signed-in browser of a user, for admins. It has no id, because the only one is made
// from the session's secret.
type SessionView struct {
	CreatedAt  string `json:"createdAt"`
	LastUsedAt string `json:"lastUsedAt"`
}

type sessionsInput struct {
	csvfile.Input
	User httpapi.PathID `path:"id"`
}

func adminRoutes(api *httpapi.API) {
	csvfile.Table(api, httpapi.Get(httpapi.Admin, "/api/admin/users/{id}/sessions", "list-sessions", "A user's sessions, newest first"),
		"kaibao-sessions", []string{"since", "lastUsed"}, func(v SessionView) []string { return []string{v.CreatedAt, v.LastUsedAt} },
		func(ctx context.Context, in *sessionsInput) (*httpapi.List[SessionView], error) {
			list := &httpapi.List[SessionView]{}
			err := api.DB.Read(ctx, func(tx *db.Tx) (err error) {
				list.Body, err = sessionsOf(tx, string(in.User))
				return err
			})
			return list, err
		})
}

package csvfile

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"kaibao/internal/adminlog"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
)

// exportAct is the name of an export in the admin log.
const exportAct = "export-list"

// unloggedParameters don't select rows, or may contain a name or an address. The admin log names
// users by their ids only.
var unloggedParameters = []string{"format", "limit", "cursor", "search", "actor", "subject"}

// Export is the request for a file, as the admin log records it. Embed it in the input of a download.
type Export struct {
	path  string
	query url.Values
}

// Resolve remembers the request's path and query for the admin log. It implements huma.Resolver.
func (e *Export) Resolve(ctx huma.Context) []error {
	requested := ctx.URL()
	e.path, e.query = requested.Path, requested.Query()
	return nil
}

// Record writes an admin's export of a list to the admin log. If the list is limited to a user, they
// are the subject.
func (e *Export) Record(ctx context.Context, d *db.DB, list string) error {
	subject := "list " + strings.TrimPrefix(list, "kaibao-")
	if user := e.query.Get("user"); db.IsID(user) {
		subject = "user " + user
	}
	filters := map[string]string{}
	for name := range e.query {
		filters[name] = e.query.Get(name)
	}
	for _, name := range unloggedParameters {
		delete(filters, name)
	}
	request, err := json.Marshal(filters)
	if err != nil {
		return err
	}
	return d.InTx(ctx, func(tx *db.Tx) error {
		_, err := adminlog.Record(tx, adminlog.Act{
			Admin: httpapi.Caller(ctx).UserID, Name: exportAct, Path: e.path, Request: request, Change: adminlog.Change{Subject: subject},
		})
		return err
	})
}

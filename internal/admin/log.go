package admin

import (
	"context"
	"encoding/json"

	"kaibao/internal/csvfile"
	"kaibao/internal/httpapi"
)

// AdminActView is a line of the admin log.
type AdminActView struct {
	ID            string          `json:"id"`
	Act           string          `json:"act" doc:"The operation id, such as edit-item."`
	Path          string          `json:"path" doc:"The request path, or the command line."`
	By            string          `json:"by" enum:"admin,program" doc:"Who did it: an admin, or the program itself (a command or a job)."`
	AdminID       string          `json:"adminId,omitempty" doc:"The admin's user id; absent for the program."`
	WalletAddress string          `json:"walletAddress" doc:"The admin's address; empty for the program."`
	Subject       string          `json:"subject" doc:"Kind and id of the object, such as item pkm-001."`
	Before        json.RawMessage `json:"before" doc:"State before. For objects, only the fields that changed. null if it is new."`
	After         json.RawMessage `json:"after" doc:"State after. For objects, only the fields that changed."`
	Reason        string          `json:"reason"`
	Request       json.RawMessage `json:"request" doc:"The request body."`
	CreatedAt     string          `json:"createdAt"`
}

// Values of AdminActView.By.
const (
	byAdmin   = "admin"
	byProgram = "program"
)

type logInput struct {
	csvfile.PagedInput
	Actor   string `query:"actor" maxLength:"100" doc:"Start of an admin's address, or program for entries without an admin."`
	Act     string `query:"act" maxLength:"100" doc:"The operation id, such as edit-item."`
	Subject string `query:"subject" maxLength:"100" doc:"Start of the subject, such as item, or item pkm-001. A user has an id; user and the start of an address works too."`
	Search  string `query:"search" maxLength:"100" doc:"Text in the reason, subject, request, or the states before and after."`
	User    string `query:"user" maxLength:"64" doc:"A user's id: only acts about this user, their deposits or their claims."`
	httpapi.Period
}

var logColumns = []string{"time", "by", "wallet", "act", "subject", "reason", "before", "after", "request", "path", "id"}

func logRecord(a AdminActView) []string {
	return []string{
		a.CreatedAt, a.By, a.WalletAddress, a.Act, a.Subject, a.Reason, string(a.Before), string(a.After), string(a.Request), a.Path, a.ID,
	}
}

func logRoutes(api *httpapi.API) {
	csvfile.Table(api, httpapi.Get(httpapi.Admin, "/api/admin/audit", "list-admin-acts", "List the admin log, newest first: who changed what, and why (to check the books, run `kaibao audit`)"),
		"kaibao-admin-log", logColumns, logRecord,
		func(ctx context.Context, in *logInput) (*httpapi.List[AdminActView], error) {
			return httpapi.Paged(ctx, api.DB.Search, in.Page, in.selection, in.list)
		})
}

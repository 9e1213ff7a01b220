package admin

import (
	"context"
	"encoding/json"
	"time"

	"kaibao/internal/httpkit"
)

// AdminActView is a line of the admin log.
type AdminActView struct {
	ID            string          `json:"id"`
	Act           string          `json:"act" doc:"The operation's id."`
	Path          string          `json:"path" doc:"Of the call, or the command."`
	By            string          `json:"by" enum:"admin,program" doc:"The program itself: by a command, or a job."`
	WalletAddress string          `json:"walletAddress" doc:"The admin's; empty where the program did it."`
	Subject       string          `json:"subject" doc:"What it was done to: a kind and an id."`
	Before        json.RawMessage `json:"before" doc:"As it was: of an object what differs; null = it was not there."`
	After         json.RawMessage `json:"after" doc:"As it became."`
	Reason        string          `json:"reason"`
	Request       json.RawMessage `json:"request" doc:"What was asked for."`
	CreatedAt     string          `json:"createdAt"`
}

// Values of AdminActView.By.
const (
	byAdmin   = "admin"
	byProgram = "program"
)

type logInput struct {
	httpkit.Tabled
	Actor   string    `query:"actor" maxLength:"100" doc:"The beginning of an admin's address, or program."`
	Act     string    `query:"act" maxLength:"100" doc:"The operation's id."`
	Subject string    `query:"subject" maxLength:"100" doc:"The beginning of it, such as item, or item pkm-001."`
	Search  string    `query:"search" maxLength:"100" doc:"A part of the reason, the subject, of what was asked for or of what became of it."`
	From    time.Time `query:"from" doc:"No lines before it."`
	To      time.Time `query:"to" doc:"Nor from it on."`
}

var logColumns = []string{"time", "by", "wallet", "act", "subject", "reason", "before", "after", "request", "path", "id"}

func logRecord(a AdminActView) []string {
	return []string{
		a.CreatedAt, a.By, a.WalletAddress, a.Act, a.Subject, a.Reason, string(a.Before), string(a.After), string(a.Request), a.Path, a.ID,
	}
}

func logRoutes(k *httpkit.Kit) {
	httpkit.Table(k, httpkit.Get(httpkit.Admin, "/api/admin/audit", "list-admin-acts", "List the admin log, newest first: who changed what, and why (to check the books, run `kaibao audit`)"),
		"kaibao-admin-log", logColumns, logRecord,
		func(ctx context.Context, in *logInput) (*httpkit.List[AdminActView], error) {
			return httpkit.Paged(ctx, k.DB.Search, in.Page, in.selection, listActs)
		})
}

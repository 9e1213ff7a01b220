package admin

import (
	"context"
	"encoding/json"
	"strings"

	"kaibao/internal/action"
	"kaibao/internal/adminlog"
	"kaibao/internal/apperr"
	"kaibao/internal/csvfile"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/policy"
)

// Note is an admin's note about a user. Notes can't be changed or deleted.
type Note struct {
	ID            string `json:"id"`
	Text          string `json:"text"`
	WalletAddress string `json:"walletAddress" doc:"Address of the admin who wrote it."`
	CreatedAt     string `json:"createdAt"`
}

type notesInput struct {
	csvfile.PagedInput
	httpapi.Period
	User httpapi.PathID `path:"id"`
}

type noteInput struct {
	action.Idempotent
	ID   httpapi.PathID `path:"id"`
	Body struct {
		Text string `json:"text" minLength:"1" maxLength:"1000" doc:"Users don't see it."`
	}
}

// noteEntry is a new note in the admin log, which doesn't repeat its text.
type noteEntry struct {
	Note string `json:"note"`
}

func noteRoutes(api *httpapi.API) {
	csvfile.Table(api, httpapi.Get(httpapi.Admin, "/api/admin/users/{id}/notes", "list-notes", "Admins' notes about a user, newest first"),
		"kaibao-notes", []string{"time", "admin", "text", "id"}, func(n Note) []string { return []string{n.CreatedAt, n.WalletAddress, n.Text, n.ID} },
		func(ctx context.Context, in *notesInput) (*httpapi.List[Note], error) {
			return httpapi.Paged(ctx, api.DB.Read, in.Page, in.selection, in.list)
		})
	action.Handle(api, httpapi.Post(httpapi.Admin, "/api/admin/users/{id}/notes", "add-note", "Add a note about a user, which only admins see", apperr.NotFound), addNote)
}

func addNote(tx *db.Tx, admin httpapi.Principal, in *noteInput) (Note, error) {
	text := strings.TrimSpace(in.Body.Text)
	if text == "" {
		return Note{}, apperr.InvalidField("text", "is required")
	}
	if err := apperr.CheckMaxLength("text", text, policy.MaxNoteLength); err != nil {
		return Note{}, err
	}
	user, err := userOf(tx, in.ID)
	if err != nil {
		return Note{}, err
	}
	note := Note{ID: tx.NewID(), Text: text, WalletAddress: admin.Address, CreatedAt: httpapi.Timestamp(tx.Now)}
	if err := insertNote(tx, user.ID, admin.UserID, note); err != nil {
		return Note{}, err
	}
	entry := noteEntry{note.ID}
	summary, err := json.Marshal(entry)
	in.LogSummary(summary)
	in.Changed(adminlog.Change{Subject: "user " + user.ID, After: entry})
	return note, err
}

package personaldata

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"kaibao/internal/action"
	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/identity"
)

// DataChallenge is a message to sign.
type DataChallenge struct {
	Message   string `json:"message" doc:"The exact text to sign."`
	ExpiresAt string `json:"expiresAt"`
}

// ExportTicket allows the session that asked for it to download an archive once.
type ExportTicket struct {
	ID        string `json:"id" doc:"GET /api/account/export/{id} once, with the same session."`
	ExpiresAt string `json:"expiresAt"`
}

// SignedBody has the signature of a challenge.
type SignedBody struct {
	Signature     string `json:"signature" maxLength:"100" doc:"64 bytes in base58, over the message of the challenge."`
	SignedMessage []byte `json:"signedMessage,omitempty" doc:"What the wallet says it signed, in base64."`
}

// Blocked is the detail of an error about an account that can't be deleted now.
type Blocked struct {
	Obstacle Obstacle `json:"obstacle" enum:"shipment,top-up,order,admin,frozen"`
}

// DeletionView is a requested deletion.
type DeletionView struct {
	RequestedAt string   `json:"requestedAt"`
	DueAt       string   `json:"dueAt" doc:"Until then you can cancel."`
	WaitsFor    Obstacle `json:"waitsFor,omitempty" enum:"shipment,top-up,order,admin,frozen" doc:"Why the deletion is due but has to wait."`
}

// AccountData is the state of the caller's data.
type AccountData struct {
	WaitDays  int64         `json:"waitDays" doc:"Days between the request and the deletion of an account."`
	Retention Retention     `json:"retention"`
	Obstacle  Obstacle      `json:"obstacle,omitempty" enum:"shipment,top-up,order,admin,frozen" doc:"Why the account can't be deleted now."`
	Deletion  *DeletionView `json:"deletion,omitempty" doc:"Present if you asked to delete your account."`
}

type cancelInput struct{ action.Idempotent }

type dataChallengeInput struct {
	Body struct {
		Purpose Purpose `json:"purpose" enum:"export,deletion" doc:"What the signature permits."`
	}
}

type signedInput struct {
	action.Idempotent
	Body SignedBody
}

type exportInput struct {
	ID httpapi.PathID `path:"id"`
}

type archiveReply struct {
	ContentType string `header:"Content-Type" hidden:"true"`
	Disposition string `header:"Content-Disposition" hidden:"true"`
	Cache       string `header:"Cache-Control" hidden:"true"`
	Body        func(huma.Context)
}

const zipType = "application/zip"

// Routes registers the routes under /api/account.
func (s *Service) Routes(api *httpapi.API) {
	challenge := httpapi.Post(httpapi.Session, "/api/account/challenge", "challenge-account", "Get the message to sign for an export of your data, or for the deletion of your account").WithRate(httpapi.SignIns)
	challenge.AllowFrozen = true
	httpapi.JSON(api, challenge,
		func(ctx context.Context, in *dataChallengeInput) (c DataChallenge, err error) {
			err = s.DB.InTx(ctx, func(tx *db.Tx) error {
				c, err = s.createChallenge(tx, httpapi.Caller(ctx), in.Body.Purpose)
				return err
			})
			return c, err
		})
	export := httpapi.Post(httpapi.Session, "/api/account/export", "export-account", "Permit one download of all your data with a signature", apperr.BadSignature).WithRate(httpapi.SignIns)
	export.AllowFrozen = true
	action.Handle(api, export,
		func(tx *db.Tx, caller httpapi.Principal, in *signedInput) (ExportTicket, error) {
			if err := s.checkSignature(tx, caller, Export, in.Body); err != nil {
				return ExportTicket{}, err
			}
			p := permission{tx.NewID(), caller.UserID, caller.Session}
			return ExportTicket{p.id, httpapi.Timestamp(tx.Now.Add(fetchable))}, insertPermission(tx, p)
		})
	s.archiveRoute(api)
	httpapi.JSON(api, httpapi.Get(httpapi.Session, "/api/account/data", "get-account-data", "How long your data is kept, and the state of your account's deletion"), s.data)
	action.Handle(api, httpapi.Post(httpapi.Session, "/api/account/delete", "delete-account", "Delete your account after 14 days, with a signature", apperr.BadSignature, apperr.Conflict).WithRate(httpapi.SignIns),
		func(tx *db.Tx, caller httpapi.Principal, in *signedInput) (DeletionView, error) {
			due, err := s.requestDeletion(tx, caller, in.Body)
			return DeletionView{RequestedAt: httpapi.Timestamp(tx.Now), DueAt: httpapi.Timestamp(due)}, err
		})
	cancel := httpapi.Delete(httpapi.Session, "/api/account/delete", "cancel-deletion", "Keep your account", apperr.Conflict)
	cancel.AllowFrozen = true
	action.Handle(api, cancel,
		func(tx *db.Tx, caller httpapi.Principal, _ *cancelInput) (struct{}, error) {
			return struct{}{}, identity.CancelDeletion(tx, caller.UserID)
		})
}

// data returns the state of the caller's account.
func (s *Service) data(ctx context.Context, _ *struct{}) (v AccountData, err error) {
	v = AccountData{WaitDays: waitDays, Retention: s.Retention}
	err = s.DB.Read(ctx, func(tx *db.Tx) error {
		user, err := identity.ByID(tx, httpapi.Caller(ctx).UserID)
		if err != nil {
			return err
		}
		if d := user.Deletion; !d.DueAt.IsZero() {
			v.Deletion = &DeletionView{httpapi.Timestamp(d.RequestedAt), httpapi.Timestamp(d.DueAt), Obstacle(d.WaitsFor)}
		}
		v.Obstacle, err = findObstacle(tx, user)
		return err
	})
	return v, err
}

// buildTime is the time limit for building an archive.
const buildTime = 15 * time.Second

func (s *Service) archiveRoute(api *httpapi.API) {
	route := httpapi.Get(httpapi.Session, "/api/account/export/{id}", "download-export", "Download an archive of your data, once", apperr.NotFound, apperr.Unavailable).
		WithTimeLimit(buildTime)
	route.Responses = map[string]*huma.Response{strconv.Itoa(http.StatusOK): {
		Description: "A zip archive of JSON and CSV files", Content: map[string]*huma.MediaType{zipType: {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}},
	}}
	httpapi.Handle(api, route, func(ctx context.Context, in *exportInput) (*archiveReply, error) {
		caller := httpapi.Caller(ctx)
		archive, err := s.fetch(ctx, permission{string(in.ID), caller.UserID, caller.Session})
		if err != nil {
			return nil, err
		}
		return &archiveReply{zipType, `attachment; filename="kaibao-data.zip"`, "no-store", func(call huma.Context) {
			api.StreamFile(call, route, func(out io.Writer) error { return inParts(out, archive) })
		}}, nil
	})
}

// partSize is how many bytes are written at a time. A slow client has the usual time for each part.
const partSize = 64 << 10

func inParts(out io.Writer, data []byte) error {
	part := bytes.NewReader(data)
	for part.Len() > 0 {
		if _, err := io.CopyN(out, part, int64(min(partSize, part.Len()))); err != nil {
			return err
		}
	}
	return nil
}

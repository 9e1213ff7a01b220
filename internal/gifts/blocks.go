package gifts

import (
	"context"
	"errors"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/identity"
)

// BlockedGiver is a giver whom the caller has blocked.
type BlockedGiver struct {
	ID        string `json:"id" doc:"Id of the block, to unblock the giver."`
	Giver     Person `json:"giver"`
	BlockedAt string `json:"blockedAt" format:"date-time"`
}

// block is a user's block of a giver.
type block struct {
	id, giver string
	at        int64 // microseconds
}

type unblockGiverInput struct {
	ID httpapi.PathID `path:"id"`
}

var errNoBlock = apperr.New(apperr.NotFound, "This giver isn't blocked.")

func (s *Service) blockRoutes(api *httpapi.API) {
	httpapi.Handle(api, httpapi.Get(httpapi.Session, "/api/blocked-givers", "list-blocked-givers", "Givers whom the caller has blocked, most recently blocked first"),
		func(ctx context.Context, in *struct{ httpapi.Page }) (*httpapi.List[BlockedGiver], error) {
			return httpapi.Paged(ctx, s.DB.Read, in.Page, newestBlocks.Select, func(tx *db.Tx, page *db.Selection[block]) ([]BlockedGiver, error) {
				return blockViews(tx, httpapi.Caller(ctx).UserID, page)
			})
		})
	httpapi.Handle(api, httpapi.Delete(httpapi.Session, "/api/blocked-givers/{id}", "unblock-giver", "Unblock a giver", apperr.NotFound),
		func(ctx context.Context, in *unblockGiverInput) (*struct{}, error) {
			return nil, s.DB.InTx(ctx, func(tx *db.Tx) error {
				err := deleteBlock(tx, httpapi.Caller(ctx).UserID, string(in.ID))
				if errors.Is(err, db.ErrNoRow) {
					err = errNoBlock
				}
				return err
			})
		})
}

func blockViews(tx *db.Tx, user string, page *db.Selection[block]) ([]BlockedGiver, error) {
	found, err := blocksOf(tx, user, page)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(found))
	for i, b := range found {
		ids[i] = b.giver
	}
	givers, err := identity.ByIDs(tx, ids)
	views := make([]BlockedGiver, len(found))
	for i, b := range found {
		views[i] = BlockedGiver{b.id, personOf(givers[b.giver]), httpapi.Timestamp(db.Time(b.at))}
	}
	return views, err
}

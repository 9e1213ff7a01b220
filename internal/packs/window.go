package packs

import (
	"context"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/httpkit"
)

// windowLife is how long responses are cached. Changes by other nodes or by commands don't
// invalidate this node's cache; they show up when it expires.
const windowLife = 250 * time.Millisecond

// window caches a node's public responses about packs.
type window struct {
	packs   *httpkit.Cache[struct{}, *httpkit.List[PackView]]
	details *httpkit.Cache[detailInput, PackDetail]
}

type detailInput struct {
	ID httpkit.PathID `path:"id"`
}

func (s *Service) newWindow() *window {
	return &window{
		packs: httpkit.NewCache(s.DB.Now, windowLife, func(ctx context.Context, _ struct{}) (*httpkit.List[PackView], error) {
			return list(ctx, s, active, (*Deck).view)
		}),
		details: httpkit.NewCache(s.DB.Now, windowLife, s.detail),
	}
}

// changed invalidates the node's cache after tx commits. Call it when tx changes packs or their
// items.
func (s *Service) changed(tx *db.Tx) {
	if s.window == nil { // this node serves no requests
		return
	}
	tx.AfterCommit(func() {
		s.window.packs.Invalidate()
		s.window.details.Invalidate()
	})
}

func (s *Service) detail(ctx context.Context, in detailInput) (v PackDetail, err error) {
	err = s.DB.Read(ctx, func(tx *db.Tx) error {
		p, err := find(tx, string(in.ID))
		if err != nil {
			return err
		}
		deck, err := s.deckOf(tx, p)
		if err != nil {
			return err
		}
		v, err = deck.detail(tx)
		return err
	})
	return v, err
}

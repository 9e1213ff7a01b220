package packs

import (
	"context"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/httpkit"
)

// windowLife is how long everybody is shown the same packs: nodes hear nothing of what is
// changed on another, or by a command, and see it when this is over.
const windowLife = 250 * time.Millisecond

// window is what a node shows everybody of the packs.
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

// changed has this node show what tx does to packs, or to their items, as soon as it is
// kept.
func (s *Service) changed(tx *db.Tx) {
	if s.window == nil { // nobody is shown anything
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

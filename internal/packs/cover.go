package packs

import (
	"context"
	"strings"

	"kaibao/internal/art"
	"kaibao/internal/db"
	"kaibao/internal/imageproxy"
)

// Cover describes a pack's picture for callers that need nothing else of the pack.
type Cover struct {
	Pack    string `json:"pack"`
	Address string `json:"address"`
	Sources string `json:"sources" doc:"The picture in several widths, in the format of HTML's srcset; empty if there is only one."`
}

// Cover returns the URLs or paths of the pack's picture.
func (p Pack) Cover() Cover {
	if p.CoverImageURL != "" {
		return Cover{Pack: p.ID, Address: imageproxy.Path(imageproxy.Thing, p.CoverImageURL)}
	}
	path, sources := p.drawnCover().Path()
	return Cover{p.ID, path, sources}
}

// drawnCover describes the cover that we draw for the pack.
func (p Pack) drawnCover() art.Cover {
	return art.Cover{ID: p.ID, Name: p.Name, Series: strings.Join(p.Series[:min(1, len(p.Series))], "")}
}

// Covers lists the covers of the packs shown in the store, in store order.
func (s *Service) Covers(ctx context.Context) (covers []Cover, err error) {
	err = s.DB.Read(ctx, func(tx *db.Tx) error {
		packs, err := activePacks(tx)
		for _, p := range packs {
			if !p.HiddenFromStore {
				covers = append(covers, p.Cover())
			}
		}
		return err
	})
	return covers, err
}

// picture draws a pack's picture.
func (s *Service) picture(ctx context.Context, id string) ([]byte, error) {
	var p Pack
	err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		p, err = byID(tx, id)
		return err
	})
	if err != nil {
		return nil, err
	}
	return art.DrawCover(p.drawnCover()), nil
}

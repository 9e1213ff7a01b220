package packs

import (
	"context"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/httpcache"
)

// cacheLife is how long responses are cached. Changes by other nodes or by commands don't
// invalidate this node's cache; they show up when it expires.
const cacheLife = 250 * time.Millisecond

// responseCache caches a node's public responses about packs.
type responseCache struct {
	packs   *httpcache.Cache[struct{}, *httpapi.List[PackView]]
	details *httpcache.Cache[detailInput, PackDetail]
}

type detailInput struct {
	ID httpapi.PathID `path:"id"`
}

func (s *Service) newResponseCache() *responseCache {
	return &responseCache{
		packs: httpcache.New(s.DB.Now, cacheLife, func(ctx context.Context, _ struct{}) (*httpapi.List[PackView], error) {
			return list(ctx, s, activePacks, (*LivePack).view)
		}),
		details: httpcache.New(s.DB.Now, cacheLife, s.detail),
	}
}

// invalidateCache invalidates the node's cache after tx commits. Call it when tx changes packs or
// their items.
func (s *Service) invalidateCache(tx *db.Tx) {
	if s.cache == nil { // this node serves no requests
		return
	}
	tx.AfterCommit(func() {
		s.cache.packs.Invalidate()
		s.cache.details.Invalidate()
	})
}

func (s *Service) detail(ctx context.Context, in detailInput) (v PackDetail, err error) {
	err = s.DB.Read(ctx, func(tx *db.Tx) error {
		p, err := byID(tx, string(in.ID))
		if err != nil {
			return err
		}
		live, err := s.livePackOf(tx, p)
		if err != nil {
			return err
		}
		v, err = live.detail(tx)
		return err
	})
	return v, err
}

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
	packs   *httpcache.Cache[struct{}, *httpapi.List[StorePackView]]
	details *httpcache.Cache[detailInput, PackDetail]
	cards   *httpcache.Cache[cardsInput, *httpapi.List[CardView]]
}

type detailInput struct {
	ID httpapi.PathID `path:"id"`
}

func (s *Service) newResponseCache() *responseCache {
	return &responseCache{
		packs:   httpcache.New(s.DB.Now, cacheLife, s.store),
		details: httpcache.New(s.DB.Now, cacheLife, s.detail),
		cards:   httpcache.New(s.DB.Now, cacheLife, s.listCards),
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
		s.cache.cards.Invalidate()
	})
}

// store returns the packs on sale, in store order.
func (s *Service) store(ctx context.Context, _ struct{}) (*httpapi.List[StorePackView], error) {
	list := &httpapi.List[StorePackView]{}
	err := s.DB.Read(ctx, func(tx *db.Tx) error {
		live, err := s.OnSale(tx)
		if err != nil {
			return err
		}
		list.Body, err = s.storeViews(tx, live)
		return err
	})
	return list, err
}

func (s *Service) detail(ctx context.Context, in detailInput) (v PackDetail, err error) {
	err = s.readLivePack(ctx, s.DB.Read, string(in.ID), func(tx *db.Tx, live *LivePack) error {
		v, err = s.detailView(tx, live)
		return err
	})
	return v, err
}

// readLivePack calls fn with a pack in a transaction of read, which is DB.Read or DB.Search.
func (s *Service) readLivePack(ctx context.Context, read func(context.Context, func(*db.Tx) error) error, id string, fn func(*db.Tx, *LivePack) error) error {
	return read(ctx, func(tx *db.Tx) error {
		p, err := byID(tx, id)
		if err != nil {
			return err
		}
		live, err := s.livePackOf(tx, p)
		if err != nil {
			return err
		}
		return fn(tx, live)
	})
}

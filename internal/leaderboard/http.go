package leaderboard

import (
	"context"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/httpcache"
	"kaibao/internal/money"
)

// ActivityView is a recent open with its best item (specification, section 3).
type ActivityView struct {
	ID        string       `json:"id" doc:"Id of this record only. It isn't the open's id, which would link it to the player's pseudonym in the public log."`
	User      ActivityUser `json:"user"`
	Pack      ActivityPack `json:"pack"`
	Best      PullView     `json:"best"`
	CreatedAt string       `json:"createdAt" doc:"Rounded to the minute."`
}

// ActivityUser is the player who opened the pack; only their chosen name is shown.
type ActivityUser struct {
	FirstName string `json:"firstName" doc:"Empty if the user has no name."`
	Handle    string `json:"handle,omitempty" doc:"Absent unless the user's profile is public."`
}

// ActivityPack is the opened pack.
type ActivityPack struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	NameZH string `json:"nameZh,omitempty" doc:"Chinese name; absent if it has none."`
}

// PullView is the most valuable item of an open.
type PullView struct {
	ID         string      `json:"id" doc:"Id of the item, not of the copy."`
	Name       string      `json:"name"`
	ImageURL   string      `json:"imageUrl"`
	Series     string      `json:"series"`
	Rarity     string      `json:"rarity" enum:"Common,Rare,Epic,Legendary,Mythic,Grail"`
	ValueCents money.Cents `json:"valueCents" doc:"Value in the manifest of the draw."`
}

// LeaderView is a place in a ranking (specification, section 3).
type LeaderView struct {
	Rank            int64  `json:"rank" doc:"From 1. Players with the same value share a rank."`
	Username        string `json:"username" doc:"Empty if the user has no name."`
	Number          int64  `json:"number" doc:"Distinguishes players without a name; the same on every leaderboard."`
	ProfileImageURL string `json:"profileImageUrl"`
	Handle          string `json:"handle,omitempty" doc:"Absent unless the user's profile is public."`
	Value           int64  `json:"value" doc:"Cents, or a number of packs for PACKS."`
}

// MyRank is the caller's own place.
type MyRank struct {
	Rank     *int64 `json:"rank" nullable:"true" doc:"null before the caller's first pack of the period."`
	Value    int64  `json:"value"`
	Position *int64 `json:"position" nullable:"true" doc:"Index of the caller in the list of leaders, from 0; null if not in it."`
}

// RankingQuery selects a ranking.
type RankingQuery struct {
	Period Period `query:"period" enum:"WEEKLY,ALL_TIME" default:"ALL_TIME" doc:"WEEKLY starts on Monday, 00:00 UTC."`
	Metric Metric `query:"metric" enum:"VOLUME,PACKS,TOP_PULL" default:"VOLUME"`
}

type leaderboardInput struct {
	RankingQuery
	Limit int `query:"limit" minimum:"1" maximum:"200" default:"60"`
}

func (in RankingQuery) ranking(tx *db.Tx) ranking { return ranking{in.Period.span(tx.Now), in.Metric} }

// Service serves the public views of opens and rankings.
type Service struct {
	db      *db.DB
	latest  *httpcache.Cache[struct{}, *httpapi.List[ActivityView]]
	leaders *httpcache.Cache[leaderboardInput, *httpapi.List[LeaderView]]
}

// cacheLife is how long shared responses are cached.
const cacheLife = time.Second

// New returns a Service.
func New(d *db.DB) *Service {
	return &Service{
		db: d,
		latest: httpcache.New(d.Now, cacheLife, func(ctx context.Context, _ struct{}) (list *httpapi.List[ActivityView], err error) {
			err = d.Peek(ctx, func(tx *db.Tx) error { list, err = readLatest(tx); return err })
			return list, err
		}),
		leaders: httpcache.New(d.Now, cacheLife, func(ctx context.Context, in leaderboardInput) (list *httpapi.List[LeaderView], err error) {
			err = d.Read(ctx, func(tx *db.Tx) error { list, err = readBoard(tx, in.ranking(tx), in.Limit); return err })
			return list, err
		}),
	}
}

func readLatest(tx *db.Tx) (*httpapi.List[ActivityView], error) {
	found, err := latestActivities(tx, recentSize)
	views := make([]ActivityView, len(found))
	for n, a := range found {
		views[n] = a.view()
	}
	return &httpapi.List[ActivityView]{Body: views}, err
}

// Opens returns the public views of the opens with the given ids, keyed by id.
func Opens(tx *db.Tx, ids []string) (map[string]ActivityView, error) {
	found, err := activitiesByID(tx, ids)
	views := make(map[string]ActivityView, len(found))
	for _, a := range found {
		views[a.OpeningID] = a.view()
	}
	return views, err
}

// Invalidate drops this node's cache after a user has changed their name or picture. Other nodes'
// caches expire within a second.
func (s *Service) Invalidate() {
	s.latest.Invalidate()
	s.leaders.Invalidate()
}

// Latest returns the public views of the latest opens.
func (s *Service) Latest(ctx context.Context) ([]ActivityView, error) {
	list, err := s.latest.Get(ctx, struct{}{})
	if err != nil {
		return nil, err
	}
	return list.Body, nil
}

// Routes registers the endpoints for latest opens and rankings.
func (s *Service) Routes(api *httpapi.API) {
	httpcache.SharedCached(api, httpapi.Get(httpapi.Public, "/api/activity/recent", "list-recent-activity", "Latest opens by all users, newest first"), s.latest)
	httpcache.SharedCached(api, httpapi.Get(httpapi.Public, "/api/leaderboard", "list-leaders", "Leaders by metric and period; X-Total-Count is the number of players"), s.leaders)
	httpapi.JSON(api, httpapi.Get(httpapi.Session, "/api/leaderboard/me", "get-my-rank", "The caller's rank"),
		func(ctx context.Context, in *RankingQuery) (mine MyRank, err error) {
			err = s.db.Read(ctx, func(tx *db.Tx) error {
				mine, err = myRank(tx, in.ranking(tx), httpapi.Caller(ctx).UserID)
				return err
			})
			return mine, err
		})
}

func (a Activity) view() ActivityView {
	item := a.Best.Item
	return ActivityView{
		ID: a.PublicID(), User: ActivityUser{FirstName: a.FirstName, Handle: a.Handle}, Pack: ActivityPack{ID: a.PackID, Name: a.PackName, NameZH: a.PackNameZH},
		Best: PullView{
			ID: item.ID, Name: item.Name, ImageURL: item.Picture(), Series: item.Series, Rarity: item.Rarity, ValueCents: a.Best.Value,
		},
		CreatedAt: httpapi.Timestamp(a.Minute()),
	}
}

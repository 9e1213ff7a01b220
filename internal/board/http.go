package board

import (
	"context"

	"kaibao/internal/db"
	"kaibao/internal/httpkit"
	"kaibao/internal/money"
)

// ActivityView is an activity record as the specification's section 3 writes it,
// with the best item of the open.
type ActivityView struct {
	ID        string       `json:"id" doc:"Of this record alone: the open's own id stands in the public log beside the player's pseudonym."`
	User      ActivityUser `json:"user"`
	Pack      ActivityPack `json:"pack"`
	Best      PullView     `json:"best"`
	CreatedAt string       `json:"createdAt" doc:"To the minute."`
}

// ActivityUser is who opened: no more than the name that they chose to show.
type ActivityUser struct {
	FirstName string `json:"firstName" doc:"Empty without one."`
}

// ActivityPack is what was opened.
type ActivityPack struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// PullView is the most valuable item that came out.
type PullView struct {
	Name       string      `json:"name"`
	ImageURL   string      `json:"imageUrl"`
	Series     string      `json:"series"`
	Rarity     string      `json:"rarity" enum:"Common,Rare,Epic,Legendary,Mythic,Grail"`
	ValueCents money.Cents `json:"valueCents" doc:"In the manifest that it was drawn by."`
}

// Routes registers what everybody may see of the opens. The function it gives is to
// be called when somebody shows another name or picture: what this node remembers
// for all is dropped, other nodes keep theirs for a second at most.
func Routes(k *httpkit.Kit) (forget func()) {
	latest := newCache(k.DB, func(tx *db.Tx, _ struct{}) ([]Activity, error) { return recent(tx, recentSize) })
	httpkit.Shared(k, httpkit.Get(httpkit.Public, "/api/activity/recent", "list-recent-activity", "The latest opens of everybody, newest first"),
		func(ctx context.Context, _ *struct{}) (*httpkit.List[ActivityView], error) {
			found, err := latest.get(ctx, struct{}{})
			list := &httpkit.List[ActivityView]{Body: make([]ActivityView, len(found))}
			for n, a := range found {
				list.Body[n] = a.view()
			}
			return list, err
		})
	boards := leaderboardRoutes(k)
	return func() {
		latest.forget()
		boards.forget()
	}
}

func (a Activity) view() ActivityView {
	item := a.Best.Item
	return ActivityView{
		ID: a.Handle(), User: ActivityUser{FirstName: a.FirstName}, Pack: ActivityPack{ID: a.PackID, Name: a.PackName},
		Best: PullView{
			Name: item.Name, ImageURL: item.Picture(), Series: item.Series, Rarity: item.Rarity, ValueCents: a.Best.Value,
		},
		CreatedAt: httpkit.Timestamp(a.Minute()),
	}
}

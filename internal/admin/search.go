package admin

import (
	"context"
	"strings"

	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/policy"
)

// Hit is something that the search found.
type Hit struct {
	Kind          hitKind `json:"kind" enum:"user,open,entry,deposit,payment,claim,bid,trade,transfer"`
	ID            string  `json:"id" doc:"The id of what was found. For a payment, the provider's id."`
	UserID        string  `json:"userId,omitempty" doc:"Whose it is. Absent for a payment that belongs to no deposit."`
	WalletAddress string  `json:"walletAddress,omitempty"`
	FirstName     string  `json:"firstName,omitempty"`
}

// hitKind is the kind of a Hit.
type hitKind string

type searchInput struct {
	Q string `query:"q" maxLength:"100" doc:"A wallet address or its start, the start of a name, a user tag, a transaction signature, or the id of a user, open, entry, deposit, payment, claim, bid, trade, listing or transfer."`
}

func searchRoutes(api *httpapi.API) {
	httpapi.Handle(api, httpapi.Get(httpapi.Admin, "/api/admin/search", "search-users", "Find users, and what belongs to them by its id"),
		func(ctx context.Context, in *searchInput) (*httpapi.List[Hit], error) {
			list := &httpapi.List[Hit]{Body: []Hit{}}
			text := strings.TrimSpace(in.Q)
			if text == "" {
				return list, nil
			}
			err := api.DB.Search(ctx, func(tx *db.Tx) (err error) {
				list.Body, err = search(tx, text)
				return err
			})
			return list, err
		})
}

// search returns the matches of a text, those of a whole id first. No match by id leaves out an exact
// one by name, because names can look like ids.
func search(tx *db.Tx, text string) ([]Hit, error) {
	found, err := findByID(tx, text)
	if err != nil {
		return nil, err
	}
	named, err := findByName(tx, text, policy.MaxSearchHits)
	hits := []Hit{}
	seen := map[Hit]bool{}
	for _, h := range append(found, named...) {
		if !seen[h] && len(hits) < policy.MaxSearchHits {
			hits = append(hits, h)
		}
		seen[h] = true
	}
	return hits, err
}

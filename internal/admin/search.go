package admin

import (
	"context"
	"slices"
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
	Handle        string  `json:"handle,omitempty"`
}

// hitKind is the kind of a Hit.
type hitKind string

type searchInput struct {
	Q string `query:"q" maxLength:"300" doc:"A wallet address or its start, the start of a name or handle, a user tag, a transaction signature, the token of a charge, or the id of a user, open, entry, deposit, payment, claim, bid, trade, listing or transfer. Also the first 8 or more characters of an id, an address, signature or id shortened as start...end, and a link to any of them."`
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
	parsed := parseSearchText(text)
	found, err := findByID(tx, parsed.whole)
	if err != nil {
		return nil, err
	}
	shortened, err := findShortened(tx, parsed)
	if err != nil {
		return nil, err
	}
	handled, err := findByHandle(tx, handleOf(text), policy.MaxSearchHits)
	if err != nil {
		return nil, err
	}
	named, err := findByName(tx, text, policy.MaxSearchHits)
	hits := []Hit{}
	seen := map[Hit]bool{}
	for _, h := range slices.Concat(found, shortened, handled, named) {
		if !seen[h] && len(hits) < policy.MaxSearchHits {
			hits = append(hits, h)
		}
		seen[h] = true
	}
	return hits, err
}

// findShortened finds users by the start of their address, deposits by a shortened signature, and
// anything by the start of its id. If the text has an end, too, it must match.
func findShortened(tx *db.Tx, text searchText) (hits []Hit, err error) {
	if len(text.start) > 0 {
		hits, err = findByAddress(tx, text, policy.MaxSearchHits)
	}
	if err == nil && text.end != "" {
		var paid []Hit
		paid, err = findBySignature(tx, text, policy.MaxSearchHits)
		hits = append(hits, paid...)
	}
	first, last, ok := idRange(text.start)
	if err == nil && ok && first != last {
		var started []Hit
		started, err = findByIDRange(tx, first, last, strings.ToLower(text.end), policy.MaxSearchHits)
		hits = append(hits, started...)
	}
	return hits, err
}

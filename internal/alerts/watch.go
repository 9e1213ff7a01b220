package alerts

import (
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/fault"
	"kaibao/internal/money"
	"kaibao/internal/terms"
)

// watched is an item that a user watches.
type watched struct {
	id     string
	item   string
	below  money.Cents // told of at this price or less; 0 = never
	lowest money.Cents // for which others offer it now; 0 = nobody does
}

var (
	errManyWatches  = fault.New(fault.LimitReached, "Your watchlist is full. Take an item off it first.")
	errManySearches = fault.New(fault.LimitReached, "You have saved as many searches as can be kept. Delete one first.")
	errNoWatch      = fault.Missing("Watched item")
	errNoSearch     = fault.Missing("Saved search")
)

// watch puts an item on a user's watchlist, or changes below which price they are told; 0 =
// at none.
func watch(tx *db.Tx, user, item string, below money.Cents) error {
	if err := fault.Within("belowCents", int64(below), 0, int64(terms.HighestPrice)); err != nil {
		return err
	}
	if _, err := catalogue.Find(tx, item); err != nil {
		return err
	}
	if err := lock(tx, user); err != nil {
		return err
	}
	if err := saveWatch(tx, user, watched{id: tx.NewID(), item: item, below: below}); err != nil {
		return err
	}
	number, err := countOf(tx, "watches", user)
	if err == nil && number > terms.MostWatched {
		err = errManyWatches
	}
	return err
}

package alerts

import (
	"kaibao/internal/apperr"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// watched is a line of a user's watchlist.
type watched struct {
	id     string
	item   string
	below  money.Cents // alert at this price or less; 0 = never
	lowest money.Cents // the lowest price of others' listings; 0 = none
}

var (
	errManyWatches  = apperr.New(apperr.LimitReached, "Your watchlist is full. Remove an item first.")
	errManySearches = apperr.New(apperr.LimitReached, "You have reached the limit of saved searches. Delete one first.")
	errNoWatch      = apperr.Missing("Watched item")
	errNoSearch     = apperr.Missing("Saved search")
)

// watch adds an item to a user's watchlist, or changes its alert price; 0 = no alert.
func watch(tx *db.Tx, user, item string, below money.Cents) error {
	if err := apperr.Within("belowCents", int64(below), 0, int64(policy.HighestPrice)); err != nil {
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
	if err == nil && number > policy.MostWatched {
		err = errManyWatches
	}
	return err
}

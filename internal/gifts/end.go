package gifts

import (
	"context"
	"time"

	"kaibao/internal/alerts"
	"kaibao/internal/db"
	"kaibao/internal/identity"
	"kaibao/internal/inventory"
	"kaibao/internal/jobs"
)

// End ends the gifts of a user who takes a time-out or excludes themselves. Gifts that the user gave
// return to them. Gifts for the user's wallet are withheld from the user for good; to their givers
// they look like waiting ones until they expire.
func End(tx *db.Tx, user string) error {
	returning, err := endOrWithhold(tx, user)
	if err != nil || len(returning) == 0 {
		return err
	}
	return applyToEntries(tx, inventory.ReturningGift, inventory.House, returning)
}

// EndWithListings is End for a user who is frozen, becomes an admin or asks for deletion. It also ends
// the user's listings, because the entries of both are locked together.
func EndWithListings(tx *db.Tx, user string) error {
	returning, err := endOrWithhold(tx, user)
	if err != nil {
		return err
	}
	gifts := map[string]string{}
	for _, item := range returning {
		gifts[item.Entry] = item.Gift
	}
	return inventory.EndOffers(tx, user, gifts)
}

// endOrWithhold locks a user's waiting gifts. It ends those that the user gave and withholds those for
// the user's wallet. It returns the items of the ended gifts, whose entries the caller must return.
func endOrWithhold(tx *db.Tx, user string) ([]Item, error) {
	u, err := identity.ByID(tx, user)
	if err != nil {
		return nil, err
	}
	ids, err := waitingIDs(tx, u.ID, u.Address)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	locked, err := lockGifts(tx, ids)
	if err != nil {
		return nil, err
	}
	var given, withheld []Gift
	for _, g := range locked {
		switch {
		case g.State != Waiting:
		case g.Giver == user:
			g.State, g.EndedAt = Ended, tx.Now
			given = append(given, g)
		case g.WithheldAt.IsZero():
			withheld = append(withheld, g)
		}
	}
	if err := withhold(tx, giftIDs(withheld)); err != nil || len(given) == 0 {
		return nil, err
	}
	items, err := lockItems(tx, giftIDs(given))
	if err != nil {
		return nil, err
	}
	return items, endGifts(tx, given)
}

// ReturnReceived ends the gifts that wait for a deleted user's wallet and returns them to their givers.
func ReturnReceived(tx *db.Tx, user string) error {
	u, err := identity.ByID(tx, user)
	if err != nil {
		return err
	}
	ids, err := waitingIDs(tx, u.ID, u.Address)
	if err != nil {
		return err
	}
	return returnWaiting(tx, ids, func(g Gift) bool { return g.Giver != user }, Ended)
}

// returnWaiting locks gifts, and ends and returns those that still wait and are due. state is their final
// state.
func returnWaiting(tx *db.Tx, ids []string, due func(Gift) bool, state State) error {
	if len(ids) == 0 {
		return nil
	}
	locked, err := lockGifts(tx, ids)
	if err != nil {
		return err
	}
	var ended []Gift
	for _, g := range locked {
		if g.State == Waiting && due(g) {
			g.State, g.EndedAt = state, tx.Now
			ended = append(ended, g)
		}
	}
	if len(ended) == 0 {
		return nil
	}
	if err := returnEntries(tx, ended, inventory.House); err != nil {
		return err
	}
	if err := endGifts(tx, ended); err != nil || state != Expired {
		return err
	}
	return alertGivers(tx, ended, alerts.GiftExpired)
}

const (
	expiryInterval = 5 * time.Second
	expiryTimeout  = time.Minute
	endedPerTx     = 25 // gifts of up to policy.MaxGiftItems entries
)

// Jobs returns the job that returns expired gifts.
func Jobs(d *db.DB) []jobs.Job {
	return []jobs.Job{{Name: "expired gifts", Every: expiryInterval, Limit: expiryTimeout, Do: func(ctx context.Context) (int64, error) {
		return 0, endExpired(ctx, d)
	}}}
}

// endExpired returns all gifts that have expired, and alerts their givers.
func endExpired(ctx context.Context, d *db.DB) error {
	for {
		var expired []string
		err := d.Peek(ctx, func(tx *db.Tx) (err error) {
			expired, err = expiredIDs(tx, endedPerTx)
			return err
		})
		if err != nil || len(expired) == 0 {
			return err
		}
		err = d.InTx(ctx, func(tx *db.Tx) error {
			return returnWaiting(tx, expired, func(g Gift) bool { return g.stateAt(tx.Now) == Expired }, Expired)
		})
		if err != nil {
			return err
		}
	}
}

package match

import (
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/inventory"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// FarPrice is the detail of errConfirm for a price far from the value. The user repeats the price
// to confirm it.
type FarPrice struct {
	ValueCents money.Cents `json:"valueCents"`
	HouseCents money.Cents `json:"houseCents" doc:"Kaibao's current offer to the owner; 0 if it doesn't matter for the call."`
}

// FarLines is the same for a call with several lines.
type FarLines struct {
	Lines []FarLine `json:"lines" nullable:"false"`
}

// FarLine is one line whose price is far from the item's value.
type FarLine struct {
	InventoryID string `json:"inventoryId"`
	FarPrice
}

var (
	errConfirm = apperr.New(apperr.ConfirmPrice, "This price is far from the item's value. Check it, then confirm it.")
	errTooFar  = apperr.New(apperr.Invalid, "This price is too far above the item's value.")
)

// tooFar reports whether a price is too far above the value to trade at. Sandboxes have no such
// limit.
func (s *Service) tooFar(price, value money.Cents) bool {
	return !s.Sandbox && price > policy.MaxTradeFactor*value
}

func checkPrice(field string, price money.Cents) error {
	return apperr.CheckRange(field, int64(price), 1, int64(policy.MaxPrice))
}

// confirmSale asks for confirmation if the owner would sell for less than Kaibao's offer, or asks
// for more than highest.
func confirmSale(e inventory.Entry, price, confirmed, highest money.Cents, now time.Time) error {
	house := e.Quote(now).Payout
	if price == confirmed || price >= house && price <= highest {
		return nil
	}
	return errConfirm.WithDetails(FarPrice{ValueCents: e.QuoteValue, HouseCents: house})
}

// confirmAsk asks for confirmation of an owner's price for an entry if it is below Kaibao's offer
// or at least policy.FarListing times the value.
func confirmAsk(e inventory.Entry, price, confirmed money.Cents, now time.Time) error {
	return confirmSale(e, price, confirmed, policy.FarListing*e.QuoteValue-1, now)
}

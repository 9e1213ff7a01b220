package market

import (
	"fmt"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/inventory"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// FarPrice is what somebody should know whose price is far from the value: they say the
// price again to go on.
type FarPrice struct {
	ValueCents money.Cents `json:"valueCents"`
	HouseCents money.Cents `json:"houseCents" doc:"What the house would pay the owner now; 0 where that is not asked about."`
}

// FarLines are the lines of a call with several whose prices are far from the value.
type FarLines struct {
	Lines []FarLine `json:"lines" nullable:"false"`
}

// FarLine is one of them.
type FarLine struct {
	InventoryID string `json:"inventoryId"`
	FarPrice
}

var (
	errConfirm = apperr.New(apperr.ConfirmPrice, "This price is far from what the item is worth. Look at it again, and confirm it.")
	errTooFar  = apperr.New(apperr.Invalid, "Nothing is traded so far above its value.")
)

// tooFar tells whether something must not be traded for a price: where points are money,
// for one far above its value.
func (s *Service) tooFar(price, value money.Cents) bool {
	return !s.Sandbox && price > policy.FarthestTrade*value
}

func checkPrice(field string, price money.Cents) error {
	return apperr.Within(field, int64(price), 1, int64(policy.HighestPrice))
}

// confirmSale asks an owner again who would sell for less than the house pays, or asks for
// more than highest.
func confirmSale(e inventory.Entry, price, confirmed, highest money.Cents, now time.Time) error {
	house := e.Quote(now).Payout
	if price == confirmed || price >= house && price <= highest {
		return nil
	}
	return errConfirm.WithDetails(FarPrice{ValueCents: e.QuoteValue, HouseCents: house})
}

// field names a field of a call, or of a line of one that has several.
func field(name string, line, lines int) string {
	if lines == 1 {
		return name
	}
	return fmt.Sprintf("lines[%d].%s", line, name)
}

// inLine says in which line of several a refusal is.
func inLine(err error, line, lines int) error {
	refusal := apperr.As(err)
	if lines == 1 || refusal.Code == apperr.Internal {
		return err
	}
	return refusal.WithFields(map[string]string{fmt.Sprintf("lines[%d]", line): refusal.Message})
}

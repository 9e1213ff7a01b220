package sellback

import (
	"kaibao/internal/action"
	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/inventory"
	"kaibao/internal/money"
)

// Receipt is the response to a seller.
type Receipt struct {
	PayoutCents  money.Cents `json:"payoutCents"`
	BalanceCents money.Cents `json:"balanceCents"`
	Sold         []Line      `json:"sold" nullable:"false" doc:"In the requested order."`
}

// Line is a sold entry and its payout.
type Line struct {
	InventoryID string          `json:"inventoryId"`
	PayoutCents money.Cents     `json:"payoutCents"`
	Quote       inventory.Basis `json:"quote" enum:"floor,value" doc:"Basis of the price: the quote at the draw, or the quote value now."`
}

type sellInput struct {
	action.Idempotent
	Body struct {
		InventoryIDs   []httpapi.ID `json:"inventoryIds" minItems:"1" maxItems:"100" doc:"All are sold, or none."`
		MinPayoutCents money.Cents  `json:"minPayoutCents,omitempty" minimum:"1" maximum:"10000000000" doc:"Sell nothing if the total is less."`
	}
}

// Routes registers the sell-back routes.
func (s *Service) Routes(api *httpapi.API) {
	s.adminRoutes(api)
	action.Handle(api, httpapi.Post(httpapi.Customer, "/api/inventory/sell-back", "sell-back", "Sell items back to Kaibao",
		apperr.NotFound, apperr.AlreadyListed, apperr.AlreadySold, apperr.GiftWaiting, apperr.Conflict, apperr.PriceChanged, apperr.SwitchedOff),
		func(tx *db.Tx, caller httpapi.Principal, in *sellInput) (Receipt, error) {
			sold, err := s.sell(tx, caller.UserID, httpapi.IDStrings(in.Body.InventoryIDs), in.Body.MinPayoutCents)
			return receipt(sold), err
		})
}

func receipt(s Result) Receipt {
	r := Receipt{PayoutCents: s.Payout, BalanceCents: s.Balance, Sold: make([]Line, len(s.SellBacks))}
	for n, b := range s.SellBacks {
		r.Sold[n] = Line{InventoryID: b.ID, PayoutCents: b.Payout, Quote: b.By}
	}
	return r
}

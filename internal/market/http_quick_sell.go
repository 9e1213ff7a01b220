package market

import (
	"context"

	"kaibao/internal/action"
	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/market/match"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// Offers is what a set of entries would bring now.
type Offers struct {
	TotalCents money.Cents `json:"totalCents"`
	Lines      []Offer     `json:"lines" nullable:"false" doc:"In the requested order."`
}

// Offer is what one entry would bring, and who pays it.
type Offer struct {
	InventoryID     string       `json:"inventoryId"`
	HouseCents      money.Cents  `json:"houseCents" doc:"Kaibao's offer."`
	FloorUntil      *string      `json:"floorUntil,omitempty" doc:"End of the price floor from the draw."`
	BestBidCents    *money.Cents `json:"bestBidCents,omitempty" doc:"Highest bid still available for this item."`
	BestBidNetCents *money.Cents `json:"bestBidNetCents,omitempty" doc:"The same after the fee."`
	Best            string       `json:"best" enum:"house,bid" doc:"Source of the highest offer."`
	PayoutCents     money.Cents  `json:"payoutCents" doc:"The highest offer, after the fee."`
}

// QuickSale is the result of a quick sell.
type QuickSale struct {
	PayoutCents  money.Cents `json:"payoutCents"`
	Sold         []QuickLine `json:"sold" nullable:"false" doc:"In the requested order."`
	BalanceCents money.Cents `json:"balanceCents"`
}

// QuickLine is what one entry brought, and who bought it.
type QuickLine struct {
	InventoryID string      `json:"inventoryId"`
	PayoutCents money.Cents `json:"payoutCents"`
	To          string      `json:"to" enum:"house,bid"`
}

type quotesInput struct {
	Body struct {
		InventoryIDs []httpapi.ID `json:"inventoryIds" minItems:"1" maxItems:"1000" doc:"More than 100 are quoted as if sold in batches of 100, in this order."`
	}
}

type quickInput struct {
	action.Idempotent
	Body struct {
		InventoryIDs   []httpapi.ID `json:"inventoryIds" minItems:"1" maxItems:"100" doc:"All are sold, or none."`
		MinPayoutCents money.Cents  `json:"minPayoutCents,omitempty" minimum:"1" maximum:"10000000000" doc:"Sell nothing if the total is less."`
	}
}

func (s *Service) quickSellRoutes(api *httpapi.API) {
	refusals := []apperr.Code{apperr.NotFound, apperr.AlreadyListed, apperr.AlreadySold, apperr.GiftWaiting, apperr.Conflict, apperr.NoBuyer}
	httpapi.JSON(api, httpapi.Post(httpapi.Session, "/api/inventory/quotes", "quote-sell-back", "Current offers for entries: Kaibao's and the best bids", refusals...).WithBodyLimit(policy.MaxQuoteBody),
		func(ctx context.Context, in *quotesInput) (o Offers, err error) {
			err = s.DB.Read(ctx, func(tx *db.Tx) error {
				lots, err := s.Match.Quote(tx, httpapi.Caller(ctx).UserID, httpapi.IDStrings(in.Body.InventoryIDs))
				o = offersView(tx, lots)
				return err
			})
			return o, err
		})
	action.Handle(api, httpapi.Post(httpapi.Customer, "/api/inventory/quick-sell", "quick-sell", "Sell each entry to the highest offer", append(refusals, apperr.PriceChanged)...),
		func(tx *db.Tx, caller httpapi.Principal, in *quickInput) (QuickSale, error) {
			lots, balance, err := s.Match.QuickSell(tx, caller.UserID, httpapi.IDStrings(in.Body.InventoryIDs), in.Body.MinPayoutCents)
			return quickSaleView(lots, balance), err
		})
}

func offersView(tx *db.Tx, lots []match.Lot) Offers {
	o := Offers{Lines: make([]Offer, len(lots))}
	for i, l := range lots {
		o.Lines[i] = Offer{InventoryID: l.ID, HouseCents: l.HouseQuote, Best: buyerKind(l), PayoutCents: l.Payout()}
		if tx.Now.Before(l.SellBackUntil) {
			o.Lines[i].FloorUntil = l.FloorUntil()
		}
		if l.BestBid > 0 {
			price, net := l.BestBid, l.BestBidNet()
			o.Lines[i].BestBidCents, o.Lines[i].BestBidNetCents = &price, &net
		}
		o.TotalCents += l.Payout()
	}
	return o
}

// buyerKind returns who buys the entry, as in the API.
func buyerKind(l match.Lot) string {
	if l.ToBid() {
		return "bid"
	}
	return "house"
}

func quickSaleView(lots []match.Lot, balance money.Cents) QuickSale {
	q := QuickSale{Sold: make([]QuickLine, len(lots)), BalanceCents: balance}
	for i, l := range lots {
		q.Sold[i] = QuickLine{InventoryID: l.ID, PayoutCents: l.Payout(), To: buyerKind(l)}
		q.PayoutCents += l.Payout()
	}
	return q
}

package sellback

import (
	"context"

	"kaibao/internal/collection"
	"kaibao/internal/db"
	"kaibao/internal/fault"
	"kaibao/internal/httpkit"
	"kaibao/internal/money"
)

// Offers is what a set of entries would bring now.
type Offers struct {
	TotalCents money.Cents `json:"totalCents"`
	Lines      []Offer     `json:"lines" nullable:"false" doc:"In the order asked for."`
}

// Offer is what one entry would bring, and who pays it.
type Offer struct {
	InventoryID string      `json:"inventoryId"`
	HouseCents  money.Cents `json:"houseCents" doc:"What the house pays."`
	FloorUntil  *string     `json:"floorUntil,omitempty" doc:"Until then the quote of the draw is a floor."`
	Best        string      `json:"best" enum:"house" doc:"Who pays most."`
	PayoutCents money.Cents `json:"payoutCents" doc:"What they pay."`
}

// Receipt is the answer to a seller.
type Receipt struct {
	PayoutCents  money.Cents `json:"payoutCents"`
	BalanceCents money.Cents `json:"balanceCents"`
	Sold         []Line      `json:"sold" nullable:"false" doc:"In the order asked for."`
}

// Line is what one entry brought.
type Line struct {
	InventoryID string           `json:"inventoryId"`
	PayoutCents money.Cents      `json:"payoutCents"`
	Quote       collection.Basis `json:"quote" enum:"floor,value" doc:"By what it was paid: the quote of its draw, or the current value."`
}

type quotesInput struct {
	Body struct {
		InventoryIDs []httpkit.ID `json:"inventoryIds" minItems:"1" maxItems:"100" uniqueItems:"true"`
	}
}

type sellInput struct {
	httpkit.Idempotent
	Body struct {
		InventoryIDs   []httpkit.ID `json:"inventoryIds" minItems:"1" maxItems:"100" uniqueItems:"true" doc:"All are sold, or none."`
		MinPayoutCents money.Cents  `json:"minPayoutCents,omitempty" minimum:"1" maximum:"10000000000" doc:"Nothing is sold where they bring less in all."`
	}
}

// Routes registers quotes and the sell-back.
func (s *Service) Routes(k *httpkit.Kit) {
	s.adminRoutes(k)
	httpkit.JSON(k, httpkit.Post(httpkit.Session, "/api/inventory/quotes", "quote-sell-back", "What a sell-back would pay now",
		fault.NotFound, fault.AlreadyListed, fault.AlreadySold, fault.Conflict),
		func(ctx context.Context, in *quotesInput) (o Offers, err error) {
			err = s.DB.Read(ctx, func(tx *db.Tx) error {
				entries, err := quotes(tx, httpkit.Caller(ctx).UserID, texts(in.Body.InventoryIDs))
				o = offers(tx, entries)
				return err
			})
			return o, err
		})
	httpkit.Act(k, httpkit.Post(httpkit.Customer, "/api/inventory/sell-back", "sell-back", "Sell items back to the house",
		fault.NotFound, fault.AlreadyListed, fault.AlreadySold, fault.Conflict, fault.PriceChanged),
		func(tx *db.Tx, caller httpkit.Principal, in *sellInput) (Receipt, error) {
			sold, err := s.sell(tx, caller.UserID, texts(in.Body.InventoryIDs), in.Body.MinPayoutCents)
			return receipt(sold), err
		})
}

func texts(ids []httpkit.ID) []string {
	list := make([]string, len(ids))
	for n, id := range ids {
		list[n] = string(id)
	}
	return list
}

func offers(tx *db.Tx, entries []collection.Entry) Offers {
	o := Offers{Lines: make([]Offer, len(entries))}
	for n, e := range entries {
		pays := e.Quote(tx.Now).Payout
		o.Lines[n] = Offer{InventoryID: e.ID, HouseCents: pays, Best: "house", PayoutCents: pays}
		if tx.Now.Before(e.SellBackUntil) {
			o.Lines[n].FloorUntil = e.FloorUntil()
		}
		o.TotalCents += pays
	}
	return o
}

func receipt(s Sold) Receipt {
	r := Receipt{PayoutCents: s.Payout, BalanceCents: s.Balance, Sold: make([]Line, len(s.Backs))}
	for n, b := range s.Backs {
		r.Sold[n] = Line{InventoryID: b.ID, PayoutCents: b.Payout, Quote: b.By}
	}
	return r
}

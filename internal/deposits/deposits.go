// Package deposits adds points to balances: through a payment provider, for free in sandbox mode,
// and by an admin's credit.
package deposits

import (
	"kaibao/internal/db"
	"kaibao/internal/deposits/helio"
	"kaibao/internal/deposits/paymentframe"
	"kaibao/internal/deposits/sandbox"
	"kaibao/internal/deposits/solana"
	"kaibao/internal/deposits/solprice"
)

// Service takes payments.
type Service struct {
	DB       *db.DB
	Name     string // the provider's: sandbox or helio
	Provider *helio.Client
	Chain    *solana.Client
	Price    *solprice.SOL
	Merchant Merchant
	Network  string // of the chain: mainnet, or sandbox
	Token    string // that the provider's webhooks are signed with
	Manual   Manual
	Frame    paymentframe.Page
	StandIn  *sandbox.Provider // of the sandbox; nil = the provider is real

	EndBids func(tx *db.Tx, user string) error // ends all that a user bids
}

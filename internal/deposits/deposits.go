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

// Service processes deposits.
type Service struct {
	DB              *db.DB
	Name            string // the provider: sandbox or helio
	Provider        *helio.Client
	Chain           *solana.Client
	Price           *solprice.Cache
	Merchant        Merchant
	Network         string // the chain: solana or sandbox
	Token           string // secret that signs the provider's webhooks
	Manual          Manual
	Frame           paymentframe.Page
	SandboxProvider *sandbox.Provider // in sandbox mode; nil = a real provider

	EndBids func(tx *db.Tx, user string) error // cancels all of a user's bids
}

// Package deposits adds points to balances: through a payment provider, for free in sandbox mode,
// and by an admin's credit.
//
// Helio is the only payment provider, and helio.Client and helio.Payment are used without an
// interface. Another provider needs a client with CreateCharge, PaymentOfCharge and
// PaymentsBetween, its statuses in verdict.go, a route for its webhooks, its checkout page in
// paymentframe, its settings in app/payments.go, and its name in the contract and the option
// --payments.
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

	checks checks
}

// Package topup brings Play Points in: for money through a payment provider, in sandbox
// mode for nothing, and from an admin.
package topup

import (
	"kaibao/internal/db"
	"kaibao/internal/topup/frame"
	"kaibao/internal/topup/helio"
	"kaibao/internal/topup/price"
	"kaibao/internal/topup/sandbox"
	"kaibao/internal/topup/solana"
)

// Service takes payments.
type Service struct {
	DB       *db.DB
	Name     string // the provider's: sandbox or helio
	Provider *helio.Client
	Chain    *solana.Client
	Price    *price.SOL
	Merchant Merchant
	Network  string // of the chain: mainnet, or sandbox
	Token    string // that the provider's webhooks are signed with
	Manual   Manual
	Frame    frame.Page
	StandIn  *sandbox.Provider // of the sandbox; nil = the provider is real

	EndBids func(tx *db.Tx, user string) error // ends all that a user bids
}

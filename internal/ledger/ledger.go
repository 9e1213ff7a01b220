// Package ledger stores money: a balance per user and one append-only row per transfer. Balances
// change only through transfers. A house account is the sum of its transfers, so that concurrent
// acts do not contend for one row.
package ledger

import (
	"strings"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/money"
)

// Account is one side of a transfer: a user's id, a user's bids, or a house account.
type Account string

// Kaibao's own accounts.
const (
	Packs   Account = "house:packs"   // pack prices
	Fees    Account = "house:fees"    // fees on sales between users
	Sandbox Account = "house:sandbox" // play money handed out in sandbox mode
	Credits Account = "house:credits" // points that an admin granted, with a reason
	Returns Account = "house:returns" // payouts for items that users sold back

	Shipping Account = "house:shipping" // shipping fees of claims
	Losses   Account = "house:losses"   // refunds for items lost in transit

	Debits   Account = "house:debits"   // points that an admin took back, with a reason
	Forfeits Account = "house:forfeits" // points given up by users who deleted their accounts

	Receivable Account = "house:receivable" // refunded payments whose points were already spent

	providerPrefix Account = "house:paid"

	bidsPrefix Account = "bids"
)

// ProviderAccount returns the house account of the payments through a provider.
func ProviderAccount(provider string) Account { return providerPrefix + ":" + Account(provider) }

// BidsAccount returns the account that holds the money of a user's open bids. It has a balance but
// no lines.
func BidsAccount(user string) Account { return bidsPrefix + ":" + Account(user) }

// HouseAccounts lists all house accounts, those of payment providers as one.
var HouseAccounts = []Account{Packs, Fees, Sandbox, Credits, Returns, Shipping, Losses, Debits, Forfeits, Receivable, providerPrefix}

// Name returns a house account's name without "house:".
func (a Account) Name() string { return strings.TrimPrefix(string(a), "house:") }

func (a Account) isHouse() bool { return strings.HasPrefix(string(a), "house:") }

// user returns the user of an account, and whether it is the account of their bids.
func (a Account) user() (id string, inBids bool) {
	id, inBids = strings.CutPrefix(string(a), string(bidsPrefix)+":")
	return id, inBids
}

// The kinds of transfers.
const (
	KindOpen           = "open"              // price of a pack
	KindOrderRefund    = "order-refund"      // price of an order that could not be drawn
	KindSale           = "sale"              // price of a listing, from buyer to seller
	KindSaleFee        = "sale-fee"          // fee on a trade, from the seller
	KindBid            = "bid"               // money held for a bid, from its bidder
	KindBidReturn      = "bid-return"        // money that a bid no longer needs
	KindBidFill        = "bid-fill"          // price of a trade, from what the buyer's bid holds
	KindCounter        = "counter"           // rest of a counter-offer's price, from the balance
	KindSellBack       = "sell-back"         // payout for an item sold back
	KindShipping       = "shipping"          // shipping fee of a claim
	KindShippingRefund = "shipping-refund"   // for a claim canceled, or lost and not replaced
	KindLossRefund     = "loss-refund"       // value of items lost in transit
	KindGrant          = "sandbox-deposit"   // free points of a sandbox
	KindAdminCredit    = "admin-credit"      // points granted by an admin
	KindDebit          = "debit"             // points taken back by an admin
	KindForfeit        = "forfeit"           // points given up with a deleted account
	KindDeposit        = "deposit"           // points bought with money
	KindRefund         = "deposit-refund"    // a refunded deposit, up to the points left
	KindShortfall      = "deposit-shortfall" // the rest of the refund, which the user owes Kaibao
)

// RefKind is the kind of object that a transfer's Ref identifies.
type RefKind string

// refKinds maps each kind of transfer to the kind of its Ref.
var refKinds = map[string]RefKind{
	KindOpen:           "open",
	KindOrderRefund:    "open",
	KindSale:           "trade",
	KindSaleFee:        "trade",
	KindBid:            "hold",
	KindBidReturn:      "hold",
	KindBidFill:        "trade",
	KindCounter:        "trade",
	KindSellBack:       "entry",
	KindShipping:       "claim",
	KindShippingRefund: "claim",
	KindLossRefund:     "claim",
	KindGrant:          "gift",
	KindAdminCredit:    "act", // an entry of the admin log
	KindDebit:          "debit",
	KindForfeit:        "deletion",
	KindDeposit:        "deposit",
	KindRefund:         "deposit",
	KindShortfall:      "deposit",
}

// flow is a pair of accounts, in which anyUser is any user's account, bidsPrefix any user's bids
// account, and providerPrefix any payment provider's account.
type flow struct{ debit, credit Account }

const anyUser Account = ""

func (t Transfer) flow() flow {
	f := flow{t.Debit, t.Credit}
	for _, side := range []*Account{&f.debit, &f.credit} {
		_, inBids := side.user()
		switch {
		case inBids:
			*side = bidsPrefix
		case !side.isHouse():
			*side = anyUser
		case strings.HasPrefix(string(*side), string(providerPrefix)+":"):
			*side = providerPrefix
		}
	}
	return f
}

// flows maps each kind of transfer to its only permitted flow.
var flows = map[string]flow{
	KindOpen:           {anyUser, Packs},
	KindOrderRefund:    {Packs, anyUser},
	KindSale:           {anyUser, anyUser},
	KindSaleFee:        {anyUser, Fees},
	KindBid:            {anyUser, bidsPrefix},
	KindBidReturn:      {bidsPrefix, anyUser},
	KindBidFill:        {bidsPrefix, anyUser},
	KindCounter:        {anyUser, anyUser},
	KindSellBack:       {Returns, anyUser},
	KindShipping:       {anyUser, Shipping},
	KindShippingRefund: {Shipping, anyUser},
	KindLossRefund:     {Losses, anyUser},
	KindGrant:          {Sandbox, anyUser},
	KindAdminCredit:    {Credits, anyUser},
	KindDebit:          {anyUser, Debits},
	KindForfeit:        {anyUser, Forfeits},
	KindDeposit:        {providerPrefix, anyUser},
	KindRefund:         {anyUser, providerPrefix},
	KindShortfall:      {Receivable, providerPrefix},
}

// Transfer moves an amount above zero from Debit to Credit. Kind and Ref together are unique, so that
// nothing is paid twice.
type Transfer struct {
	Debit, Credit Account
	Amount        money.Cents
	Kind, Ref     string // Kind is one of the constants; Ref is an id of the kind refKinds[Kind]
	Note          string // an admin's reason
}

// Line is a transfer as one user sees it.
type Line struct {
	ID        string
	Number    int64 // 1, 2, 3 … for each user
	Kind, Ref string
	Amount    money.Cents // negative when paid
	Balance   money.Cents // after this line
	Note      string      // of the transfer; only listLines sets it
	At        time.Time
}

// ErrInsufficientFunds is returned for a transfer that exceeds the balance.
var ErrInsufficientFunds = apperr.New(apperr.InsufficientFunds,
	"Your balance is too low. You were not charged.")

// Seed is a user's one unused server seed: encrypted, with its commitment and the nonce of the open
// that will use it. It is stored in the account's row.
type Seed struct {
	Nonce      int64
	Commitment []byte
	Sealed     []byte
}

// AccountRow is a user's account row, as locked or read.
type AccountRow struct {
	UserID  string
	Balance money.Cents
	InBids  money.Cents // money held for the user's open bids, not part of the balance
	Lines   int64       // number of lines so far
	Seed    Seed
	Play    PlayLimits
}

// Payment is a user's payment to a house account, made from an account row that LockAll returned.
// NextSeed and NextPlay replace the row's Seed and its counters in Play.
type Payment struct {
	AccountRow
	Amount    money.Cents
	Kind, Ref string
	NextSeed  Seed
	NextPlay  PlayLimits
}

// BalanceAfter returns the balance after the payment.
func (p Payment) BalanceAfter() money.Cents { return p.Balance - p.Amount }

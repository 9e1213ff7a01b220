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

// Account is one side of a transfer: a user's id, or a house account.
type Account string

// The house's accounts.
const (
	Packs   Account = "house:packs"   // what packs were paid with
	Fees    Account = "house:fees"    // the house's part of sales between users
	Sandbox Account = "house:sandbox" // play money handed out in sandbox mode
	Credits Account = "house:credits" // points an admin gave, with a reason
	Returns Account = "house:returns" // what was paid for items that users sold back

	Shipping Account = "house:shipping" // what sending claimed items was paid with
	Losses   Account = "house:losses"   // what was paid for items that were lost on their way

	Receivable Account = "house:receivable" // refunded payments whose points were spent already

	paid Account = "house:paid"

	bids Account = "bids"
)

// Paid is the house's account of what came in through a payment provider.
func Paid(provider string) Account { return paid + ":" + Account(provider) }

// Bids is the account of what a user's open bids hold. It has a balance and no lines.
func Bids(user string) Account { return bids + ":" + Account(user) }

// HouseAccounts are all of them, those of the providers as one.
var HouseAccounts = []Account{Packs, Fees, Sandbox, Credits, Returns, Shipping, Losses, Receivable, paid}

// Name is a house account's without the house.
func (a Account) Name() string { return strings.TrimPrefix(string(a), "house:") }

func (a Account) house() bool { return strings.HasPrefix(string(a), "house:") }

// user is whose account it is, if it is a user's, and whether it is that of their bids.
func (a Account) user() (id string, inBids bool) {
	id, inBids = strings.CutPrefix(string(a), string(bids)+":")
	return id, inBids
}

// The kinds of transfers.
const (
	KindOpen           = "open"              // a pack's price
	KindSale           = "sale"              // a listing's price, from buyer to seller
	KindSaleFee        = "sale-fee"          // the house's part of a trade's price, from the seller
	KindBid            = "bid"               // what a bid holds, from its bidder
	KindBidReturn      = "bid-return"        // what a bid held and does not need any more
	KindBidFill        = "bid-fill"          // a trade's price, from what the buyer's bid held
	KindCounter        = "counter"           // what a counter-offer's price is above that, from the balance
	KindSellBack       = "sell-back"         // what the house paid for an item
	KindShipping       = "shipping"          // of claimed items
	KindShippingRefund = "shipping-refund"   // of a claim that was cancelled, or lost and not replaced
	KindLossRefund     = "loss-refund"       // the value of what was lost
	KindSandboxDeposit = "sandbox-deposit"   // play money
	KindAdminCredit    = "admin-credit"      // what an admin gave
	KindDeposit        = "deposit"           // what was paid for with money
	KindRefund         = "deposit-refund"    // a deposit taken back, as far as its points were there
	KindShortfall      = "deposit-shortfall" // the rest of it, which is owed to the house
)

// Cause is what the ref of a transfer names.
type Cause string

// causes are what refs name, by kind.
var causes = map[string]Cause{
	KindOpen:           "open",
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
	KindSandboxDeposit: "gift",
	KindAdminCredit:    "act", // in the audit trail
	KindDeposit:        "deposit",
	KindRefund:         "deposit",
	KindShortfall:      "deposit",
}

// flow is from where to where a transfer goes; anyUser stands for each user's account,
// bids for that of each user's bids, paid for that of each provider.
type flow struct{ debit, credit Account }

const anyUser Account = ""

func (t Transfer) flow() flow {
	f := flow{t.Debit, t.Credit}
	for _, side := range []*Account{&f.debit, &f.credit} {
		_, inBids := side.user()
		switch {
		case inBids:
			*side = bids
		case !side.house():
			*side = anyUser
		case strings.HasPrefix(string(*side), string(paid)+":"):
			*side = paid
		}
	}
	return f
}

// flows are all there are, by kind.
var flows = map[string]flow{
	KindOpen:           {anyUser, Packs},
	KindSale:           {anyUser, anyUser},
	KindSaleFee:        {anyUser, Fees},
	KindBid:            {anyUser, bids},
	KindBidReturn:      {bids, anyUser},
	KindBidFill:        {bids, anyUser},
	KindCounter:        {anyUser, anyUser},
	KindSellBack:       {Returns, anyUser},
	KindShipping:       {anyUser, Shipping},
	KindShippingRefund: {Shipping, anyUser},
	KindLossRefund:     {Losses, anyUser},
	KindSandboxDeposit: {Sandbox, anyUser},
	KindAdminCredit:    {Credits, anyUser},
	KindDeposit:        {paid, anyUser},
	KindRefund:         {anyUser, paid},
	KindShortfall:      {Receivable, paid},
}

// Transfer moves Amount > 0 from Debit to Credit. Kind and Ref say for what;
// together they are unique, so that nothing is paid twice.
type Transfer struct {
	Debit, Credit Account
	Amount        money.Cents
	Kind, Ref     string // of the kinds above
	Note          string // an admin's reason
}

// Line is a transfer as one user sees it.
type Line struct {
	ID        string
	Number    int64 // 1, 2, 3 … for each user
	Kind, Ref string
	Amount    money.Cents // negative when paid
	Balance   money.Cents // after this line
	At        time.Time
}

// ErrInsufficientFunds refuses a transfer that the balance does not cover.
var ErrInsufficientFunds = apperr.New(apperr.InsufficientFunds,
	"Your balance does not cover this. You were not charged.")

// Seed is a user's one unused server seed: sealed, with its commitment and the
// nonce it will be used at. It shares the balance's row.
type Seed struct {
	Nonce      int64
	Commitment []byte
	Sealed     []byte
}

// Held is a user's account row.
type Held struct {
	UserID  string
	Balance money.Cents
	InBids  money.Cents // what the user's open bids hold, beside the balance
	Lines   int64       // how many the account has had
	Seed    Seed
	Play    Play
}

// Payment is what a user pays to the house out of an account row that LockAll
// returned, with the seed that takes the place of the one that this used up, and with what
// is counted then.
type Payment struct {
	Held
	Amount    money.Cents
	Kind, Ref string
	Next      Seed
	Counted   Play
}

// Left is the balance after the payment.
func (p Payment) Left() money.Cents { return p.Balance - p.Amount }

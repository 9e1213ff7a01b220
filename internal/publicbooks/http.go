package publicbooks

import (
	"kaibao/internal/httpapi"
	"kaibao/internal/httpcache"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
	"kaibao/internal/packs"
)

// Books is Kaibao's financial position at one moment.
type Books struct {
	At         string       `json:"at" format:"date-time" doc:"Of which moment they are: they are added up at most once a minute."`
	Points     PointsView   `json:"points"`
	Ledger     CoverView    `json:"ledger"`
	Exposure   ExposureView `json:"exposure"`
	Packs      []PackLosses `json:"packs" nullable:"false" doc:"Those on sale, and those that cost the house something."`
	ClosedDay  *string      `json:"closedDay" nullable:"true" format:"date" doc:"The last day (UTC) whose books stand in the public log; null before the first."`
	LastBackup *string      `json:"lastBackup" nullable:"true" format:"date-time" doc:"When kaibao backup copied the database last; null = never, or by other means."`
	// ApprovedByCommand shows users how often one person was enough.
	ApprovedByCommand int64   `json:"approvedByCommand" doc:"How often whoever runs the server stood in for a second admin, since the beginning."`
	LastAudit         *string `json:"lastAudit" nullable:"true" format:"date-time" doc:"When kaibao audit found the books in order last; null = never."`
}

// PointsView is where points came from and went to since the beginning.
type PointsView struct {
	DepositsCents    money.Cents `json:"depositsCents" doc:"Paid for with money."`
	GiftsCents       money.Cents `json:"giftsCents" doc:"Play money of a sandbox."`
	CreditsCents     money.Cents `json:"creditsCents" doc:"Given by admins, each with a reason."`
	SpentCents       money.Cents `json:"spentCents" doc:"On packs."`
	Opens            int64       `json:"opens"`
	SoldBackCents    money.Cents `json:"soldBackCents" doc:"What the house paid for items that it took back."`
	SoldBack         int64       `json:"soldBack" doc:"How many items that were."`
	RefundedCents    money.Cents `json:"refundedCents" doc:"Deposits that were taken back, as far as their points were still there."`
	UncoveredCents   money.Cents `json:"uncoveredCents" doc:"The rest of them, which was spent already and is owed to the house."`
	SalesCents       money.Cents `json:"salesCents" doc:"Moved between users by sales."`
	Sales            int64       `json:"sales"`
	FeesCents        money.Cents `json:"feesCents" doc:"The house's part of the sales."`
	ShippingCents    money.Cents `json:"shippingCents" doc:"Paid for sending claimed items."`
	ReturnedCents    money.Cents `json:"returnedCents" doc:"Of that, what was paid back."`
	LossesCents      money.Cents `json:"lossesCents" doc:"Paid for claimed items that were lost on their way."`
	OutstandingCents money.Cents `json:"outstandingCents" doc:"What all of this leaves to the users."`
}

// CoverView compares users' balances with the ledger's accounts.
type CoverView struct {
	Accounts     int64          `json:"accounts"`
	UsersCents   money.Cents    `json:"usersCents" doc:"The sum of all balances, as their owners see them."`
	House        []HouseAccount `json:"house" nullable:"false"`
	HouseCents   money.Cents    `json:"houseCents" doc:"The sum of the house's accounts, which are sums of their transfers."`
	BalanceCents money.Cents    `json:"balanceCents" doc:"Of both together: 0, unless something is wrong."`
}

// HouseAccount is one of Kaibao's accounts.
type HouseAccount struct {
	Name         string      `json:"name" enum:"packs,fees,sandbox,credits,returns,shipping,losses,receivable,paid"`
	BalanceCents money.Cents `json:"balanceCents" doc:"Negative where the house gave more than it got."`
}

// ExposureView is what Kaibao would pay if all users sold back everything now.
type ExposureView struct {
	Entries int64       `json:"entries" doc:"Items that somebody owns."`
	Worst   money.Cents `json:"worstCents" doc:"By their quotes: floors that hold, and current values."`
	ByFloor money.Cents `json:"byFloorCents" doc:"Of that, what floors add to what the values give."`
}

// PackLosses is a pack's accepted and actual loss.
type PackLosses struct {
	PackID            string       `json:"packId"`
	Name              string       `json:"name"`
	AcceptedLossCents *money.Cents `json:"acceptedLossCents" nullable:"true" doc:"Over its whole life; null = none, -1 = any."`
	DrawsLossCents    *money.Cents `json:"drawsLossCents" nullable:"true" doc:"What its draws promised to pay back beyond what they cost; negative = less. Null where nothing is counted down, so that nobody counts it."`
	BeyondQuotesCents money.Cents  `json:"beyondQuotesCents" doc:"What sell-backs of its cards paid beyond the quotes of their draws."`
}

// Routes registers the public books, and a daily report for admins.
func (s *Service) Routes(api *httpapi.API) {
	httpcache.SharedCached(api, httpapi.Get(httpapi.Public, "/api/books", "get-books", "The house's books: points issued, spent and paid back, balances against the ledger, what could be sold back"), s.kept)
	s.dayRoutes(api)
}

func pointsOf(t ledger.Totals) PointsView {
	return PointsView{
		DepositsCents: t[ledger.KindDeposit].Amount, GiftsCents: t[ledger.KindSandboxDeposit].Amount, CreditsCents: t[ledger.KindAdminCredit].Amount,
		SpentCents: t[ledger.KindOpen].Amount, Opens: t[ledger.KindOpen].Number,
		SoldBackCents: t[ledger.KindSellBack].Amount, SoldBack: t[ledger.KindSellBack].Number,
		RefundedCents: t[ledger.KindRefund].Amount, UncoveredCents: t[ledger.KindShortfall].Amount,
		SalesCents: t.Sales().Amount, Sales: t.Sales().Number, FeesCents: t[ledger.KindSaleFee].Amount,
		ShippingCents: t[ledger.KindShipping].Amount, ReturnedCents: t[ledger.KindShippingRefund].Amount, LossesCents: t[ledger.KindLossRefund].Amount,
		OutstandingCents: t.Users(),
	}
}

func coverOf(t ledger.Totals, balances ledger.Total) CoverView {
	v := CoverView{Accounts: balances.Number, UsersCents: balances.Amount, House: []HouseAccount{}}
	held := t.House()
	for _, account := range ledger.HouseAccounts {
		v.House = append(v.House, HouseAccount{account.Name(), held[account]})
		v.HouseCents += held[account]
	}
	v.BalanceCents = v.UsersCents + v.HouseCents
	return v
}

func lossesOf(all []packs.Pack) []PackLosses {
	shown := []PackLosses{}
	for _, p := range all {
		if !p.Active && p.RealizedLoss == 0 && p.PaidBeyondQuotes == 0 {
			continue
		}
		v := PackLosses{PackID: p.ID, Name: p.Name, BeyondQuotesCents: p.PaidBeyondQuotes}
		if p.AcceptedLoss != nil {
			accepted := money.Cents(*p.AcceptedLoss)
			v.AcceptedLossCents = &accepted
		}
		if p.HasCounters() {
			v.DrawsLossCents = &p.RealizedLoss
		}
		shown = append(shown, v)
	}
	return shown
}

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
	At         string       `json:"at" format:"date-time" doc:"When the totals were calculated, at most once a minute."`
	Points     PointsView   `json:"points"`
	Ledger     CoverView    `json:"ledger"`
	Exposure   ExposureView `json:"exposure"`
	Packs      []PackLosses `json:"packs" nullable:"false" doc:"Packs on sale, and packs that cost Kaibao something."`
	ClosedDay  *string      `json:"closedDay" nullable:"true" format:"date" doc:"The last day (UTC) whose books are in the public log; null before the first."`
	LastBackup *string      `json:"lastBackup" nullable:"true" format:"date-time" doc:"When kaibao backup last copied the database; null if never, or if other tools make the backups."`
	// ApprovedByCommand shows users how often one person was enough.
	ApprovedByCommand int64   `json:"approvedByCommand" doc:"How often the operator decided a request by command instead of a second admin, ever."`
	LastAudit         *string `json:"lastAudit" nullable:"true" format:"date-time" doc:"When kaibao audit last found the books in order; null = never."`
}

// PointsView is where points came from and went to since the beginning.
type PointsView struct {
	DepositsCents    money.Cents `json:"depositsCents" doc:"Bought with money."`
	GiftsCents       money.Cents `json:"giftsCents" doc:"Free points of a sandbox."`
	CreditsCents     money.Cents `json:"creditsCents" doc:"Credited by admins, each with a reason."`
	SpentCents       money.Cents `json:"spentCents" doc:"Spent on packs."`
	Opens            int64       `json:"opens"`
	SoldBackCents    money.Cents `json:"soldBackCents" doc:"Paid by Kaibao for items sold back."`
	SoldBack         int64       `json:"soldBack" doc:"Number of items sold back."`
	RefundedCents    money.Cents `json:"refundedCents" doc:"Refunded deposits, as far as the points were still there."`
	UncoveredCents   money.Cents `json:"uncoveredCents" doc:"The rest of the refunded deposits: already spent, so owed to Kaibao."`
	SalesCents       money.Cents `json:"salesCents" doc:"Moved between users by sales."`
	Sales            int64       `json:"sales"`
	FeesCents        money.Cents `json:"feesCents" doc:"Kaibao's fees on sales."`
	ShippingCents    money.Cents `json:"shippingCents" doc:"Paid for shipping."`
	ReturnedCents    money.Cents `json:"returnedCents" doc:"Shipping paid back."`
	LossesCents      money.Cents `json:"lossesCents" doc:"Paid for claimed items lost in transit."`
	DebitsCents      money.Cents `json:"debitsCents" doc:"Taken back by admins, each with a reason."`
	ForfeitsCents    money.Cents `json:"forfeitsCents" doc:"Given up by users who deleted their accounts."`
	OutstandingCents money.Cents `json:"outstandingCents" doc:"Points that came in minus points that went out: what users have now."`
}

// CoverView compares users' balances with the ledger's accounts.
type CoverView struct {
	Accounts     int64          `json:"accounts"`
	UsersCents   money.Cents    `json:"usersCents" doc:"Sum of all users' balances."`
	House        []HouseAccount `json:"house" nullable:"false"`
	HouseCents   money.Cents    `json:"houseCents" doc:"Sum of Kaibao's accounts, computed from their transfers."`
	BalanceCents money.Cents    `json:"balanceCents" doc:"Sum of both: 0, unless something is wrong."`
}

// HouseAccount is one of Kaibao's accounts.
type HouseAccount struct {
	Name         string      `json:"name" enum:"packs,fees,sandbox,credits,returns,shipping,losses,debits,forfeits,receivable,paid"`
	BalanceCents money.Cents `json:"balanceCents" doc:"Negative if Kaibao paid out more than it received."`
}

// ExposureView is what Kaibao would pay if all users sold back everything now.
type ExposureView struct {
	Entries int64       `json:"entries" doc:"Items owned by users."`
	Worst   money.Cents `json:"worstCents" doc:"Total of their quotes: price floors that apply, and quote values."`
	ByFloor money.Cents `json:"byFloorCents" doc:"The part of it that price floors add to quote values."`
}

// PackLosses is a pack's accepted and actual loss.
type PackLosses struct {
	PackID            string       `json:"packId"`
	Name              string       `json:"name"`
	NameZH            string       `json:"nameZh,omitempty" doc:"Chinese name; absent if it has none."`
	AcceptedLossCents *money.Cents `json:"acceptedLossCents" nullable:"true" doc:"Over the pack's life; null = none, -1 = any."`
	DrawsLossCents    *money.Cents `json:"drawsLossCents" nullable:"true" doc:"Expected returns of its draws beyond their price; negative = less. null for packs without a loss count."`
	BeyondQuotesCents money.Cents  `json:"beyondQuotesCents" doc:"Sell-back payments for its cards beyond the quotes at the draw."`
}

// Routes registers the public books, and a daily report for admins.
func (s *Service) Routes(api *httpapi.API) {
	httpcache.SharedCached(api, httpapi.Get(httpapi.Public, "/api/books", "get-books", "The public books: points issued, spent and paid back, balances against the ledger, and what could be sold back"), s.cache)
	s.dayRoutes(api)
}

func pointsOf(t ledger.Totals) PointsView {
	return PointsView{
		DepositsCents: t[ledger.KindDeposit].Amount, GiftsCents: t[ledger.KindGrant].Amount, CreditsCents: t[ledger.KindAdminCredit].Amount,
		SpentCents: t.Opens().Amount, Opens: t.Opens().Number,
		SoldBackCents: t[ledger.KindSellBack].Amount, SoldBack: t[ledger.KindSellBack].Number,
		RefundedCents: t[ledger.KindRefund].Amount, UncoveredCents: t[ledger.KindShortfall].Amount,
		SalesCents: t.Sales().Amount, Sales: t.Sales().Number, FeesCents: t[ledger.KindSaleFee].Amount,
		ShippingCents: t[ledger.KindShipping].Amount, ReturnedCents: t[ledger.KindShippingRefund].Amount, LossesCents: t[ledger.KindLossRefund].Amount,
		DebitsCents: t[ledger.KindDebit].Amount, ForfeitsCents: t[ledger.KindForfeit].Amount,
		OutstandingCents: t.UserBalances(),
	}
}

func coverOf(t ledger.Totals, balances ledger.Total) CoverView {
	v := CoverView{Accounts: balances.Number, UsersCents: balances.Amount, House: []HouseAccount{}}
	held := t.HouseBalances()
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
		v := PackLosses{PackID: p.ID, Name: p.Name, NameZH: p.NameZH, BeyondQuotesCents: p.PaidBeyondQuotes}
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

// Package policy defines the business figures: fees, limits and promised times. Each is defined
// here only. PageTerms lists those that the web app receives, and a test of package app compares
// the bounds in the API contract with them.
package policy

import (
	"time"

	"kaibao/internal/money"
	"kaibao/internal/protocol"
)

// HighestRate is the most that a fee may be of a trade's price, and FarthestRates how long
// ahead another rate may be announced. The rates themselves are announced (package rates).
const (
	HighestRate   money.BasisPoints = 2000
	FarthestRates                   = 365 * 24 * time.Hour
)

// SellBackRate is what the house pays for an item, of its value; FloorLife is how
// long that cannot fall for who pulled it.
const (
	SellBackRate money.Percent = 90
	FloorLife                  = 24 * time.Hour
)

// SellBack is what the house pays for an item of a value, rounded down to the
// cent. The value must not be negative.
func SellBack(value money.Cents) money.Cents { return value.Share(SellBackRate) }

// What is sent costs InsuranceRate of its value above InsuredAbove, beside what zone and
// items cost; AddressKept is how long an address is kept after its claim has ended.
const (
	InsuranceRate money.Percent = 1
	InsuredAbove  money.Cents   = 500_00
	AddressKept                 = 90 * 24 * time.Hour
	MostClaimed                 = 20              // items at once
	MostStepped                 = 100             // claims that an admin takes on at once
	ClaimSignable               = 5 * time.Minute // how long what is to be signed for a claim holds
)

// Insurance is that part of the price of sending items of a value, rounded half up to the
// cent. The value must not be negative.
func Insurance(value money.Cents) money.Cents {
	return max(0, value-InsuredAbove).RoundedShare(InsuranceRate)
}

// What a bid may be: from LeastBid on in steps of BidStep, or a part of an item's value
// (protocol.LeastPeg to protocol.MostPeg); for up to MostBidFor items; open for BidLife unless it says otherwise.
// MostBids is how many open ones a user may have, MostDeclined how often an owner's lowest
// price is said no to a bidder a day, CounterLife how long a counter-offer stands.
const (
	LeastBid       money.Cents = 50
	MostBidFor                 = 100
	MostBids                   = 200
	MostDeclined               = 3
	BidLife                    = 30 * 24 * time.Hour
	LongestBidLife             = 90 * 24 * time.Hour
	CounterLife                = 48 * time.Hour
	WarnedBefore               = 24 * time.Hour // the end of a bid
)

// Step is what bids up to a price differ by.
type Step struct {
	UpTo money.Cents `json:"upToCents"`
	Step money.Cents `json:"stepCents"`
}

// bidSteps are all steps, the lowest prices first.
var bidSteps = []Step{{10_00, 5}, {100_00, 25}, {1000_00, 1_00}, {HighestPrice, 5_00}}

// BidStep is what bids of about a price differ by.
func BidStep(price money.Cents) money.Cents {
	for _, s := range bidSteps {
		if price <= s.UpTo {
			return s.Step
		}
	}
	return bidSteps[len(bidSteps)-1].Step
}

// What is far from a value is asked about before it is done: a listing at FarListing
// times it or more, a bid above FarBid times it. Where points are money, nothing trades above
// FarthestTrade times it.
const (
	FarListing    = 10
	FarBid        = 3
	FarthestTrade = 20
)

// What may be asked, each from 1 cent.
const (
	HighestPrice        money.Cents = 1_000_000_00     // of a listing; of an item's value, too
	HighestPackPrice    money.Cents = 100_000_00       // of one open
	HighestAcceptedLoss money.Cents = 1_000_000_000_00 // of a pack that pays back more than it costs
	HighestFilter       int64       = 100_000_000      // of a list's lowest and highest price, in whole dollars
)

// What one deposit may add, and what one admin may give within CreditsWithin, so
// that a stolen session cannot make money without end.
const (
	LeastDeposit  money.Cents = 1_00
	MostDeposit   money.Cents = 10_000_00
	MostCredits               = 10 * MostDeposit
	CreditsWithin             = 24 * time.Hour
)

// What an admin does alone: causes at most DailyTotal within DailyTotalWithin, by credits, refunds,
// replacements and raised values together, and in a sandbox accepts such a loss of a pack;
// where points are money, none. What is more waits for a second admin, so long.
const (
	DailyTotal       money.Cents = 500_00
	DailyTotalWithin             = 24 * time.Hour
	SandboxLossAlone money.Cents = 10_000_00
	ApprovedWithin               = 3 * 24 * time.Hour
)

// A value that is raised to more than SteepRaise times the one in force SteepWithin ago (of a
// newer item: its first) waits for a second admin. MostRaises is how many raised values wait
// in one request.
const (
	SteepRaise  = 2
	SteepWithin = 7 * 24 * time.Hour
	MostRaises  = 1000
)

// What users may set for themselves: limits up to HighestLimit, a reality check after so many minutes, a time-out of so many days, or an
// exclusion of ExcludedMonths. What a sale brings above FarProceeds times the item's value
// counts as topped up. A higher limit can be confirmed from RaisedAfter after the request on,
// for RaisedWithin; then it must be requested again.
const (
	HighestLimit   money.Cents = 1_000_000_00
	RaisedAfter                = 24 * time.Hour
	RaisedWithin               = 7 * 24 * time.Hour
	LeastReality               = 5
	MostReality                = 720
	LeastTimeOut               = 1
	MostTimeOut                = 42
	ExcludedMonths             = 6
	FarProceeds                = 2
)

// How long a deposit can be paid, how long its payment is waited for, and how many a user
// may have that are neither paid nor over.
const (
	PayableFor       = 30 * time.Minute
	PaymentAwaited   = 24 * time.Hour
	MostOpenDeposits = 10
)

// quickDeposits are the amounts that the page offers, in whole points.
var quickDeposits = []int64{25, 50, 100, 500}

// What a pack may be.
const (
	MostSupply       = 1_000_000_000
	MostRestock      = 1_000_000 // cards that come in, or are taken out, at once
	MostItemsPerPack = 20        // that one open yields
	MostSeries       = 50        // that it draws from
)

// What graders print on a card: a grade, in steps of a half, and a number of so many
// digits.
const (
	LeastGrade         = 1
	MostGrade          = 10
	ShortestCertNumber = 8
	LongestCertNumber  = 15
)

// Limits of a request. Texts are counted in characters.
const (
	PageSize      = 60 // rows, unless asked otherwise
	LargestPage   = 200
	LastPage      = 10_000_000 // that can be asked for by its number
	LongestCursor = 2000
	MaxBody       = 16 << 10 // bytes, unless the call declares another
	MaxQuoted     = 64 << 10 // bytes of a call that names MostQuoted entries
	MaxImport     = 32 << 20 // bytes of a catalogue that is imported with a call
	LongestID     = 64
	LongestSearch = 100

	LongestUserName = 24
	LongestItemName = 200
	LongestPackName = 60
	LongestSeries   = 64
	LongestPicture  = 2000 // address of an item's or a pack's picture
	LongestPortrait = 500  // address of a user's picture
	LongestReason   = 500
	LongestSource   = 64  // where a value comes from
	LongestLine     = 100 // of an address
	LongestTracking = 64

	MostSoldBack  = 100                         // entries at once, put up for sale too
	MostQuoted    = 1000                        // entries at once, as if they were sold so many after so many
	MostInCart    = 50                          // listings bought at once
	HighestPayout = MostSoldBack * HighestPrice // of them
)

// What a user may watch and search for, how many of the newest listings are looked at for
// what is new, and how long users find what they were told.
const (
	MostWatched      = 200
	MostSearches     = 50
	ListingsSearched = 2000
	AlertsKept       = 90 * 24 * time.Hour

	LongestSearchName = 60
	LongestQuery      = 500
)

// TopPull is what a pull is worth at least to be among the top pulls that an admin sees,
// as the index inventory_by_value has it.
const TopPull money.Cents = 100_00

// How many top pulls are shown, and how many days back they go.
const (
	TopPulls = 10
	MostDays = 90
)

// What is told of sales: by how many of an item's last ones, how many times above or below
// the value a price is odd, and between how many pairs of users an admin sees what moved.
const (
	MostSales = 1000
	OddPrice  = 3
	MostPairs = 100
)

// How many pictures one user may show in a while: each makes the server ask its host.
const (
	MostPortraits   = 20
	PortraitsWithin = 24 * time.Hour
)

// OrdinaryNotice is between the announcement of changed odds and their effect, in an
// installation that sets no other.
const OrdinaryNotice = 10 * time.Minute

// BidWithin is how long after its time a bid may commit: half of protocol.EvidenceAfter, so that
// every bid with a receipt is seen by the quick sells that the receipt is evidence against.
const BidWithin = 5 * time.Second

// StatedWithin is how long after the time that an announcement names it may come to be seen:
// a tenth of its notice, and 10 s at least.
func StatedWithin(notice time.Duration) time.Duration { return max(10*time.Second, notice/10) }

// PageTerms is what the page is told of the terms. Deposits are in whole points.
type PageTerms struct {
	HighestPriceCents        money.Cents       `json:"highestPriceCents"`
	HighestPackPriceCents    money.Cents       `json:"highestPackPriceCents"`
	HighestAcceptedLossCents money.Cents       `json:"highestAcceptedLossCents"`
	HighestFilter            int64             `json:"highestFilter"` // in whole dollars
	LeastDeposit             int64             `json:"leastDeposit"`
	MostDeposit              int64             `json:"mostDeposit"`
	QuickDeposits            []int64           `json:"quickDeposits" nullable:"false"`
	MostSupply               int64             `json:"mostSupply"`
	MostRestock              int64             `json:"mostRestock"`
	MostItemsPerPack         int               `json:"mostItemsPerPack"`
	LeastGrade               int               `json:"leastGrade"`
	MostGrade                int               `json:"mostGrade"`
	ShortestCertNumber       int               `json:"shortestCertNumber"` // in digits
	LongestCertNumber        int               `json:"longestCertNumber"`
	LargestPage              int               `json:"largestPage"`
	MostSoldBack             int               `json:"mostSoldBack"`
	MostQuoted               int               `json:"mostQuoted"`
	MostInCart               int               `json:"mostInCart"`
	LongestSearch            int               `json:"longestSearch"`
	LongestSearchName        int               `json:"longestSearchName"`
	LongestUserName          int               `json:"longestUserName"`
	LongestPortrait          int               `json:"longestPortrait"`
	LongestItemName          int               `json:"longestItemName"`
	LongestPackName          int               `json:"longestPackName"`
	LongestSeries            int               `json:"longestSeries"`
	LongestPicture           int               `json:"longestPicture"`
	LongestSource            int               `json:"longestSource"`
	LongestReason            int               `json:"longestReason"`
	TopPullCents             money.Cents       `json:"topPullCents"`
	HighestRate              money.BasisPoints `json:"highestRate"` // in basis points
	RatesNoticeHours         int               `json:"ratesNoticeHours"`
	FarthestRatesDays        int               `json:"farthestRatesDays"`
	SellBackPercent          money.Percent     `json:"sellBackPercent"`
	LeastBidCents            money.Cents       `json:"leastBidCents"`
	BidSteps                 []Step            `json:"bidSteps" nullable:"false"` // the lowest prices first
	LeastPeg                 money.Percent     `json:"leastPeg"`
	MostPeg                  money.Percent     `json:"mostPeg"`
	MostBidFor               int               `json:"mostBidFor"`
	MostBids                 int               `json:"mostBids"`
	BidDays                  int               `json:"bidDays"`
	LongestBidDays           int               `json:"longestBidDays"`
	CounterHours             int               `json:"counterHours"`
}

// ForPage gives the terms for the page.
func ForPage() PageTerms {
	const point money.Cents = 100
	const day = 24 * time.Hour
	return PageTerms{
		HighestPriceCents: HighestPrice, HighestPackPriceCents: HighestPackPrice,
		HighestAcceptedLossCents: HighestAcceptedLoss, HighestFilter: HighestFilter,
		LeastDeposit: int64(LeastDeposit / point), MostDeposit: int64(MostDeposit / point), QuickDeposits: quickDeposits,
		MostSupply: MostSupply, MostRestock: MostRestock, MostItemsPerPack: MostItemsPerPack, LeastGrade: LeastGrade, MostGrade: MostGrade,
		ShortestCertNumber: ShortestCertNumber, LongestCertNumber: LongestCertNumber, LargestPage: LargestPage, MostSoldBack: MostSoldBack, MostQuoted: MostQuoted, MostInCart: MostInCart, LongestSearch: LongestSearch, LongestSearchName: LongestSearchName,
		LongestUserName: LongestUserName, LongestPortrait: LongestPortrait, LongestItemName: LongestItemName,
		LongestPackName: LongestPackName, LongestSeries: LongestSeries, LongestPicture: LongestPicture,
		LongestSource: LongestSource, LongestReason: LongestReason, TopPullCents: TopPull,
		HighestRate: HighestRate, RatesNoticeHours: int(protocol.RatesNotice / time.Hour), FarthestRatesDays: int(FarthestRates / day),
		SellBackPercent: SellBackRate, LeastBidCents: LeastBid, BidSteps: bidSteps,
		LeastPeg: protocol.LeastPeg, MostPeg: protocol.MostPeg, MostBidFor: MostBidFor, MostBids: MostBids,
		BidDays: int(BidLife / day), LongestBidDays: int(LongestBidLife / day), CounterHours: int(CounterLife / time.Hour),
	}
}

// Package policy defines the business figures: fees, limits and promised times. Each is defined
// here only; technical figures, such as timeouts and rate limits, are in their packages. PageTerms
// lists those that the web app receives, and a test of package app compares the bounds in the API
// contract with them.
//
// The name of a maximum begins with Most (counts, deposits and credits), Highest (prices, rates and
// limits), Longest (texts in characters, and durations) or Max (bytes).
package policy

import (
	"time"

	"kaibao/internal/money"
	"kaibao/internal/protocol"
)

// HighestRate is the maximum fee rate of a trade. FarthestRates is how far ahead another rate may
// be announced. Package fees has the rates themselves.
const (
	HighestRate   money.BasisPoints = 2000
	FarthestRates                   = 365 * 24 * time.Hour
)

// SellBackPercent is the share of an item's value that Kaibao pays. FloorLife is how long that
// payment can't fall for the user who pulled the item. The audit computes the floors of all entries
// from them: a release that changes one must keep the old figure for earlier pulls.
const (
	SellBackPercent money.Percent = 90
	FloorLife                     = 24 * time.Hour
)

// SellBack returns what Kaibao pays for an item, rounded down to the cent. The value must not be
// negative.
func SellBack(value money.Cents) money.Cents { return value.Share(SellBackPercent) }

// Shipping. Insurance costs InsurancePercent of the value above InsuredAbove, on top of the price
// by zone and items. An address is deleted AddressKept after its claim has ended.
const (
	InsurancePercent money.Percent = 1
	InsuredAbove     money.Cents   = 500_00
	AddressKept                    = 90 * 24 * time.Hour
	MostClaimed                    = 20              // items per claim
	MostStepped                    = 100             // claims per admin act
	ClaimSignable                  = 5 * time.Minute // lifetime of a claim's challenge
)

// Insurance returns the insurance part of the shipping price, rounded half up to the cent. The
// value must not be negative.
func Insurance(value money.Cents) money.Cents {
	return max(0, value-InsuredAbove).RoundedShare(InsurancePercent)
}

// Limits of bids. A bid is a price of at least LeastBid in steps of BidStep, or a percentage of the
// item's value (protocol.MinPeg to protocol.MaxPeg), for up to MostBidQuantity items. It expires
// after BidLife by default. A user may have MostOpenBids open bids. MostDeclined is how many of a
// bidder's bids per entry and day may be declined for being below the owner's minimum; then the
// bidder must wait. A counter-offer expires after CounterLife.
const (
	LeastBid        money.Cents = 50
	MostBidQuantity             = 100
	MostOpenBids                = 200
	MostDeclined                = 3
	BidLife                     = 30 * 24 * time.Hour
	LongestBidLife              = 90 * 24 * time.Hour
	CounterLife                 = 48 * time.Hour
	WarnedBefore                = 24 * time.Hour // before a bid expires
)

// Step is the price increment of bids up to a price.
type Step struct {
	UpTo money.Cents `json:"upToCents"`
	Step money.Cents `json:"stepCents"`
}

// bidSteps are sorted by price.
var bidSteps = []Step{{10_00, 5}, {100_00, 25}, {1000_00, 1_00}, {HighestPrice, 5_00}}

// BidStep returns the increment of bids at a price.
func BidStep(price money.Cents) money.Cents {
	for _, s := range bidSteps {
		if price <= s.UpTo {
			return s.Step
		}
	}
	return bidSteps[len(bidSteps)-1].Step
}

// Unusual prices need confirmation: a listing of at least FarListing times the value, or a bid
// above FarBid times it. With real payments no trade may be above FarthestTrade times the value.
const (
	FarListing    = 10
	FarBid        = 3
	FarthestTrade = 20
)

// Maximum prices; the minimum of each is 1 cent.
const (
	HighestPrice        money.Cents = 1_000_000_00     // of a listing or an item's value
	HighestPackPrice    money.Cents = 100_000_00       // per open
	HighestAcceptedLoss money.Cents = 1_000_000_000_00 // of a pack that pays back more than its price
	HighestFilter       int64       = 100_000_000      // of a price filter, in whole dollars
)

// The least and most of one deposit, and the most that one admin can credit within CreditsWithin. The
// maximums limit the damage of a stolen session.
const (
	LeastDeposit  money.Cents = 1_00
	MostDeposit   money.Cents = 10_000_00
	MostCredits               = 10 * MostDeposit
	CreditsWithin             = 24 * time.Hour
)

// Limits of one admin without approval. Credits, refunds, replacements, raised values and debits
// together may cause at most DailyTotal within DailyTotalWithin. An account can be unfrozen if its
// points and items are worth at most UnfreezeAlone. In a sandbox one admin may accept a pack's
// loss up to SandboxSoloLossLimit; with real payments, none. Anything more needs a second admin's
// approval within ApprovedWithin.
const (
	DailyTotal           money.Cents = 500_00
	DailyTotalWithin                 = 24 * time.Hour
	SandboxSoloLossLimit money.Cents = 10_000_00
	UnfreezeAlone        money.Cents = 500_00
	ApprovedWithin                   = 3 * 24 * time.Hour
)

// An item's value above SteepRaise times its value SteepWithin ago (or its first value, if newer)
// needs approval. MostRaises is the maximum number of values per request.
const (
	SteepRaise  = 2
	SteepWithin = 7 * 24 * time.Hour
	MostRaises  = 1000
)

// Limits that users set for themselves: amounts up to HighestLimit, a reality check in minutes, a
// time-out in days, or an exclusion of ExcludedMonths. Proceeds above FarProceeds times the item's
// value count as a deposit. A higher limit can be confirmed from LimitRaisedAfter after the request,
// for LimitRaisedWithin; then it must be requested again.
const (
	HighestLimit      money.Cents = 1_000_000_00
	LimitRaisedAfter              = 24 * time.Hour
	LimitRaisedWithin             = 7 * 24 * time.Hour
	LeastReality                  = 5
	MostReality                   = 720
	LeastTimeOut                  = 1
	MostTimeOut                   = 42
	ExcludedMonths                = 6
	FarProceeds                   = 2
)

// How long a deposit can be paid, how long its payment may take to arrive, and how many pending
// deposits a user may have.
const (
	PayableFor       = 30 * time.Minute
	PaymentAwaited   = 24 * time.Hour
	MostOpenDeposits = 10
)

// quickDeposits are the amounts offered on the page, in whole points.
var quickDeposits = []int64{25, 50, 100, 500}

// Limits of a pack.
const (
	MostSupply       = 1_000_000_000
	MostRestock      = 1_000_000 // cards added or removed at a time
	MostItemsPerPack = 20        // per open
	MostSeries       = 50        // per pack
)

// Grades and certificate numbers. Grades are in steps of a half; the lengths of the numbers are in
// digits.
const (
	LeastGrade         = 1
	MostGrade          = 10
	ShortestCertNumber = 8
	LongestCertNumber  = 15
)

// Limits of a request. Texts are counted in characters.
const (
	PageSize      = 60 // default number of rows
	LargestPage   = 200
	LastPage      = 10_000_000 // highest page number
	LongestCursor = 2000
	MaxBody       = 16 << 10 // bytes; default of calls
	MaxQuoted     = 64 << 10 // bytes; for calls with up to MostQuoted entries
	MaxImport     = 32 << 20 // bytes of a catalogue import
	LongestID     = 64
	LongestSearch = 100

	LongestUserName       = 24
	LongestItemName       = 200
	LongestPackName       = 60
	LongestSeries         = 64
	LongestItemPictureURL = 2000 // URL of an item's or a pack's picture
	LongestPortraitURL    = 500  // URL of a user's picture
	LongestReason         = 500
	LongestNote           = 1000 // about a user
	LongestSource         = 64   // source of a value
	LongestLine           = 100  // of an address
	LongestTracking       = 64

	MostSoldBack  = 100                         // entries per sell-back or listing act
	MostQuoted    = 1000                        // entries per request for quotes, each quoted as if sold after the ones before
	MostInCart    = 50                          // listings bought at a time
	HighestPayout = MostSoldBack * HighestPrice // total of a sell-back
)

// Limits of watchlists and saved searches, the number of newest listings that saved searches are
// matched against, and how long alerts are kept.
const (
	MostWatched      = 200
	MostSearches     = 50
	ListingsSearched = 2000
	AlertsKept       = 90 * 24 * time.Hour

	LongestSearchName = 60
	LongestQuery      = 500
)

// TopPull is the minimum value of the top pulls shown to admins. The index inventory_by_value has
// the same limit.
const TopPull money.Cents = 100_00

// Number of top pulls shown, and the maximum number of days they go back.
const (
	TopPulls = 10
	MostDays = 90
)

// Sales statistics: the number of an item's last sales considered, the factor to the value at which
// a price counts as odd, and the number of pairs of users with the largest flows shown to admins.
const (
	MostSales = 1000
	OddPrice  = 3
	MostPairs = 100
	MostHits  = 20 // of the admins' search

	LongestAdminSearch = 300 // may be a pasted link
)

// Pictures that one user may set within a time. Each makes the server request another host.
const (
	MostPictures   = 20
	PicturesWithin = 24 * time.Hour
)

// OrdinaryNotice is the default time between the announcement of changed odds and their effect.
const OrdinaryNotice = 10 * time.Minute

// BidWithin is how long after its time a bid may commit: half of protocol.EvidenceAfter, so that
// every bid with a receipt is seen by the quick sells that the receipt is evidence against.
const BidWithin = 5 * time.Second

// StatedWithin returns how long after its stated time an announcement may become visible: a tenth
// of its notice, but at least 10 s.
func StatedWithin(notice time.Duration) time.Duration { return max(10*time.Second, notice/10) }

// PageTerms are the terms that the web app gets. Deposits are in whole points.
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
	LongestPortraitURL       int               `json:"longestPortrait"`
	LongestItemName          int               `json:"longestItemName"`
	LongestPackName          int               `json:"longestPackName"`
	LongestSeries            int               `json:"longestSeries"`
	LongestItemPictureURL    int               `json:"longestPicture"`
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
	MostBidQuantity          int               `json:"mostBidFor"`
	MostOpenBids             int               `json:"mostBids"`
	BidDays                  int               `json:"bidDays"`
	LongestBidDays           int               `json:"longestBidDays"`
	CounterHours             int               `json:"counterHours"`
}

// ForPage returns the terms for the web app.
func ForPage() PageTerms {
	const point money.Cents = 100
	const day = 24 * time.Hour
	return PageTerms{
		HighestPriceCents: HighestPrice, HighestPackPriceCents: HighestPackPrice,
		HighestAcceptedLossCents: HighestAcceptedLoss, HighestFilter: HighestFilter,
		LeastDeposit: int64(LeastDeposit / point), MostDeposit: int64(MostDeposit / point), QuickDeposits: quickDeposits,
		MostSupply: MostSupply, MostRestock: MostRestock, MostItemsPerPack: MostItemsPerPack, LeastGrade: LeastGrade, MostGrade: MostGrade,
		ShortestCertNumber: ShortestCertNumber, LongestCertNumber: LongestCertNumber, LargestPage: LargestPage, MostSoldBack: MostSoldBack, MostQuoted: MostQuoted, MostInCart: MostInCart, LongestSearch: LongestSearch, LongestSearchName: LongestSearchName,
		LongestUserName: LongestUserName, LongestPortraitURL: LongestPortraitURL, LongestItemName: LongestItemName,
		LongestPackName: LongestPackName, LongestSeries: LongestSeries, LongestItemPictureURL: LongestItemPictureURL,
		LongestSource: LongestSource, LongestReason: LongestReason, TopPullCents: TopPull,
		HighestRate: HighestRate, RatesNoticeHours: int(protocol.RatesNotice / time.Hour), FarthestRatesDays: int(FarthestRates / day),
		SellBackPercent: SellBackPercent, LeastBidCents: LeastBid, BidSteps: bidSteps,
		LeastPeg: protocol.MinPeg, MostPeg: protocol.MaxPeg, MostBidQuantity: MostBidQuantity, MostOpenBids: MostOpenBids,
		BidDays: int(BidLife / day), LongestBidDays: int(LongestBidLife / day), CounterHours: int(CounterLife / time.Hour),
	}
}

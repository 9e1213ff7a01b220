// Package policy defines the business figures: fees, limits and promised times. Each is defined
// here only; technical figures, such as timeouts and rate limits, are in their packages. PageTerms
// lists those that the web app receives, and a test of package app compares the bounds in the API
// contract with them. Lengths are in characters.
package policy

import (
	"time"

	"kaibao/internal/money"
	"kaibao/internal/protocol"
)

// MaxRate is the maximum fee rate of a trade. MaxRatesAhead is how far ahead another rate may
// be announced. Package fees has the rates themselves.
const (
	MaxRate       money.BasisPoints = 2000
	MaxRatesAhead                   = 365 * 24 * time.Hour
)

// SealedLead is the least time in seconds from the order of a sealed pack to the round that draws it.
const SealedLead = 3

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
	MaxClaimItems                  = 20              // items per claim
	MaxClaimsPerAct                = 100             // claims per admin act
	ClaimSignable                  = 5 * time.Minute // lifetime of a claim's challenge
)

// Insurance returns the insurance part of the shipping price, rounded half up to the cent. The
// value must not be negative.
func Insurance(value money.Cents) money.Cents {
	return max(0, value-InsuredAbove).RoundedShare(InsurancePercent)
}

// Gifts. A gift has at most MaxGiftItems entries, which is also the most that a user can give per
// day (UTC); a house rule limits their value. It waits for GiftLife. One user can have MaxGiftsWaiting
// gifts waiting for the same wallet.
const (
	MaxGiftItems    = 20
	MaxGiftsWaiting = 3
	GiftLife        = 7 * 24 * time.Hour
	GiftSignable    = 5 * time.Minute // lifetime of a gift's challenge
)

// Limits of bids. A bid is a price of at least MinBid in steps of BidStep, or a percentage of the
// item's value (protocol.MinPeg to protocol.MaxPeg), for up to MaxBidQuantity items. It expires
// after BidLife by default. A user may have MaxOpenBids open bids. MaxDeclinedBids is how many of a
// bidder's bids per entry and day may be declined for being below the owner's minimum; then the
// bidder must wait. A counter-offer expires after CounterLife.
const (
	MinBid          money.Cents = 50
	MaxBidQuantity              = 100
	MaxOpenBids                 = 200
	MaxDeclinedBids             = 3
	BidLife                     = 30 * 24 * time.Hour
	MaxBidLife                  = 90 * 24 * time.Hour
	CounterLife                 = 48 * time.Hour
	WarnedBefore                = 24 * time.Hour // before a bid expires
)

// Step is the price increment of bids up to a price.
type Step struct {
	UpTo money.Cents `json:"upToCents"`
	Step money.Cents `json:"stepCents"`
}

// bidSteps are sorted by price.
var bidSteps = []Step{{10_00, 5}, {100_00, 25}, {1000_00, 1_00}, {MaxPrice, 5_00}}

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
// above FarBid times it. With real payments no trade may be above MaxTradeFactor times the value.
const (
	FarListing     = 10
	FarBid         = 3
	MaxTradeFactor = 20
)

// Maximum prices; the minimum of each is 1 cent.
const (
	MaxPrice        money.Cents = 1_000_000_00     // of a listing or an item's value
	MaxPackPrice    money.Cents = 100_000_00       // per open
	MaxAcceptedLoss money.Cents = 1_000_000_000_00 // of a pack that pays back more than its price
	MaxPriceFilter  int64       = 100_000_000      // of a price filter, in whole dollars
)

// The minimum and maximum of one deposit, and the maximum that one admin can credit within
// CreditsWithin. The maximums limit the damage of a stolen session.
const (
	MinDeposit    money.Cents = 1_00
	MaxDeposit    money.Cents = 10_000_00
	MaxCredits                = 10 * MaxDeposit
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
// needs approval. MaxRaises is the maximum number of values per request.
const (
	SteepRaise  = 2
	SteepWithin = 7 * 24 * time.Hour
	MaxRaises   = 1000
)

// Limits that users set for themselves: amounts up to MaxLimit, a reality check in minutes, a
// time-out in days, or an exclusion of ExcludedMonths. Proceeds above FarProceeds times the item's
// value count as a deposit. A higher limit can be confirmed from LimitRaisedAfter after the request,
// for LimitRaisedWithin; then it must be requested again.
const (
	MaxLimit          money.Cents = 1_000_000_00
	LimitRaisedAfter              = 24 * time.Hour
	LimitRaisedWithin             = 7 * 24 * time.Hour
	MinRealityMinutes             = 5
	MaxRealityMinutes             = 720
	MinTimeOutDays                = 1
	MaxTimeOutDays                = 42
	ExcludedMonths                = 6
	FarProceeds                   = 2
)

// How long a deposit can be paid, how long its payment may take to arrive, and how many pending
// deposits a user may have.
const (
	PayableFor      = 30 * time.Minute
	PaymentAwaited  = 24 * time.Hour
	MaxOpenDeposits = 10
)

// quickDeposits are the amounts offered on the page, in whole points.
var quickDeposits = []int64{25, 50, 100, 500}

// Limits of a pack.
const (
	MaxSupply        = 1_000_000_000
	MaxRestock       = 1_000_000 // cards added or removed at a time
	MaxItemsPerPack  = 20        // per open
	MaxSeriesPerPack = 50        // per pack
)

// Grades and certificate numbers. Grades are in steps of a half; the lengths of the numbers are in
// digits.
const (
	MinGrade            = 1
	MaxGrade            = 10
	MinCertNumberLength = 8
	MaxCertNumberLength = 15
)

// Limits of a request. Texts are counted in characters.
const (
	PageSize        = 60 // default number of rows
	MaxPageSize     = 200
	MaxPageNumber   = 10_000_000
	MaxCursorLength = 2000
	MaxBody         = 16 << 10 // bytes; default of calls
	MaxQuoteBody    = 64 << 10 // bytes; for calls with up to MaxQuotes entries
	MaxImport       = 32 << 20 // bytes of a catalogue import
	MaxIDLength     = 64
	MaxSearchLength = 100

	MaxUserNameLength       = 24
	MaxItemNameLength       = 200
	MaxPackNameLength       = 60
	MaxSeriesLength         = 64
	MaxSetLength            = 64
	MaxSetNumberLength      = 20   // of a card in its set
	MaxItemPictureURLLength = 2000 // URL of an item's or a pack's picture
	MaxPortraitURLLength    = 500  // URL of a user's picture
	MaxReasonLength         = 500
	MaxNoteLength           = 1000 // about a user
	MaxSourceLength         = 64   // source of a value
	MaxAddressLineLength    = 100  // of an address
	MaxTrackingLength       = 64

	DefaultValueDays = 30   // of the value of a collection by day
	MaxValueDays     = 1830 // and at most

	MaxSoldBack = 100                    // entries per sell-back or listing act
	MaxQuotes   = 1000                   // entries per request for quotes, each quoted as if sold after the ones before
	MaxCartSize = 50                     // listings bought at a time
	MaxPayout   = MaxSoldBack * MaxPrice // total of a sell-back
)

// Limits of watchlists and saved searches, the number of newest listings that saved searches are
// matched against, and how long alerts are kept.
const (
	MaxWatched       = 200
	MaxSavedSearches = 50
	ListingsSearched = 2000
	AlertsKept       = 90 * 24 * time.Hour

	MaxSearchNameLength = 60
	MaxQueryLength      = 500
)

// Limits of the admins' search: the length of its text, which may be a pasted link, and the number of
// hits.
const (
	MaxAdminSearchLength = 300
	MaxSearchHits        = 20
)

// TopPull is the minimum value of the top pulls shown to admins. The index inventory_by_value has
// the same limit.
const TopPull money.Cents = 100_00

// Number of top pulls shown, and the maximum number of days they go back.
const (
	TopPulls       = 10
	MaxTopPullDays = 90
)

// A pull is big if it is worth at least BigPullFactor times the price of its open.
// TopPullsListed is the length of the public lists of top pulls.
const (
	BigPullFactor  = 5
	TopPullsListed = 20
)

// Sales statistics: the number of an item's last sales considered, the factor to the value at which
// a price counts as odd, and the number of pairs of users with the largest flows shown to admins.
const (
	MaxSales = 1000
	OddPrice = 3
	MaxPairs = 100
)

// Pictures that one user may set within a time. Each makes the server request another host.
const (
	MaxPictures    = 20
	PicturesWithin = 24 * time.Hour
)

// Handles. A user can change theirs once every HandleChangeEvery. Nobody else can take the old one for
// HandleReserved.
const (
	MinHandleLength   = 3
	MaxHandleLength   = 20
	HandleChangeEvery = 30 * 24 * time.Hour
	HandleReserved    = 180 * 24 * time.Hour
)

// MaxShowcase is the number of entries that a user can show on their profile.
const MaxShowcase = 12

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
	MaxPriceCents           money.Cents       `json:"highestPriceCents"`
	MaxPackPriceCents       money.Cents       `json:"highestPackPriceCents"`
	MaxAcceptedLossCents    money.Cents       `json:"highestAcceptedLossCents"`
	MaxPriceFilter          int64             `json:"highestFilter"` // in whole dollars
	MinDeposit              int64             `json:"leastDeposit"`
	MaxDeposit              int64             `json:"mostDeposit"`
	QuickDeposits           []int64           `json:"quickDeposits" nullable:"false"`
	MaxSupply               int64             `json:"mostSupply"`
	MaxRestock              int64             `json:"mostRestock"`
	MaxItemsPerPack         int               `json:"mostItemsPerPack"`
	MinGrade                int               `json:"leastGrade"`
	MaxGrade                int               `json:"mostGrade"`
	MinCertNumberLength     int               `json:"shortestCertNumber"` // in digits
	MaxCertNumberLength     int               `json:"longestCertNumber"`
	MaxPageSize             int               `json:"largestPage"`
	MaxSoldBack             int               `json:"mostSoldBack"`
	MaxQuotes               int               `json:"mostQuoted"`
	MaxCartSize             int               `json:"mostInCart"`
	MaxSearchLength         int               `json:"longestSearch"`
	MaxSearchNameLength     int               `json:"longestSearchName"`
	MaxUserNameLength       int               `json:"longestUserName"`
	MaxPortraitURLLength    int               `json:"longestPortrait"`
	MaxItemNameLength       int               `json:"longestItemName"`
	MaxPackNameLength       int               `json:"longestPackName"`
	MaxSeriesLength         int               `json:"longestSeries"`
	MaxItemPictureURLLength int               `json:"longestPicture"`
	MaxSourceLength         int               `json:"longestSource"`
	MaxReasonLength         int               `json:"longestReason"`
	TopPullCents            money.Cents       `json:"topPullCents"`
	MaxRate                 money.BasisPoints `json:"highestRate"` // in basis points
	RatesNoticeHours        int               `json:"ratesNoticeHours"`
	MaxRatesAheadDays       int               `json:"farthestRatesDays"`
	SellBackPercent         money.Percent     `json:"sellBackPercent"`
	MinBidCents             money.Cents       `json:"leastBidCents"`
	BidSteps                []Step            `json:"bidSteps" nullable:"false"` // the lowest prices first
	MinPeg                  money.Percent     `json:"leastPeg"`
	MaxPeg                  money.Percent     `json:"mostPeg"`
	MaxBidQuantity          int               `json:"mostBidFor"`
	MaxOpenBids             int               `json:"mostBids"`
	BidDays                 int               `json:"bidDays"`
	MaxBidDays              int               `json:"longestBidDays"`
	CounterHours            int               `json:"counterHours"`
	MaxGiftItems            int               `json:"mostGiftItems"`
	GiftDays                int               `json:"giftDays"`
}

// ForPage returns the terms for the web app.
func ForPage() PageTerms {
	const point money.Cents = 100
	const day = 24 * time.Hour
	return PageTerms{
		MaxPriceCents: MaxPrice, MaxPackPriceCents: MaxPackPrice,
		MaxAcceptedLossCents: MaxAcceptedLoss, MaxPriceFilter: MaxPriceFilter,
		MinDeposit: int64(MinDeposit / point), MaxDeposit: int64(MaxDeposit / point), QuickDeposits: quickDeposits,
		MaxSupply: MaxSupply, MaxRestock: MaxRestock, MaxItemsPerPack: MaxItemsPerPack, MinGrade: MinGrade, MaxGrade: MaxGrade,
		MinCertNumberLength: MinCertNumberLength, MaxCertNumberLength: MaxCertNumberLength, MaxPageSize: MaxPageSize, MaxSoldBack: MaxSoldBack, MaxQuotes: MaxQuotes, MaxCartSize: MaxCartSize, MaxSearchLength: MaxSearchLength, MaxSearchNameLength: MaxSearchNameLength,
		MaxUserNameLength: MaxUserNameLength, MaxPortraitURLLength: MaxPortraitURLLength, MaxItemNameLength: MaxItemNameLength,
		MaxPackNameLength: MaxPackNameLength, MaxSeriesLength: MaxSeriesLength, MaxItemPictureURLLength: MaxItemPictureURLLength,
		MaxSourceLength: MaxSourceLength, MaxReasonLength: MaxReasonLength, TopPullCents: TopPull,
		MaxRate: MaxRate, RatesNoticeHours: int(protocol.RatesNotice / time.Hour), MaxRatesAheadDays: int(MaxRatesAhead / day),
		SellBackPercent: SellBackPercent, MinBidCents: MinBid, BidSteps: bidSteps,
		MinPeg: protocol.MinPeg, MaxPeg: protocol.MaxPeg, MaxBidQuantity: MaxBidQuantity, MaxOpenBids: MaxOpenBids,
		BidDays: int(BidLife / day), MaxBidDays: int(MaxBidLife / day), CounterHours: int(CounterLife / time.Hour), MaxGiftItems: MaxGiftItems, GiftDays: int(GiftLife / day),
	}
}

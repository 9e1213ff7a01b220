package apperr

import "slices"

// Kind is the class of a failure. It decides the HTTP status (package httpapi).
type Kind int

// The kinds. After the zero value, they run roughly from the caller's fault to the server's.
const (
	KindInternal          Kind = iota // a bug or a broken dependency: logged, never shown
	KindMalformed                     // the request cannot be read
	KindTooSlow                       // the request did not arrive in time
	KindTooLarge                      // too many bytes
	KindMediaType                     // unsupported content type
	KindInvalid                       // readable, but a field breaks a rule
	KindMethod                        // the path exists, but not with this method
	KindUnauthenticated               // no session, or not the one claimed
	KindInsufficientFunds             // the balance doesn't cover the price
	KindForbidden                     // known, but not allowed
	KindNotFound                      // it doesn't exist or isn't the caller's
	KindMisdirected                   // the Host header names another server
	KindConflict                      // the state has changed
	KindGone                          // it is no longer available
	KindRateLimited                   // too many requests: retry later
	KindUnavailable                   // can't serve now: retry later
	KindDisabled                      // disabled in this installation
)

// Code is the stable snake_case code that programs switch on. All codes are declared here, so that
// the OpenAPI document and the pages' texts can list them all.
type Code struct {
	name string
	kind Kind
}

var codes []Code

func declare(name string, kind Kind) Code {
	c := Code{name, kind}
	codes = append(codes, c)
	return c
}

// All error codes of the HTTP API.
var (
	Internal             = declare("internal", KindInternal)
	Malformed            = declare("malformed", KindMalformed)
	TooSlow              = declare("too_slow", KindTooSlow)
	TooLarge             = declare("too_large", KindTooLarge)
	UnsupportedMediaType = declare("unsupported_media_type", KindMediaType)
	Invalid              = declare("invalid", KindInvalid)
	IdempotencyMismatch  = declare("idempotency_mismatch", KindInvalid)
	MethodNotAllowed     = declare("method_not_allowed", KindMethod)
	Unauthenticated      = declare("unauthenticated", KindUnauthenticated)
	WalletMismatch       = declare("wallet_mismatch", KindUnauthenticated)
	BadSignature         = declare("bad_signature", KindUnauthenticated)
	NoCookie             = declare("no_cookie", KindUnauthenticated)
	InsufficientFunds    = declare("insufficient_funds", KindInsufficientFunds)
	Forbidden            = declare("forbidden", KindForbidden)
	OwnInterest          = declare("own_interest", KindForbidden)
	LimitReached         = declare("limit_reached", KindForbidden)
	LossLimit            = declare("loss_limit", KindForbidden)
	DepositLimit         = declare("deposit_limit", KindForbidden)
	HouseLimit           = declare("house_limit", KindForbidden)
	AgeUnconfirmed       = declare("age_unconfirmed", KindForbidden)
	TimedOut             = declare("timed_out", KindForbidden)
	Excluded             = declare("excluded", KindForbidden)
	AccountFrozen        = declare("account_frozen", KindForbidden)
	HandleNotAllowed     = declare("handle_not_allowed", KindForbidden)
	NotFound             = declare("not_found", KindNotFound)
	Misdirected          = declare("misdirected", KindMisdirected)
	Conflict             = declare("conflict", KindConflict)
	CommitmentChanged    = declare("commitment_changed", KindConflict)
	ManifestChanged      = declare("manifest_changed", KindConflict)
	AlreadyListed        = declare("already_listed", KindConflict)
	AlreadySold          = declare("already_sold", KindConflict)
	AlreadyClaimed       = declare("already_claimed", KindConflict)
	NotVaulted           = declare("not_vaulted", KindConflict)
	NotClaimable         = declare("not_claimable", KindConflict)
	NotListed            = declare("not_listed", KindConflict)
	OwnListing           = declare("own_listing", KindConflict)
	PriceChanged         = declare("price_changed", KindConflict)
	ConfirmPrice         = declare("confirm_price", KindConflict)
	AlreadyBid           = declare("already_bid", KindConflict)
	AlreadyFilled        = declare("already_filled", KindConflict)
	BidEnded             = declare("bid_ended", KindConflict)
	BetterBid            = declare("better_bid", KindConflict)
	Declined             = declare("declined", KindConflict)
	NoBuyer              = declare("no_buyer", KindConflict)
	Margin               = declare("margin", KindConflict)
	RequestWaiting       = declare("request_waiting", KindConflict)
	RequestOutdated      = declare("request_outdated", KindConflict)
	NothingArrived       = declare("nothing_arrived", KindConflict)
	TooEarly             = declare("too_early", KindConflict)
	GiftWaiting          = declare("gift_waiting", KindConflict)
	GiftEnded            = declare("gift_ended", KindConflict)
	OwnGift              = declare("own_gift", KindConflict)
	GiftsOff             = declare("gifts_off", KindConflict)
	GiverBlocked         = declare("giver_blocked", KindConflict)
	SealedPack           = declare("sealed_pack", KindConflict)
	HandleTaken          = declare("handle_taken", KindConflict)
	HandleTooSoon        = declare("handle_too_soon", KindConflict)
	SignatureUsed        = declare("signature_used", KindConflict)
	SoldOut              = declare("sold_out", KindGone)
	Inactive             = declare("inactive", KindGone)
	RateLimited          = declare("rate_limited", KindRateLimited)
	Unavailable          = declare("unavailable", KindUnavailable)
	LogForked            = declare("log_forked", KindUnavailable)
	SealedPaused         = declare("sealed_paused", KindUnavailable)
	Publishing           = declare("publishing", KindUnavailable)
	CheckoutDisabled     = declare("checkout_disabled", KindDisabled)
	SwitchedOff          = declare("switched_off", KindDisabled)
)

// Codes returns all codes.
func Codes() []Code { return slices.Clone(codes) }

// Kind returns the class of failures with this code.
func (c Code) Kind() Kind { return c.kind }

// String returns the code as programs read it.
func (c Code) String() string { return c.name }

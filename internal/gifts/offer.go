package gifts

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"kaibao/internal/alerts"
	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/identity"
	"kaibao/internal/inventory"
	"kaibao/internal/ledger"
	"kaibao/internal/limits"
	"kaibao/internal/market/match"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// request says which entries to give, and to which wallet or by which link.
type request struct {
	entries    []string // ids
	wallet     string   // the receiver's address, or empty
	secretHash []byte   // of the link's secret, or nil
}

// challenge is the server's part of the message to sign. It is stored until the user signs.
type challenge struct {
	nonce               string
	issuedAt, expiresAt time.Time
}

// refusals lists why an entry can't be given; the first match is reported.
var refusals = []inventory.Refusal{
	{Applies: func(e inventory.Entry, user string) bool { return e.Owner != user }, Error: apperr.Missing("Item")},
	{Applies: func(e inventory.Entry, _ string) bool { return e.State == inventory.SoldBack },
		Error: apperr.New(apperr.AlreadySold, "You've already sold this item.")},
	{Applies: func(e inventory.Entry, _ string) bool { return e.State == inventory.Listed },
		Error: apperr.New(apperr.AlreadyListed, "This item is listed on the marketplace. Delist it first, then give it.")},
	{Applies: func(e inventory.Entry, _ string) bool { return e.State == inventory.Giving },
		Error: apperr.New(apperr.GiftWaiting, "You're already giving this item away.")},
	{Applies: func(e inventory.Entry, user string) bool { return !e.Allows(inventory.OfferingGift, user) },
		Error: apperr.New(apperr.AlreadyClaimed, "This item is being shipped to you and can't be given.")},
}

// check refuses a request that no giver could make.
func (r request) check(giver httpapi.Principal) error {
	if err := inventory.CheckIDs(r.entries, policy.MaxGiftItems); err != nil {
		return err
	}
	if (r.wallet == "") == (r.secretHash == nil) {
		return apperr.InvalidField("walletAddress", "or secretHash is required, and not both")
	}
	if r.wallet == "" {
		return nil
	}
	if _, err := identity.ParseAddress(r.wallet); err != nil {
		return apperr.InvalidField("walletAddress", "must be a Solana address")
	}
	if r.wallet == giver.Address {
		return apperr.InvalidField("walletAddress", "is your own")
	}
	return nil
}

// prepare checks a request and returns its entries. loadEntries reads or locks them.
func (s *Service) prepare(tx *db.Tx, giver httpapi.Principal, r request, loadEntries func(*db.Tx, []string) (map[string]inventory.Entry, error)) ([]inventory.Entry, error) {
	if !s.Rules.Market {
		return nil, errClosed
	}
	if err := r.check(giver); err != nil {
		return nil, err
	}
	found, err := loadEntries(tx, r.entries)
	if err != nil {
		return nil, err
	}
	return inventory.Permitted(found, r.entries, giver.UserID, refusals)
}

// Limit is the detail that says which limit a giver has reached: gifts waiting for the same wallet, or
// items given today.
type Limit struct {
	Limit    string `json:"limit" enum:"gifts-waiting,gift-items"`
	Most     int64  `json:"most"`
	RenewsAt string `json:"renewsAt,omitempty" doc:"Time at which the limit gift-items renews."`
}

var (
	errTooManyWaiting = apperr.New(apperr.LimitReached, fmt.Sprintf("%d of your gifts are already waiting for this wallet. Nothing was given.", policy.MaxGiftsWaiting)).
				WithDetails(Limit{Limit: "gifts-waiting", Most: policy.MaxGiftsWaiting})
	errTooManyItems = apperr.New(apperr.LimitReached, fmt.Sprintf("You can give %d items a day. Nothing was given.", policy.MaxGiftItems))
	errDayValue     = apperr.New(apperr.HouseLimit, "House rules limit the value that you can give away per day. Nothing was given.")
)

// checkAllowance refuses gifts beyond the giver's limits. Gifts count on the day they are offered,
// whatever becomes of them.
func (s *Service) checkAllowance(tx *db.Tx, giver string, r request, entries []inventory.Entry) error {
	if r.wallet != "" {
		waiting, err := countWaiting(tx, giver, r.wallet)
		if err == nil && waiting >= policy.MaxGiftsWaiting {
			err = errTooManyWaiting
		}
		if err != nil {
			return err
		}
	}
	today, err := givenSince(tx, giver, limits.Day.Began(db.Micros(tx.Now)))
	if err != nil {
		return err
	}
	renews := httpapi.Timestamp(limits.Day.Ends(tx.Now))
	if today.items+int64(len(entries)) > policy.MaxGiftItems {
		return errTooManyItems.WithDetails(Limit{"gift-items", policy.MaxGiftItems, renews})
	}
	most := s.Rules.GiftsDayCents
	if most > 0 && today.value+valueOf(entries) > most {
		return errDayValue.WithDetails(limits.HouseRule{Rule: "giftsDayCents", Most: int64(most), RenewsAt: renews})
	}
	return nil
}

func valueOf(entries []inventory.Entry) (total money.Cents) {
	for _, e := range entries {
		total += e.Item.BaseValue
	}
	return total
}

// message returns the message that the giver signs. Its first line differs from those of other
// messages, so that the signature can't be used for anything else.
func (r request) message(site httpapi.PublicURL, giver string, entries []inventory.Entry, c challenge) string {
	var items strings.Builder
	for i, e := range entries {
		fmt.Fprintf(&items, "%d. %s [%s]\n", i+1, e.Item.Name, e.ID)
	}
	return fmt.Sprintf(`%s asks you to confirm a gift with your Solana account:
%s

Give away the items below. The receiver has %d days to accept them. This sends no transaction and costs nothing.

%s%s
URI: %s
Version: 1
Nonce: %s
Issued At: %s
Expiration Time: %s`,
		site.Host(), giver, giftDays, items.String(), r.to(), site, c.nonce, httpapi.Timestamp(c.issuedAt), httpapi.Timestamp(c.expiresAt))
}

const giftDays = int(policy.GiftLife / (24 * time.Hour))

// to returns the line of the message that names the receiver. The audit looks for it, so it must not
// change.
func (r request) to() string {
	if r.wallet != "" {
		return "To wallet: " + r.wallet
	}
	return "To anyone with the link, secret SHA-256: " + hex.EncodeToString(r.secretHash)
}

// createChallenge returns the message to sign. It replaces the user's previous one.
func (s *Service) createChallenge(tx *db.Tx, giver httpapi.Principal, r request) (v GiftChallenge, err error) {
	entries, err := s.prepare(tx, giver, r, inventory.ByIDs)
	if err != nil {
		return v, err
	}
	account, err := ledger.Find(tx, giver.UserID)
	if err != nil {
		return v, err
	}
	if err := limits.CheckStopped(account.Play, tx.Now); err != nil {
		return v, err
	}
	if err := s.checkAllowance(tx, giver.UserID, r, entries); err != nil {
		return v, err
	}
	issued := tx.Now.Truncate(time.Millisecond)
	c := challenge{hex.EncodeToString(tx.Random(16)), issued, issued.Add(policy.GiftSignable)}
	return GiftChallenge{r.message(s.PublicURL, giver.Address, entries, c), valueOf(entries), httpapi.Timestamp(c.expiresAt)}, saveChallenge(tx, giver.UserID, c)
}

var errBadSignature = apperr.New(apperr.BadSignature, "The signature doesn't match this gift. Please sign it again.")

// signedRequest is a request with its giver's signature.
type signedRequest struct {
	request
	signature     string
	signedMessage []byte // the message as the wallet reports it; may be empty
}

// create checks a signed request and offers its entries, all or none. Bids for these entries end.
func (s *Service) create(tx *db.Tx, giver httpapi.Principal, r signedRequest) (Gift, error) {
	pending, err := consumeChallenge(tx, giver.UserID)
	if errors.Is(err, db.ErrNoRow) || err == nil && !tx.Now.Before(pending.expiresAt) {
		err = errBadSignature.Because(errors.New("no valid challenge for this user"))
	}
	if err != nil {
		return Gift{}, err
	}
	entries, err := s.prepare(tx, giver, r.request, inventory.LockAll)
	if err != nil {
		return Gift{}, err
	}
	g := Gift{
		ID: tx.NewID(), Giver: giver.UserID, Wallet: r.wallet, SecretHash: r.secretHash, State: Waiting, Signature: r.signature,
		Message: r.message(s.PublicURL, giver.Address, entries, pending), CreatedAt: tx.Now, ExpiresAt: tx.Now.Add(policy.GiftLife),
	}
	err = identity.VerifyText(s.PublicURL.Host(), g.Message, giver.Address, g.Signature, r.signedMessage)
	if err != nil {
		return Gift{}, errBadSignature.Because(err)
	}
	account, err := match.EndBidsOn(tx, r.entries, giver.UserID)
	if err != nil {
		return Gift{}, err
	}
	if err := limits.CheckStopped(account, tx.Now); err != nil {
		return Gift{}, err
	}
	if err := s.checkRole(tx, giver.UserID); err != nil {
		return Gift{}, err
	}
	if err := s.checkAllowance(tx, giver.UserID, r.request, entries); err != nil {
		return Gift{}, err
	}
	return g, s.store(tx, g, entries)
}

// store stores a new gift, moves its entries and alerts the receiver.
func (s *Service) store(tx *db.Tx, g Gift, entries []inventory.Entry) error {
	items, steps := make([]Item, len(entries)), make([]inventory.GiftStep, len(entries))
	for i, e := range entries {
		items[i], steps[i] = Item{g.ID, e.ID, e.Item.BaseValue}, inventory.GiftStep{Entry: e, Gift: g.ID}
	}
	if err := inventory.ApplyGiftSteps(tx, inventory.OfferingGift, g.Giver, steps); err != nil {
		return err
	}
	if err := insertGift(tx, g); err != nil {
		return err
	}
	if err := insertItems(tx, items); err != nil {
		return err
	}
	return s.alertReceiver(tx, g, entries[0])
}

// alertReceiver alerts the user who owns the gift's wallet, if there is one who could accept it now.
func (s *Service) alertReceiver(tx *db.Tx, g Gift, first inventory.Entry) error {
	if g.isLink() {
		return nil
	}
	receiver, err := identity.ByAddress(tx, g.Wallet)
	if errors.Is(err, db.ErrNoRow) {
		return nil
	}
	if err != nil {
		return err
	}
	account, err := ledger.Find(tx, receiver.ID)
	if err != nil {
		return err
	}
	blocked, err := isBlocked(tx, receiver.ID, g.Giver)
	if err != nil {
		return err
	}
	if blocked || isStopped(account.Play, tx.Now) || receiver.GiftsOff || receiver.Role == "admin" && !s.Sandbox {
		return nil
	}
	return alerts.Add(tx, []alerts.Alert{newAlert(receiver.ID, g.ID, alerts.GiftOffered, first.Item.ID)})
}

// isStopped reports whether a user is frozen, or in a time-out or exclusion.
func isStopped(p ledger.PlayLimits, now time.Time) bool { return limits.CheckStopped(p, now) != nil }

func newAlert(user, gift string, event alerts.GiftEvent, item string) alerts.Alert {
	return alerts.Alert{User: user, Kind: alerts.Gift, Item: item, Gift: gift, GiftEvent: event}
}

// Welcome alerts a new user about the gifts that wait for their wallet.
func Welcome(tx *db.Tx, u identity.User) error {
	waiting, err := waitingFor(tx, u.Address)
	if err != nil || len(waiting) == 0 {
		return err
	}
	offers := make([]alerts.Alert, len(waiting))
	for i, w := range waiting {
		offers[i] = newAlert(u.ID, w.gift, alerts.GiftOffered, w.item)
	}
	return alerts.Add(tx, offers)
}

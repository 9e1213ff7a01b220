package redemptions

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/identity"
	"kaibao/internal/inventory"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// ShippingOrder is a validated request to ship entries to an address.
type ShippingOrder struct {
	Entries       []inventory.Entry
	Address       Address
	Spelling      originalSpelling
	Value         money.Cents
	ShippingPrice money.Cents
}

// challenge is the part of a message that isn't in the user's request: it is stored until the user signs.
type challenge struct {
	Nonce               string
	Price               money.Cents
	IssuedAt, ExpiresAt time.Time
}

// claimRefusals lists why an entry can't be claimed; the first match is reported.
var claimRefusals = []inventory.Refusal{
	{Applies: func(e inventory.Entry, user string) bool { return e.Owner != user }, Error: apperr.Missing("Item")},
	{Applies: func(e inventory.Entry, _ string) bool { return e.State == inventory.SoldBack },
		Error: apperr.New(apperr.AlreadySold, "You've already sold this item.")},
	{Applies: func(e inventory.Entry, _ string) bool { return e.State == inventory.Listed },
		Error: apperr.New(apperr.AlreadyListed, "This item is listed on the marketplace. Delist it first, then claim it.")},
	{Applies: func(e inventory.Entry, _ string) bool { return e.State == inventory.Giving },
		Error: apperr.New(apperr.GiftWaiting, "This item is waiting to be accepted as a gift. Cancel the gift first, then claim it.")},
	{Applies: func(e inventory.Entry, _ string) bool { return e.State != inventory.Held },
		Error: apperr.New(apperr.AlreadyClaimed, "You've already claimed this item.")},
	{Applies: func(e inventory.Entry, user string) bool { return !e.Allows(inventory.Claiming, user) },
		Error: apperr.New(apperr.NotVaulted, "Only items in the vault can be claimed. Send it there first.")},
}

// prepareOrder validates a request and computes its value and price. loadEntries reads or locks the entries.
func (s *Service) prepareOrder(tx *db.Tx, user string, ids []string, address Address, loadEntries func(*db.Tx, []string) (map[string]inventory.Entry, error)) (o ShippingOrder, err error) {
	if err := inventory.CheckIDs(ids, policy.MaxClaimItems); err != nil {
		return o, err
	}
	o.Address, err = address.validate()
	if err != nil {
		return o, err
	}
	o.Spelling = newOriginalSpelling(address, o.Address)
	rate, ok := s.Shipping.rates[o.Address.Country]
	if !ok {
		return o, apperr.InvalidField("address.country", "is not a country we ship to")
	}
	entriesByID, err := loadEntries(tx, ids)
	if err != nil {
		return o, err
	}
	o.Entries, err = inventory.Permitted(entriesByID, ids, user, claimRefusals)
	if err != nil {
		return o, err
	}
	for _, e := range o.Entries {
		o.Value += e.QuoteValue
	}
	o.ShippingPrice = rate.Price(len(o.Entries), o.Value)
	return o, s.checkFiniteStock(tx, o.Entries)
}

// checkFiniteStock refuses cards whose stock was unlimited when they were drawn, outside the sandbox:
// Kaibao may not have enough of them.
func (s *Service) checkFiniteStock(tx *db.Tx, entries []inventory.Entry) error {
	if s.Sandbox {
		return nil
	}
	hashes, err := loadManifestHashes(tx, entries)
	if err != nil {
		return err
	}
	var unlimited []string
	for _, e := range entries {
		m, err := s.Packs.Manifest(tx, hashes[e.OpeningID])
		if err != nil {
			return err
		}
		if !m.ContainsFinite(e.Item.ID) {
			unlimited = append(unlimited, e.ID)
		}
	}
	if unlimited != nil {
		return apperr.New(apperr.NotClaimable, "Only items of limited stock can be claimed.").WithDetails(inventory.Refused{InventoryIDs: unlimited})
	}
	return nil
}

// message returns the message that the owner signs. It begins differently from a sign-in message, so
// that neither signature can be used as the other.
func (o ShippingOrder) message(site httpapi.PublicURL, wallet, addressHash string, c challenge) string {
	var items strings.Builder
	for i, e := range o.Entries {
		fmt.Fprintf(&items, "%d. %s [%s]\n", i+1, e.Item.Name, e.ID)
	}
	return fmt.Sprintf(`%s asks you to confirm a claim with your Solana account:
%s

Send me the items below. This sends no transaction; the shipping is paid in points.

%sShipping: %s points
Address SHA-256: %s
URI: %s
Version: 1
Nonce: %s
Issued At: %s
Expiration Time: %s`,
		site.Host(), wallet, items.String(), c.Price, addressHash, site, c.Nonce, httpapi.Timestamp(c.IssuedAt), httpapi.Timestamp(c.ExpiresAt))
}

const saltBytes = 16

// createChallenge computes a claim's price and the message to sign. A new challenge replaces the user's
// previous one.
func (s *Service) createChallenge(tx *db.Tx, user httpapi.Principal, ids []string, address Address) (v ClaimChallenge, err error) {
	o, err := s.prepareOrder(tx, user.UserID, ids, address, inventory.ByIDs)
	if err != nil {
		return v, err
	}
	salt, issuedAt := tx.Random(saltBytes), tx.Now.Truncate(time.Millisecond)
	c := challenge{Nonce: hex.EncodeToString(tx.Random(16)), Price: o.ShippingPrice, IssuedAt: issuedAt, ExpiresAt: issuedAt.Add(policy.ClaimSignable)}
	hash, err := o.Address.hash(salt)
	if err != nil {
		return v, err
	}
	return ClaimChallenge{
		Message: o.message(s.PublicURL, user.Address, hash, c), Address: o.Address, AddressSalt: hex.EncodeToString(salt), AddressHash: hash,
		ValueCents: o.Value, ShippingCents: o.ShippingPrice, ExpiresAt: httpapi.Timestamp(c.ExpiresAt),
	}, saveChallenge(tx, user.UserID, c)
}

// CurrentPrice is the detail of a price_changed error.
type CurrentPrice struct {
	ShippingCents money.Cents `json:"shippingCents"`
}

var errBadSignature = apperr.New(apperr.BadSignature, "The signature doesn't match this claim. Please sign it again.")

// signedRequest is a claim request with its owner's signature.
type signedRequest struct {
	ids             []string
	address         Address
	salt, signature string
	signedMessage   []byte // the message as the wallet reports it; may be empty
}

// createClaim checks a signed request and claims its entries, all or none.
func (s *Service) createClaim(tx *db.Tx, user httpapi.Principal, signed signedRequest) (Claim, error) {
	o, err := s.prepareOrder(tx, user.UserID, signed.ids, signed.address, inventory.LockAll)
	if err != nil {
		return Claim{}, err
	}
	pending, err := consumeChallenge(tx, user.UserID)
	if errors.Is(err, db.ErrNoRow) || err == nil && !tx.Now.Before(pending.ExpiresAt) {
		err = errBadSignature.Because(errors.New("no valid challenge for this user"))
	}
	if err != nil {
		return Claim{}, err
	}
	if pending.Price != o.ShippingPrice {
		return Claim{}, apperr.New(apperr.PriceChanged, "The shipping price has changed since you were asked to sign. Nothing was claimed, and you were not charged.").
			WithDetails(CurrentPrice{o.ShippingPrice})
	}
	salt, err := hex.DecodeString(signed.salt)
	if err != nil || len(salt) != saltBytes {
		return Claim{}, apperr.InvalidField("addressSalt", "differs from the quoted one")
	}
	hash, err := o.Address.hash(salt)
	if err != nil {
		return Claim{}, err
	}
	c := Claim{
		ID: tx.NewID(), User: user.UserID, State: Requested, Shipping: o.ShippingPrice, Signature: signed.signature,
		Message: o.message(s.PublicURL, user.Address, hash, pending), Version: 1, CreatedAt: tx.Now,
	}
	err = identity.VerifyText(s.PublicURL.Host(), c.Message, user.Address, c.Signature, signed.signedMessage)
	if err != nil {
		return Claim{}, errBadSignature.Because(err)
	}
	accounts, err := ledger.LockAll(tx, []string{user.UserID})
	if err == nil && accounts[user.UserID].Play.Frozen() {
		err = apperr.ErrFrozen
	}
	if err != nil {
		return Claim{}, err
	}
	return c, s.storeClaim(tx, c, o, salt)
}

// storeClaim charges the shipping, claims the entries, and stores the address encrypted.
func (s *Service) storeClaim(tx *db.Tx, c Claim, o ShippingOrder, salt []byte) error {
	if err := transferNonZero(tx, ledger.Transfer{Debit: ledger.Account(c.User), Credit: ledger.Shipping, Amount: c.Shipping, Kind: ledger.KindShipping, Ref: c.ID}); err != nil {
		return err
	}
	steps, items := make([]inventory.ClaimStep, len(o.Entries)), make([]Item, len(o.Entries))
	for i, e := range o.Entries {
		steps[i], items[i] = inventory.ClaimStep{Entry: e, Claim: c.ID}, Item{Claim: c.ID, Entry: e.ID, Value: e.QuoteValue}
	}
	if err := inventory.ApplyClaimSteps(tx, inventory.Claiming, c.User, steps); err != nil {
		return err
	}
	key, err := s.Keys.Sealing(tx)
	if err != nil {
		return err
	}
	sealed, err := seal(key, c.ID, addressPlaintext{o.Address, salt, o.Spelling})
	if err != nil {
		return err
	}
	event := Event{Claim: c.ID, Number: 1, Step: Request, UserID: c.User, At: tx.Now}
	return errors.Join(insertClaim(tx, c), insertItems(tx, items), insertEvents(tx, []Event{event}), insertAddress(tx, sealed))
}

// transferNonZero makes the transfers with an amount above zero: shipping may be free.
func transferNonZero(tx *db.Tx, transfers ...ledger.Transfer) error {
	_, err := ledger.Move(tx, slices.DeleteFunc(transfers, func(t ledger.Transfer) bool { return t.Amount == 0 })...)
	return err
}

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

// Order is a validated request to ship entries to an address.
type Order struct {
	Entries []inventory.Entry
	Address Address
	Typed   spelling // original spelling of the address
	Value   money.Cents
	Price   money.Cents // of shipping
}

// challenge is a pending request for a signature.
type challenge struct {
	Nonce           string
	Price           money.Cents
	Issued, Expires time.Time
}

// Unclaimable names the entries for which a claim is refused.
type Unclaimable struct {
	InventoryIDs []string `json:"inventoryIds"`
}

// refusals lists why an entry can't be claimed; the first match is reported.
var refusals = []struct {
	fits    func(e inventory.Entry, user string) bool
	refusal *apperr.Error
}{
	{func(e inventory.Entry, user string) bool { return e.Owner != user }, apperr.Missing("Item")},
	{func(e inventory.Entry, _ string) bool { return e.State == inventory.SoldBack },
		apperr.New(apperr.AlreadySold, "You have sold this item already.")},
	{func(e inventory.Entry, _ string) bool { return e.State == inventory.Listed },
		apperr.New(apperr.AlreadyListed, "This item is on the marketplace. Take it off first, then claim it.")},
	{func(e inventory.Entry, _ string) bool { return e.State != inventory.Held },
		apperr.New(apperr.AlreadyClaimed, "You have claimed this item already.")},
	{func(e inventory.Entry, user string) bool { return !e.Allows(inventory.Claiming, user) },
		apperr.New(apperr.NotVaulted, "Only items in the vault can be claimed. Send it there first.")},
}

// claimable returns the entries in the order of ids, or refuses all if the user can't claim one of
// them.
func claimable(found map[string]inventory.Entry, ids []string, user string) ([]inventory.Entry, error) {
	for _, why := range refusals {
		named := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !why.fits(found[id], user) })
		if len(named) > 0 {
			return nil, why.refusal.WithDetails(Unclaimable{named})
		}
	}
	entries := make([]inventory.Entry, len(ids))
	for n, id := range ids {
		entries[n] = found[id]
	}
	return entries, nil
}

func checkIDs(ids []string) error {
	if err := apperr.Within("inventoryIds", int64(len(ids)), 1, policy.MostClaimed); err != nil {
		return err
	}
	for n, id := range ids {
		if slices.Contains(ids[:n], id) {
			return apperr.InvalidField(fmt.Sprintf("inventoryIds[%d]", n), "is named before")
		}
	}
	return nil
}

// order validates a request and computes its value and price. read fetches the entries.
func (s *Service) order(tx *db.Tx, user string, ids []string, to Address, read func(*db.Tx, []string) (map[string]inventory.Entry, error)) (o Order, err error) {
	if err := checkIDs(ids); err != nil {
		return o, err
	}
	o.Address, err = to.check()
	if err != nil {
		return o, err
	}
	o.Typed = o.Address.spelled(to)
	rate, ships := s.Shipping.rates[o.Address.Country]
	if !ships {
		return o, apperr.InvalidField("address.country", "is not one that we send to")
	}
	found, err := read(tx, ids)
	if err != nil {
		return o, err
	}
	o.Entries, err = claimable(found, ids, user)
	if err != nil {
		return o, err
	}
	for _, e := range o.Entries {
		o.Value += e.QuoteValue
	}
	o.Price = rate.Price(len(o.Entries), o.Value)
	return o, s.checkFinite(tx, o.Entries)
}

// checkFinite refuses cards whose stock was unlimited when they were drawn, outside the sandbox:
// Kaibao may not have enough of them.
func (s *Service) checkFinite(tx *db.Tx, entries []inventory.Entry) error {
	if s.Sandbox {
		return nil
	}
	drawn, err := manifestsOf(tx, entries)
	if err != nil {
		return err
	}
	var endless []string
	for _, e := range entries {
		m, err := s.Packs.Manifest(tx, drawn[e.OpeningID])
		if err != nil {
			return err
		}
		if !m.FiniteCard(e.Item.ID) {
			endless = append(endless, e.ID)
		}
	}
	if endless != nil {
		return apperr.New(apperr.NotClaimable, "Only items of limited stock can be claimed.").WithDetails(Unclaimable{endless})
	}
	return nil
}

// text returns the message that the owner signs. It begins differently from a sign-in message, so
// that neither signature can be used as the other.
func (o Order) text(to httpapi.PublicURL, wallet, addressHash string, c challenge) string {
	var items strings.Builder
	for n, e := range o.Entries {
		fmt.Fprintf(&items, "%d. %s [%s]\n", n+1, e.Item.Name, e.ID)
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
		to.Host(), wallet, items.String(), c.Price, addressHash, to, c.Nonce, httpapi.Timestamp(c.Issued), httpapi.Timestamp(c.Expires))
}

const saltBytes = 16

// challenge computes a claim's price and the message to sign. A new challenge replaces the user's
// previous one.
func (s *Service) challenge(tx *db.Tx, user httpapi.Principal, ids []string, to Address) (v ClaimChallenge, err error) {
	o, err := s.order(tx, user.UserID, ids, to, inventory.ByIDs)
	if err != nil {
		return v, err
	}
	salt, issued := tx.Random(saltBytes), tx.Now.Truncate(time.Millisecond)
	c := challenge{Nonce: hex.EncodeToString(tx.Random(16)), Price: o.Price, Issued: issued, Expires: issued.Add(policy.ClaimSignable)}
	hash, err := o.Address.hash(salt)
	if err != nil {
		return v, err
	}
	return ClaimChallenge{
		Message: o.text(s.PublicURL, user.Address, hash, c), Address: o.Address, AddressSalt: hex.EncodeToString(salt), AddressHash: hash,
		ValueCents: o.Value, ShippingCents: o.Price, ExpiresAt: httpapi.Timestamp(c.Expires),
	}, keepChallenge(tx, user.UserID, c)
}

// CurrentPrice is the detail of a price_changed error.
type CurrentPrice struct {
	ShippingCents money.Cents `json:"shippingCents"`
}

var errUnsigned = apperr.New(apperr.BadSignature, "The signature does not confirm this claim. Please sign it again.")

// signed is a claim request with its owner's signature.
type signed struct {
	ids             []string
	to              Address
	salt, signature string
	message         []byte // the text that the wallet says it signed; may be empty
}

// request claims entries, all or none.
func (s *Service) request(tx *db.Tx, user httpapi.Principal, asked signed) (Claim, error) {
	o, err := s.order(tx, user.UserID, asked.ids, asked.to, inventory.LockAll)
	if err != nil {
		return Claim{}, err
	}
	given, err := takeChallenge(tx, user.UserID)
	if errors.Is(err, db.ErrNoRow) || err == nil && !tx.Now.Before(given.Expires) {
		err = errUnsigned.Because(errors.New("no living challenge of this user"))
	}
	if err != nil {
		return Claim{}, err
	}
	if given.Price != o.Price {
		return Claim{}, apperr.New(apperr.PriceChanged, "The price of shipping has changed since you were asked to sign. Nothing was claimed.").
			WithDetails(CurrentPrice{o.Price})
	}
	salt, err := hex.DecodeString(asked.salt)
	if err != nil || len(salt) != saltBytes {
		return Claim{}, apperr.InvalidField("addressSalt", "is not what was given")
	}
	hash, err := o.Address.hash(salt)
	if err != nil {
		return Claim{}, err
	}
	c := Claim{
		ID: tx.NewID(), User: user.UserID, State: Requested, Shipping: o.Price, Signature: asked.signature,
		Message: o.text(s.PublicURL, user.Address, hash, given), Version: 1, CreatedAt: tx.Now,
	}
	err = identity.VerifyText(s.PublicURL.Host(), c.Message, user.Address, c.Signature, asked.message)
	if err != nil {
		return Claim{}, errUnsigned.Because(err)
	}
	return c, s.begin(tx, c, o, salt)
}

// begin charges the shipping, claims the entries, and stores the address encrypted.
func (s *Service) begin(tx *db.Tx, c Claim, o Order, salt []byte) error {
	if err := pay(tx, ledger.Transfer{Debit: ledger.Account(c.User), Credit: ledger.Shipping, Amount: c.Shipping, Kind: ledger.KindShipping, Ref: c.ID}); err != nil {
		return err
	}
	steps, items := make([]inventory.ClaimStep, len(o.Entries)), make([]Item, len(o.Entries))
	for n, e := range o.Entries {
		steps[n], items[n] = inventory.ClaimStep{Entry: e, Claim: c.ID}, Item{Claim: c.ID, Entry: e.ID, Value: e.QuoteValue}
	}
	if err := inventory.ApplyClaimSteps(tx, inventory.Claiming, c.User, steps); err != nil {
		return err
	}
	kept, err := s.Keys.seal(c.ID, secret{o.Address, salt, o.Typed})
	if err != nil {
		return err
	}
	event := Event{Claim: c.ID, Number: 1, Act: Request, By: c.User, At: tx.Now}
	return errors.Join(insert(tx, c), insertItems(tx, items), insertEvents(tx, []Event{event}), insertAddress(tx, kept))
}

// pay makes the transfers, skipping zero amounts: shipping may be free.
func pay(tx *db.Tx, transfers ...ledger.Transfer) error {
	_, err := ledger.Move(tx, slices.DeleteFunc(transfers, func(t ledger.Transfer) bool { return t.Amount == 0 })...)
	return err
}

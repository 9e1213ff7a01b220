package redemptions

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/inventory"
	"kaibao/internal/money"
)

// ClaimChallenge has the message to sign for a claim, and its price.
type ClaimChallenge struct {
	Message       string      `json:"message" doc:"The exact text to sign."`
	Address       Address     `json:"address" doc:"The normalized address that is stored and signed. Send the claim with the address as typed, which is kept for the label."`
	AddressSalt   string      `json:"addressSalt" doc:"Send it with the claim. Without it nobody can guess the address from its hash."`
	AddressHash   string      `json:"addressHash" doc:"SHA-256 of the line kaibao-address/v1, the salt, and the address as JSON."`
	ValueCents    money.Cents `json:"valueCents"`
	ShippingCents money.Cents `json:"shippingCents" doc:"Total shipping price, valid until expiresAt."`
	ExpiresAt     string      `json:"expiresAt"`
}

// ClaimView is a claim with its history.
type ClaimView struct {
	ID            string        `json:"id"`
	State         State         `json:"state"`
	CreatedAt     string        `json:"createdAt"`
	ShippingCents money.Cents   `json:"shippingCents"`
	ValueCents    money.Cents   `json:"valueCents" doc:"Value of the items when claimed."`
	RefundCents   money.Cents   `json:"refundCents" doc:"Refund for lost items, excluding shipping."`
	Items         []ClaimedItem `json:"items" nullable:"false"`
	Events        []ClaimStep   `json:"events" nullable:"false" doc:"Oldest first."`
	Tracking      *Tracking     `json:"tracking,omitempty" doc:"Present once shipped."`
	Cancellable   bool          `json:"cancellable" doc:"The owner can cancel it now."`
}

// ClaimedItem is one entry of a claim.
type ClaimedItem struct {
	InventoryID   string              `json:"inventoryId"`
	ValueCents    money.Cents         `json:"valueCents" doc:"Value when claimed."`
	RefundCents   *money.Cents        `json:"refundCents,omitempty"`
	SellBackUntil *string             `json:"sellBackUntil" nullable:"true" doc:"End of the price floor from the draw. It keeps running while the item is claimed."`
	Item          inventory.EntryItem `json:"item"`
}

// ClaimStep is an event of a claim.
type ClaimStep struct {
	Act  Step   `json:"act"`
	By   string `json:"by" enum:"owner,house"`
	Note string `json:"note,omitempty" doc:"An admin's reason."`
	At   string `json:"at"`
}

// Tracking identifies a claim's parcel.
type Tracking struct {
	Carrier string `json:"carrier"`
	Number  string `json:"number"`
	URL     string `json:"url,omitempty" doc:"Tracking page."`
}

// Schema implements huma.SchemaProvider.
func (State) Schema(huma.Registry) *huma.Schema {
	return enumSchema(states)
}

// Schema implements huma.SchemaProvider.
func (Step) Schema(huma.Registry) *huma.Schema {
	return enumSchema([]Step{Request, Cancel, Pack, Ship, Deliver, Lose, Replace, Refund})
}

func enumSchema[T ~string](values []T) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, v := range values {
		s.Enum = append(s.Enum, string(v))
	}
	s.PrecomputeMessages()
	return s
}

// loadViews returns the claims' views with their items and histories, in the same order.
func (s *Service) loadViews(tx *db.Tx, claims []Claim) ([]ClaimView, error) {
	items, err := loadItems(tx, claims)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(items))
	for i, item := range items {
		ids[i] = item.Entry
	}
	entries, err := inventory.ByIDs(tx, ids)
	if err != nil {
		return nil, err
	}
	events, err := loadEvents(tx, claims)
	views := make([]ClaimView, len(claims))
	for i, c := range claims {
		v := s.viewWithoutItems(c)
		for _, item := range items {
			if item.Claim == c.ID {
				v.addItem(item, entries[item.Entry])
			}
		}
		for _, e := range events {
			if e.Claim == c.ID {
				v.Events = append(v.Events, e.view(c))
			}
		}
		views[i] = v
	}
	return views, err
}

// loadView is loadViews for one claim.
func (s *Service) loadView(tx *db.Tx, c Claim) (ClaimView, error) {
	views, err := s.loadViews(tx, []Claim{c})
	if err != nil {
		return ClaimView{}, err
	}
	return views[0], nil
}

func (s *Service) viewWithoutItems(c Claim) ClaimView {
	v := ClaimView{
		ID: c.ID, State: c.State, CreatedAt: httpapi.Timestamp(c.CreatedAt), ShippingCents: c.Shipping,
		Items: []ClaimedItem{}, Events: []ClaimStep{}, Cancellable: c.allows(Cancel, actor{user: c.User}),
	}
	if c.Tracking != "" {
		v.Tracking = &Tracking{Carrier: c.Carrier, Number: c.Tracking, URL: s.Shipping.trackingURL(c.Carrier, c.Tracking)}
		if carrier, ok := s.Shipping.carriers[c.Carrier]; ok {
			v.Tracking.Carrier = carrier.Name
		}
	}
	return v
}

func (v *ClaimView) addItem(item Item, e inventory.Entry) {
	v.Items = append(v.Items, ClaimedItem{InventoryID: item.Entry, ValueCents: item.Value, RefundCents: item.Refund, SellBackUntil: e.FloorUntil(), Item: inventory.ItemView(e.Item)})
	v.ValueCents += item.Value
	if item.Refund != nil {
		v.RefundCents += *item.Refund
	}
}

func (e Event) view(c Claim) ClaimStep {
	v := ClaimStep{Act: e.Step, By: "house", Note: e.Note, At: httpapi.Timestamp(e.At)}
	if e.UserID == c.User && (e.Step == Request || e.Step == Cancel) {
		v.By = "owner"
	}
	if e.Step == Ship {
		v.Note = "" // carrier and number: the claim has the latest ones
	}
	return v
}

// Delivery is a claim's address.
type Delivery struct {
	Address Address  `json:"address"`
	Label   []string `json:"label" nullable:"false" doc:"Lines of the label, with the post code as typed."`
	Phone   string   `json:"phone" doc:"As typed; empty if none was given."`
}

// loadDeliveries decrypts the addresses of claims, keyed by claim id. Deleted addresses are left out.
func (s *Service) loadDeliveries(tx *db.Tx, claims []Claim) (map[string]Delivery, error) {
	addresses, err := loadAddresses(tx, claims)
	if err != nil {
		return nil, err
	}
	all := map[string]Delivery{}
	for _, a := range addresses {
		text, err := openSealed(s.Keys, a)
		if err != nil {
			return nil, err
		}
		var plaintext addressPlaintext
		if err := json.Unmarshal(text, &plaintext); err != nil {
			return nil, err
		}
		asTyped := plaintext.Address.withSpelling(plaintext.Spelling)
		all[a.claimID] = Delivery{plaintext.Address, asTyped.Label(), asTyped.Phone}
	}
	return all, nil
}

// joinItems formats a property of each item as one CSV cell.
func joinItems(items []ClaimedItem, property func(ClaimedItem) string) string {
	var all []string
	for _, item := range items {
		all = append(all, property(item))
	}
	return strings.Join(slices.DeleteFunc(all, func(s string) bool { return s == "" }), "; ")
}

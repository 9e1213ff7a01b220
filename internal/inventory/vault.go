package inventory

import (
	"context"
	"errors"
	"time"

	"kaibao/internal/action"
	"kaibao/internal/apperr"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/money"
)

// VaultCard is an entry in the vault (specification, section 3).
type VaultCard struct {
	ID             string        `json:"id"`
	ItemName       string        `json:"itemName"`
	Series         string        `json:"series"`
	Rarity         string        `json:"rarity" enum:"Common,Rare,Epic,Legendary,Mythic,Grail"`
	Value          money.Dollars `json:"value" doc:"In dollars."`
	BaseValueCents money.Cents   `json:"baseValueCents" doc:"The same value in cents."`
	PackName       string        `json:"packName"`
	PackNameZH     string        `json:"packNameZh,omitempty"`
	ItemID         string        `json:"itemId"`
	ImageURL       string        `json:"imageUrl"`
	State          State         `json:"state"`
	SellBackCents  money.Cents   `json:"sellBackCents" doc:"Kaibao's current offer."`
}

func (e Entry) vaultCard(now time.Time) VaultCard {
	return VaultCard{
		ID: e.ID, ItemName: e.Item.Name, Series: e.Item.Series, Rarity: e.Item.Rarity,
		Value: money.Dollars(e.Item.BaseValue), BaseValueCents: e.Item.BaseValue, PackName: e.PackName, PackNameZH: e.PackNameZH,
		ItemID: e.Item.ID, ImageURL: e.Item.Picture(), State: e.State, SellBackCents: e.Quote(now).Payout,
	}
}

func vaultCards(tx *db.Tx, entries []Entry) ([]VaultCard, error) {
	cards := make([]VaultCard, len(entries))
	for n, e := range entries {
		cards[n] = e.vaultCard(tx.Now)
	}
	return cards, nil
}

type vaultInput struct {
	action.Idempotent
	Body struct {
		ItemID      httpapi.ID `json:"itemId,omitempty" doc:"An item of the catalogue: the caller's oldest copy is used."`
		InventoryID httpapi.ID `json:"inventoryId,omitempty" doc:"A specific copy."`

		ItemName httpapi.Ignored `json:"itemName,omitempty"`
		Rarity   httpapi.Ignored `json:"rarity,omitempty"`
		Value    httpapi.Ignored `json:"value,omitempty"`
		Series   httpapi.Ignored `json:"series,omitempty"`
		PackID   httpapi.Ignored `json:"packId,omitempty"`
		PackName httpapi.Ignored `json:"packName,omitempty"`
	}
}

var (
	errNotOutside = apperr.New(apperr.NotFound, "You don't own this card outside the vault.")
	errForSale    = apperr.New(apperr.Conflict, "This card is listed on the marketplace. Delist it first, then send it to the vault.")
	errGiving     = apperr.New(apperr.GiftWaiting, "This card is waiting to be accepted as a gift. Cancel the gift first, then send it to the vault.")
	errClaimed    = apperr.New(apperr.Conflict, "This card is being shipped to you.")
)

// vaultEntry sends an entry of the caller to the vault.
func vaultEntry(tx *db.Tx, caller httpapi.Principal, in *vaultInput) (VaultCard, error) {
	e, err := lockEntryToVault(tx, caller.UserID, string(in.Body.InventoryID), string(in.Body.ItemID))
	if err != nil {
		return VaultCard{}, err
	}
	switch {
	case e.Allows(Vaulting, caller.UserID):
		e, err = sendToVault(tx, e, caller.UserID)
		return e.vaultCard(tx.Now), err
	case e.Vaulted:
		return VaultCard{}, errNotOutside
	case e.State == Listed:
		return VaultCard{}, errForSale
	case e.State == Giving:
		return VaultCard{}, errGiving
	}
	return VaultCard{}, errClaimed
}

// lockEntryToVault locks the entry that the user identified by its id, its item, or both.
func lockEntryToVault(tx *db.Tx, user, id, item string) (e Entry, err error) {
	if id == "" && item == "" {
		return e, apperr.InvalidField("itemId", "or inventoryId is required")
	}
	if id == "" {
		id, err = oldestOutsideVault(tx, user, item)
	}
	if err == nil {
		e, err = LockOwn(tx, user, id)
	}
	if errors.Is(err, db.ErrNoRow) || err == nil && item != "" && e.Item.ID != item {
		err = errNotOutside
	}
	return e, err
}

// oldestOutsideVault returns the oldest entry of an item outside the vault that can be sent there.
// If none can, it returns one that shows why.
func oldestOutsideVault(tx *db.Tx, user, item string) (id string, err error) {
	for _, state := range ownedStates {
		id, err = oldestInState(tx, user, item, state)
		if !errors.Is(err, db.ErrNoRow) {
			break
		}
	}
	return id, err
}

type vaultListInput struct {
	catalogue.Filter
	httpapi.Page
}

func vaultRoutes(api *httpapi.API) {
	action.Handle(api, httpapi.Post(httpapi.Session, "/api/inventory/vault", "send-to-vault", "Send an item to the vault", apperr.NotFound, apperr.Conflict, apperr.GiftWaiting), vaultEntry)
	httpapi.Handle(api, httpapi.Get(httpapi.Session, "/api/inventory/vault", "list-vault-cards", "The caller's vault in short form, newest first"),
		func(ctx context.Context, in *struct{ httpapi.Page }) (*httpapi.List[VaultCard], error) {
			return list(ctx, api.DB, catalogue.Filter{}, in.Page, vaultCards, vaultedEntries)
		})
	httpapi.Handle(api, httpapi.Get(httpapi.Session, "/api/vault", "list-vault", "The caller's vault"),
		func(ctx context.Context, in *vaultListInput) (*httpapi.List[OwnView], error) {
			return list(ctx, api.DB, in.Filter, in.Page, ownViews, vaultedEntries)
		})
}

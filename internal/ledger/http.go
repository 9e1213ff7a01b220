package ledger

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"kaibao/internal/csvfile"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/money"
)

// Wallet is the API representation of a user's balance.
type Wallet struct {
	DisplayBalance money.Dollars `json:"displayBalance" doc:"The balance in Play Points, with at most 2 decimals."`
	BalanceCents   money.Cents   `json:"balanceCents"`
}

// OwnWallet is the caller's balance, and the money held for their bids.
type OwnWallet struct {
	Wallet
	HeldCents money.Cents `json:"heldCents" doc:"Amount held for the caller's open bids. It isn't part of the balance."`
}

// NewWallet returns the API representation of a balance.
func NewWallet(balance money.Cents) Wallet {
	return Wallet{DisplayBalance: money.Dollars(balance), BalanceCents: balance}
}

// Entry is the API representation of a line.
type Entry struct {
	ID           string      `json:"id"`
	Kind         string      `json:"kind"`
	AmountCents  money.Cents `json:"amountCents" doc:"Negative for payments by the caller."`
	BalanceCents money.Cents `json:"balanceCents" doc:"Balance after this line."`
	RefKind      RefKind     `json:"refKind" doc:"What ref refers to."`
	Ref          string      `json:"ref"`
	InventoryID  string      `json:"inventoryId,omitempty" doc:"The item sold, if any."`
	Reason       string      `json:"reason,omitempty" doc:"Of a debit: why an admin took the points back."`
	CreatedAt    string      `json:"createdAt"`
}

// NewEntry returns the API representation of a line.
func NewEntry(l Line) Entry {
	e := Entry{
		ID: l.ID, Kind: l.Kind, AmountCents: l.Amount, BalanceCents: l.Balance,
		RefKind: refKinds[l.Kind], Ref: l.Ref, CreatedAt: httpapi.Timestamp(l.At),
	}
	if l.Kind == KindDebit {
		e.Reason = l.Note
	}
	return e
}

// Routes registers the endpoints of the wallet and of the admins' list of transfers.
func Routes(api *httpapi.API) {
	adminRoutes(api)
	httpapi.JSON(api, httpapi.Get(httpapi.Session, "/api/wallet", "get-wallet", "The caller's balance"),
		func(ctx context.Context, _ *struct{}) (OwnWallet, error) {
			var account AccountRow
			err := api.DB.Read(ctx, func(tx *db.Tx) (err error) {
				account, err = Find(tx, httpapi.Caller(ctx).UserID)
				return err
			})
			return OwnWallet{NewWallet(account.Balance), account.InBids}, err
		})
	csvfile.Table(api, httpapi.Get(httpapi.Session, "/api/wallet/transactions", "list-transactions", "The caller's ledger lines, newest first"),
		"kaibao", []string{"time", "kind", "amount", "balance", "refKind", "ref", "id"}, lineRecord,
		func(ctx context.Context, in *linesInput) (*httpapi.List[Entry], error) {
			return listEntries(ctx, api.DB, in)
		})
}

type linesInput struct {
	csvfile.PagedInput
	Kind Kind      `query:"kind"`
	From time.Time `query:"from" doc:"Earliest time, inclusive."`
	To   time.Time `query:"to" doc:"Latest time, exclusive."`
}

// Kind is the kind of a transfer.
type Kind string

// Schema implements huma.SchemaProvider.
func (Kind) Schema(huma.Registry) *huma.Schema { return enumSchema(slices.Sorted(maps.Keys(flows))) }

// Schema implements huma.SchemaProvider.
func (RefKind) Schema(huma.Registry) *huma.Schema {
	return enumSchema(slices.Compact(slices.Sorted(maps.Values(refKinds))))
}

func enumSchema[T ~string](values []T) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, v := range values {
		s.Enum = append(s.Enum, string(v))
	}
	s.PrecomputeMessages()
	return s
}

// lineRecord returns a line as a CSV record, amounts in points.
func lineRecord(e Entry) []string {
	return []string{e.CreatedAt, e.Kind, e.AmountCents.String(), e.BalanceCents.String(), string(e.RefKind), e.Ref, e.ID}
}

func listEntries(ctx context.Context, d *db.DB, in *linesInput) (*httpapi.List[Entry], error) {
	selectPage := func(limit int, cursor string) (*db.Selection[Line], error) {
		page, err := newestFirst.Select(limit, cursor)
		if err != nil {
			return nil, err
		}
		if in.Kind != "" {
			page.Where("kind = ?", string(in.Kind))
		}
		if !in.From.IsZero() {
			page.Where("created_at >= ?", db.Micros(in.From))
		}
		if !in.To.IsZero() {
			page.Where("created_at < ?", db.Micros(in.To))
		}
		return page, nil
	}
	return httpapi.Paged(ctx, d.Read, in.Page, selectPage, func(tx *db.Tx, page *db.Selection[Line]) ([]Entry, error) {
		rows, err := listLines(tx, httpapi.Caller(ctx).UserID, page)
		if err != nil {
			return nil, err
		}
		sold, err := soldEntries(tx, rows)
		entries := make([]Entry, len(rows))
		for i, line := range rows {
			entries[i] = NewEntry(line)
			entries[i].InventoryID = sold[line.Ref]
		}
		return entries, err
	})
}

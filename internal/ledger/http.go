package ledger

import (
	"context"

	"kaibao/internal/db"
	"kaibao/internal/httpkit"
	"kaibao/internal/money"
)

// Wallet is a user's balance as the contract writes it.
type Wallet struct {
	DisplayBalance money.Dollars `json:"displayBalance" doc:"Play Points, at most 2 decimals."`
	BalanceCents   money.Cents   `json:"balanceCents"`
}

// NewWallet shows a balance.
func NewWallet(balance money.Cents) Wallet {
	return Wallet{DisplayBalance: money.Dollars(balance), BalanceCents: balance}
}

// Entry is a line as the contract writes it.
type Entry struct {
	ID           string      `json:"id"`
	Kind         string      `json:"kind"`
	AmountCents  money.Cents `json:"amountCents" doc:"Signed: negative when paid."`
	BalanceCents money.Cents `json:"balanceCents" doc:"The balance after it."`
	Ref          string      `json:"ref"`
	CreatedAt    string      `json:"createdAt"`
}

// NewEntry shows a line.
func NewEntry(l Line) Entry {
	return Entry{
		ID: l.ID, Kind: l.Kind, AmountCents: l.Amount, BalanceCents: l.Balance,
		Ref: l.Ref, CreatedAt: httpkit.Timestamp(l.At),
	}
}

// Routes registers the wallet's calls.
func Routes(k *httpkit.Kit) {
	httpkit.JSON(k, httpkit.Get(httpkit.Session, "/api/wallet", "get-wallet", "The caller's balance"),
		func(ctx context.Context, _ *struct{}) (Wallet, error) {
			var balance money.Cents
			err := k.DB.Read(ctx, func(tx *db.Tx) (err error) {
				balance, err = Balance(tx, httpkit.Caller(ctx).UserID)
				return err
			})
			return NewWallet(balance), err
		})
	httpkit.Handle(k, httpkit.Get(httpkit.Session, "/api/wallet/transactions", "list-transactions", "The caller's ledger lines, newest first"),
		func(ctx context.Context, in *struct{ httpkit.Page }) (*httpkit.List[Entry], error) {
			return listEntries(ctx, k.DB, in.Page)
		})
}

func listEntries(ctx context.Context, d *db.DB, page httpkit.Page) (*httpkit.List[Entry], error) {
	return httpkit.Paged(ctx, d.Read, page, newestFirst.Select, func(tx *db.Tx, page *db.Selection[Line]) ([]Entry, error) {
		found, err := lines(tx, httpkit.Caller(ctx).UserID, page)
		entries := make([]Entry, len(found))
		for n, line := range found {
			entries[n] = NewEntry(line)
		}
		return entries, err
	})
}

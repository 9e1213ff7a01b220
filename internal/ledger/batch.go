package ledger

import (
	"fmt"
	"maps"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/money"
)

// Batch collects transfers between house accounts and users whose account rows it has locked.
// Each transfer starts from the balances after the earlier ones. Save writes them all.
type Batch struct {
	tx        *db.Tx
	locked    map[string]AccountRow // by user, as they were locked
	current   map[Account]lineState // the accounts that the transfers changed
	transfers []postedTransfer
}

// lineState is the state of an account after a line. Accounts of bids have no lines.
type lineState struct {
	line    int64
	balance money.Cents
}

// postedTransfer is a transfer and the resulting states of its users' accounts. They are nil for
// house accounts and accounts of bids.
type postedTransfer struct {
	Transfer
	id            string
	debit, credit *lineState
}

// LockBatch locks the accounts of users, if any, and returns an empty batch.
func LockBatch(tx *db.Tx, userIDs []string) (b *Batch, err error) {
	b = &Batch{tx: tx, current: map[Account]lineState{}}
	if len(userIDs) > 0 {
		b.locked, err = LockAll(tx, userIDs)
	}
	return b, err
}

// Move adds transfers to the batch in the given order, all or none. If a user's balance doesn't
// cover a debit it returns ErrInsufficientFunds. It returns the users' lines.
func (b *Batch) Move(transfers ...Transfer) (lines []Line, err error) {
	pending, moved := map[Account]lineState{}, make([]postedTransfer, len(transfers))
	for i, transfer := range transfers {
		if permitted, ok := flows[transfer.Kind]; transfer.Amount <= 0 || transfer.Debit == transfer.Credit || !ok || permitted != transfer.flow() {
			return nil, fmt.Errorf("transfer %s of %s from %s to %s is not allowed for its kind", transfer.Kind, transfer.Amount, transfer.Debit, transfer.Credit)
		}
		r := postedTransfer{Transfer: transfer, id: b.tx.NewID()}
		r.debit, err = b.adjust(pending, transfer.Debit, -transfer.Amount)
		if err != nil {
			return nil, err
		}
		r.credit, err = b.adjust(pending, transfer.Credit, transfer.Amount)
		if err != nil {
			return nil, err
		}
		moved[i] = r
		lines = append(lines, r.lines(b.tx.Now)...)
	}
	maps.Copy(b.current, pending)
	b.transfers = append(b.transfers, moved...)
	return lines, nil
}

// adjust adds an amount to an account's balance in pending, which has the changes that aren't in the
// batch yet. It returns the new state of an account that has lines.
func (b *Batch) adjust(pending map[Account]lineState, account Account, amount money.Cents) (*lineState, error) {
	if account.isHouse() {
		return nil, nil
	}
	user, inBids := account.user()
	row, ok := b.locked[user]
	if !ok {
		return nil, fmt.Errorf("account of %s: %w", user, db.ErrNoRow)
	}
	s := lineState{row.Lines, row.Balance}
	if inBids {
		s = lineState{balance: row.InBids}
	}
	for _, states := range []map[Account]lineState{b.current, pending} {
		if newer, ok := states[account]; ok {
			s = newer
		}
	}
	s.balance += amount
	switch {
	case s.balance < 0 && inBids:
		return nil, fmt.Errorf("bids of %s hold %s too little for the transfers", user, -s.balance)
	case s.balance < 0:
		return nil, ErrInsufficientFunds
	case inBids:
		pending[account] = s
		return nil, nil
	}
	s.line++
	pending[account] = s
	return &s, nil
}

// Balance returns the balance of a locked user after all transfers of the batch.
func (b *Batch) Balance(user string) money.Cents {
	if s, changed := b.current[Account(user)]; changed {
		return s.balance
	}
	return b.locked[user].Balance
}

// Play returns the limits and counters of a locked user, including changes by SetPlay.
func (b *Batch) Play(user string) PlayLimits { return b.locked[user].Play }

// SetPlay sets the play counters that Save stores for a locked user. The user must take part in a
// transfer.
func (b *Batch) SetPlay(user string, play PlayLimits) {
	row := b.locked[user]
	row.Play = play
	b.locked[user] = row
}

// Save writes the batch to the database.
func (b *Batch) Save() error {
	if err := updateAccounts(b.tx, b.locked, b.current); err != nil {
		return fmt.Errorf("move the balances: %w", err)
	}
	if err := insertTransfers(b.tx, b.transfers); err != nil {
		return fmt.Errorf("record the transfers: %w", err)
	}
	return nil
}

// Move makes transfers and writes them right away.
func Move(tx *db.Tx, transfers ...Transfer) ([]Line, error) {
	var users []string
	for _, t := range transfers {
		for _, side := range []Account{t.Debit, t.Credit} {
			if user, _ := side.user(); !side.isHouse() {
				users = append(users, user)
			}
		}
	}
	batch, err := LockBatch(tx, users)
	if err != nil {
		return nil, err
	}
	lines, err := batch.Move(transfers...)
	if err != nil {
		return nil, err
	}
	return lines, batch.Save()
}

func (r postedTransfer) lines(at time.Time) (lines []Line) {
	line := Line{ID: r.id, Kind: r.Kind, Ref: r.Ref, At: at}
	if r.debit != nil {
		line.Number, line.Balance, line.Amount = r.debit.line, r.debit.balance, -r.Amount
		lines = append(lines, line)
	}
	if r.credit != nil {
		line.Number, line.Balance, line.Amount = r.credit.line, r.credit.balance, r.Amount
		lines = append(lines, line)
	}
	return lines
}

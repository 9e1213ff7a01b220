package ledger

import (
	"fmt"
	"maps"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/money"
)

// Batch collects transfers between house accounts and users whose account rows it has locked.
// Each transfer sees the balances that the earlier ones left. Settle writes them all.
type Batch struct {
	tx        *db.Tx
	locked    map[string]AccountRow // as they were locked
	current   map[Account]lineState // the accounts that have changed
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
func LockBatch(tx *db.Tx, userIDs []string) (t *Batch, err error) {
	t = &Batch{tx: tx, current: map[Account]lineState{}}
	if len(userIDs) > 0 {
		t.locked, err = LockAll(tx, userIDs)
	}
	return t, err
}

// Move adds transfers to the batch in the given order, all or none. If a user's balance doesn't
// cover a debit it returns ErrInsufficientFunds. It returns the users' lines.
func (t *Batch) Move(transfers ...Transfer) (lines []Line, err error) {
	pending, moved := map[Account]lineState{}, make([]postedTransfer, len(transfers))
	for n, transfer := range transfers {
		if way, known := flows[transfer.Kind]; transfer.Amount <= 0 || transfer.Debit == transfer.Credit || !known || way != transfer.flow() {
			return nil, fmt.Errorf("transfer %s of %s from %s to %s is not allowed for its kind", transfer.Kind, transfer.Amount, transfer.Debit, transfer.Credit)
		}
		r := postedTransfer{Transfer: transfer, id: t.tx.NewID()}
		r.debit, err = t.adjust(pending, transfer.Debit, -transfer.Amount)
		if err != nil {
			return nil, err
		}
		r.credit, err = t.adjust(pending, transfer.Credit, transfer.Amount)
		if err != nil {
			return nil, err
		}
		moved[n] = r
		lines = append(lines, r.lines(t.tx.Now)...)
	}
	maps.Copy(t.current, pending)
	t.transfers = append(t.transfers, moved...)
	return lines, nil
}

// adjust adds by to an account's balance in pending, which has the changes that aren't in the batch
// yet. It returns the new state of an account that has lines.
func (t *Batch) adjust(pending map[Account]lineState, account Account, by money.Cents) (*lineState, error) {
	if account.house() {
		return nil, nil
	}
	user, inBids := account.user()
	held, known := t.locked[user]
	if !known {
		return nil, fmt.Errorf("account of %s: %w", user, db.ErrNoRow)
	}
	s := lineState{held.Lines, held.Balance}
	if inBids {
		s = lineState{balance: held.InBids}
	}
	for _, later := range []map[Account]lineState{t.current, pending} {
		if changed, ok := later[account]; ok {
			s = changed
		}
	}
	s.balance += by
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
func (t *Batch) Balance(user string) money.Cents {
	if s, changed := t.current[Account(user)]; changed {
		return s.balance
	}
	return t.locked[user].Balance
}

// Play returns the play counters of a locked user, including changes by SetPlay.
func (t *Batch) Play(user string) Play { return t.locked[user].Play }

// SetPlay makes Save store new play counters of a locked user who takes part in a transfer.
func (t *Batch) SetPlay(user string, counted Play) {
	held := t.locked[user]
	held.Play = counted
	t.locked[user] = held
}

// Save writes the batch to the database.
func (t *Batch) Save() error {
	if err := moveBalances(t.tx, t.locked, t.current); err != nil {
		return fmt.Errorf("move the balances: %w", err)
	}
	if err := insertTransfers(t.tx, t.transfers); err != nil {
		return fmt.Errorf("record the transfers: %w", err)
	}
	return nil
}

// Move makes transfers and writes them right away.
func Move(tx *db.Tx, transfers ...Transfer) ([]Line, error) {
	var users []string
	for _, t := range transfers {
		for _, side := range []Account{t.Debit, t.Credit} {
			if user, _ := side.user(); !side.house() {
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

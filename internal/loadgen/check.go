package loadgen

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
)

// expectedLine is an expected line of a player's account.
type expectedLine struct {
	kind, entry string
	amount      int64
}

// checkTrades checks that the ledger's lines and the entries' owners match the responses of a
// round.
func (p Players) checkTrades(ctx context.Context, o Options, listings []*listing, purchases [][]*purchase) error {
	lines := make([]map[expectedLine]*purchase, len(p)) // values are the purchase, nil for a sale
	for n := range p {
		lines[n] = map[expectedLine]*purchase{}
	}
	sold := map[*listing]bool{}
	for n, own := range purchases {
		for _, attempt := range own {
			if attempt.succeeded && sold[attempt.listing] {
				return fmt.Errorf("%s was sold twice", attempt.id)
			}
			if attempt.succeeded {
				sold[attempt.listing] = true
				p[n].applyPurchase(attempt, lines[n])
			}
		}
	}
	for _, l := range listings {
		if !sold[l] {
			return fmt.Errorf("%s wasn't sold, though players tried to buy it", l.id)
		}
		p[l.seller].applySale(l, lines[l.seller])
	}
	return o.each(ctx, len(p), func(c *connection, n int) error {
		return errors.Join(p[n].checkLines(ctx, c, lines[n]), p[n].checkEntries(ctx, c))
	})
}

func (p *player) applyPurchase(attempt *purchase, lines map[expectedLine]*purchase) {
	lines[expectedLine{"sale", attempt.id, -attempt.price}] = attempt
	p.balance -= attempt.price
	p.entries = append(p.entries, heldEntry{attempt.id, attempt.price})
}

func (p *player) applySale(l *listing, lines map[expectedLine]*purchase) {
	lines[expectedLine{"sale", l.id, l.price}] = nil
	if fee := l.fee(); fee > 0 {
		lines[expectedLine{"sale-fee", l.id, -fee}] = nil
	}
	p.balance += l.price - l.fee()
}

// line is a line of an account in the API.
type line struct {
	Kind, InventoryID         string
	AmountCents, BalanceCents int64
}

// checkLines reads the newest lines of an account. They must be exactly the expected ones, with
// consistent balances.
func (p *player) checkLines(ctx context.Context, c *connection, lines map[expectedLine]*purchase) error {
	balance, cursor := p.balance, ""
	for len(lines) > 0 {
		var page []line
		a, err := c.want(ctx, request{method: http.MethodGet, path: "/api/wallet/transactions?limit=200&cursor=" + url.QueryEscape(cursor), cookie: p.cookie}, &page)
		if err != nil {
			return err
		}
		for _, l := range page[:min(len(page), len(lines))] {
			key := expectedLine{l.Kind, l.InventoryID, l.AmountCents}
			attempt, known := lines[key]
			if !known || l.BalanceCents != balance || attempt != nil && attempt.balance != balance {
				return fmt.Errorf("line %+v at a balance of %d isn't one of the %d expected lines", l, balance, len(lines))
			}
			delete(lines, key)
			balance -= l.AmountCents
		}
		cursor = a.header.Get("X-Next-Cursor")
		if cursor == "" && len(lines) > 0 {
			return fmt.Errorf("%d lines are missing", len(lines))
		}
	}
	return nil
}

// checkEntries checks that the player owns the entries bought last.
func (p *player) checkEntries(ctx context.Context, c *connection) error {
	for _, h := range p.entries {
		if h.bought == 0 {
			continue
		}
		var entry struct {
			Own    bool
			State  string
			Events []struct {
				Kind       string
				PriceCents int64
			}
		}
		if err := p.get(ctx, c, "/api/inventory/"+h.id, &entry); err != nil {
			return err
		}
		if last := entry.Events[len(entry.Events)-1]; !entry.Own || entry.State != "held" || last.Kind != "bought" || last.PriceCents != h.bought {
			return fmt.Errorf("entry %s, bought for %d: %+v", h.id, h.bought, entry)
		}
	}
	return nil
}

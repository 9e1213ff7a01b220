package loadgen

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
)

// due is an expected line of a player's account.
type due struct {
	kind, entry string
	amount      int64
}

// prove checks that the ledger's lines and the entries' owners match the responses of a round.
func (p Players) prove(ctx context.Context, o Options, offers []*offer, wishes [][]*wish) error {
	lines := make([]map[due]*wish, len(p)) // values are the wish of a purchase, nil for a sale
	for n := range p {
		lines[n] = map[due]*wish{}
	}
	won := map[*offer]bool{}
	for n, asked := range wishes {
		for _, w := range asked {
			if w.won && won[w.offer] {
				return fmt.Errorf("%s was sold twice", w.id)
			}
			if w.won {
				won[w.offer] = true
				p[n].bought(w, lines[n])
			}
		}
	}
	for _, of := range offers {
		if !won[of] {
			return fmt.Errorf("%s was sold to nobody, though it was asked for", of.id)
		}
		p[of.seller].sold(of, lines[of.seller])
	}
	return o.each(ctx, len(p), func(c *connection, n int) error {
		return errors.Join(p[n].proveLines(ctx, c, lines[n]), p[n].proveEntries(ctx, c))
	})
}

func (p *player) bought(w *wish, lines map[due]*wish) {
	lines[due{"sale", w.id, -w.price}] = w
	p.balance -= w.price
	p.trades = append(p.trades, held{w.id, w.price})
}

func (p *player) sold(of *offer, lines map[due]*wish) {
	lines[due{"sale", of.id, of.price}] = nil
	if fee := of.fee(); fee > 0 {
		lines[due{"sale-fee", of.id, -fee}] = nil
	}
	p.balance += of.price - of.fee()
}

// line is a line of an account in the API.
type line struct {
	Kind, InventoryID         string
	AmountCents, BalanceCents int64
}

// proveLines reads the newest lines of an account. They must be exactly the expected ones, with
// consistent balances.
func (p *player) proveLines(ctx context.Context, c *connection, lines map[due]*wish) error {
	balance, cursor := p.balance, ""
	for len(lines) > 0 {
		var page []line
		a, err := c.want(ctx, call{method: http.MethodGet, path: "/api/wallet/transactions?limit=200&cursor=" + url.QueryEscape(cursor), cookie: p.cookie}, &page)
		if err != nil {
			return err
		}
		for _, l := range page[:min(len(page), len(lines))] {
			is := due{l.Kind, l.InventoryID, l.AmountCents}
			w, known := lines[is]
			if !known || l.BalanceCents != balance || w != nil && w.balance != balance {
				return fmt.Errorf("line %+v at a balance of %d: not one of %d that are due", l, balance, len(lines))
			}
			delete(lines, is)
			balance -= l.AmountCents
		}
		cursor = a.header.Get("X-Next-Cursor")
		if cursor == "" && len(lines) > 0 {
			return fmt.Errorf("%d lines are missing", len(lines))
		}
	}
	return nil
}

// proveEntries checks that the player owns the entries bought last.
func (p *player) proveEntries(ctx context.Context, c *connection) error {
	for _, h := range p.trades {
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

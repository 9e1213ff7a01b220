package main

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"kaibao/internal/app/apptest"
)

// patience is the timeout for linearizing a history.
const patience = 30 * time.Second

// call returns the request of a deed.
func (h *history) call(d deed, id string) (method, path string, body any) {
	entry := h.entries[d.entry]
	switch d.what {
	case "entries":
		return http.MethodGet, "/api/inventory/me?limit=200", nil
	case "bids":
		return http.MethodGet, "/api/bids?state=open", nil
	case "withdraw":
		return http.MethodDelete, "/api/bids/" + id, nil
	case "accept":
		return http.MethodPost, "/api/bids/" + id + "/accept", map[string]any{"inventoryId": entry, "expectedPriceCents": d.price, "confirmedCents": d.price}
	case "bid":
		return http.MethodPost, "/api/bids", map[string]any{"scope": h.scope(d.scope), "priceCents": d.price, "quantity": d.left, "confirmedCents": d.price}
	case "buy":
		return http.MethodPost, "/api/marketplace/buy", map[string]any{"inventoryId": entry, "expectedPriceCents": d.price}
	case "delist":
		return http.MethodPost, "/api/marketplace/delist", map[string]any{"inventoryId": entry}
	}
	return http.MethodPost, "/api/marketplace/" + d.what, map[string]any{"inventoryId": entry, "priceCents": d.price, "confirmedCents": d.price}
}

func (h *history) scope(scope int) map[string]any {
	if scope == forItem {
		return map[string]any{"itemId": h.item}
	}
	return map[string]any{"inventoryId": h.entries[scope]}
}

// modelResponse is the part of a response that the model uses.
type modelResponse struct {
	ID, Code              string
	Sold                  *struct{ PriceCents int64 }
	Filled                []struct{ PriceCents int64 }
	SoldCents, PriceCents int64
}

// own is one of the caller's entries or bids.
type own struct {
	ID             string
	SalePriceCents *int64
	PriceCents     int64
	Left           int64
	Scope          struct{ InventoryID string }
}

// read converts a response to the model's result.
func (h *history) read(d deed, a apptest.Answer) (f found) {
	if d.what == "entries" || d.what == "bids" {
		var all []own
		if err := a.Read(&all); err != nil || a.Status != http.StatusOK {
			return found{refused: string(a.Body)}
		}
		return found{seen: h.view(d, all)}
	}
	var t modelResponse
	if a.Status == http.StatusNoContent {
		return found{}
	}
	if err := a.Read(&t); err != nil {
		return found{refused: string(a.Body)}
	}
	switch {
	case a.Status != http.StatusOK && d.what == "buy" && slices.Contains([]string{"already_sold", "not_listed", "not_found"}, t.Code):
		return found{refused: "gone"} // the code depends on the state before
	case a.Status != http.StatusOK:
		return found{refused: t.Code}
	case d.what == "bid":
		h.note(t.ID, d)
	}
	switch {
	case t.Sold != nil:
		f.price = t.Sold.PriceCents
	case len(t.Filled) > 0:
		f.price = t.Filled[0].PriceCents
	case d.what == "buy":
		f.price = t.PriceCents
	case d.what == "accept":
		f.price = t.SoldCents
	}
	return f
}

// note stores a bid's id so that others can sell to it.
func (h *history) note(id string, d deed) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.bids[id] = d
}

// view returns what a member sees of their own entries or bids.
func (h *history) view(d deed, all []own) (v view) {
	for _, o := range all {
		n := slices.Index(h.entries[:], o.ID)
		switch {
		case d.what == "bids":
			n = slices.Index(append(h.entries[:], ""), o.Scope.InventoryID)
			v[n].price, v[n].left = o.PriceCents, o.Left
		case n >= 0 && o.SalePriceCents != nil:
			v[n].price = *o.SalePriceCents
		case n >= 0:
			v[n].price = -1
		}
	}
	return v
}

// check fails the test if the history isn't linearizable.
func (h *history) check(t *testing.T) {
	t.Helper()
	lost, sold := 0, 0
	for _, op := range h.deeds {
		came := op.Output.(found)
		if came.lost {
			lost++
		}
		if came.price > 0 {
			sold++
		}
	}
	t.Logf("%d deeds, %d sales, %d unanswered", len(h.deeds), sold, lost)
	if sold == 0 {
		t.Error("nothing was sold")
	}
	result, info := porcupine.CheckOperationsVerbose(model(), h.deeds, patience)
	if result != porcupine.Ok {
		path := t.ArtifactDir() + "/history.html"
		if err := porcupine.VisualizePath(model(), info, path); err != nil {
			t.Error(err)
		}
		t.Errorf("%s: the history is not linearizable: go test -artifacts keeps %s", result, path)
	}
}

// The checker accepts linearizable histories and rejects others.
func TestHistoryChecker(t *testing.T) {
	list := deed{what: "list", price: 70}
	buy := func(who int) deed { return deed{what: "buy", who: who, price: 70} }
	bid := deed{what: "bid", who: 1, scope: forItem, price: 60, left: 1, number: 1}
	accept := deed{what: "accept", scope: forItem, bidder: 1, price: 60, number: 1}
	sold := found{price: 70}
	for name, c := range map[string]struct {
		want  porcupine.CheckResult
		deeds []porcupine.Operation
	}{
		"bought":                         {porcupine.Ok, inTurn(list, found{}, buy(1), sold)},
		"bought by two":                  {porcupine.Illegal, inTurn(list, found{}, buy(1), sold, buy(2), sold)},
		"bought before it was sold":      {porcupine.Illegal, inTurn(buy(1), sold, list, found{})},
		"bought too late":                {porcupine.Illegal, inTurn(list, found{}, buy(1), found{refused: "gone"})},
		"bought without a response":      {porcupine.Ok, inTurn(list, found{}, buy(1), found{lost: true}, buy(2), found{refused: "gone"})},
		"not bought, without a response": {porcupine.Ok, inTurn(list, found{}, buy(1), found{lost: true}, buy(2), sold)},
		"a bid filled twice":             {porcupine.Illegal, inTurn(bid, found{}, accept, found{price: 60}, accept, found{price: 60})},
		"a lost bid":                     {porcupine.Illegal, inTurn(bid, found{}, deed{what: "bids", who: 1}, found{})},
		"a bid below one for the entry": {porcupine.Illegal, inTurn(
			bid, found{}, deed{what: "bid", who: 2, price: 80, left: 1, number: 2}, found{}, accept, found{price: 60})},
		"a bid on an entry that its bidder now owns": {porcupine.Ok, inTurn(
			deed{what: "bid", who: 1, price: 50, left: 1, number: 1}, found{}, list, found{}, buy(1), sold, deed{what: "bids", who: 1}, found{})},
	} {
		if got := porcupine.CheckOperationsTimeout(model(), c.deeds, patience); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// inTurn returns operations that don't overlap. Lost operations never end.
func inTurn(steps ...any) (deeds []porcupine.Operation) {
	for n := 0; n < len(steps); n += 2 {
		op := porcupine.Operation{ClientId: n, Input: steps[n], Output: steps[n+1], Call: int64(n), Return: int64(n + 1)}
		if steps[n+1].(found).lost {
			op.Return = int64(len(steps))
		}
		deeds = append(deeds, op)
	}
	return deeds
}

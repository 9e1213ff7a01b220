package main

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"kaibao/internal/app/apptest"
)

// checkTimeout is the timeout for linearizing a history.
const checkTimeout = 30 * time.Second

// request returns the HTTP request of an action.
func (h *history) request(a action, id string) (method, path string, body any) {
	entry := h.entries[a.entry]
	switch a.kind {
	case "entries":
		return http.MethodGet, "/api/inventory/me?limit=200", nil
	case "bids":
		return http.MethodGet, "/api/bids?state=open", nil
	case "withdraw":
		return http.MethodDelete, "/api/bids/" + id, nil
	case "accept":
		return http.MethodPost, "/api/bids/" + id + "/accept", map[string]any{"inventoryId": entry, "expectedPriceCents": a.price, "confirmedCents": a.price}
	case "bid":
		return http.MethodPost, "/api/bids", map[string]any{"scope": h.scope(a.scope), "priceCents": a.price, "quantity": a.quantity, "confirmedCents": a.price}
	case "buy":
		return http.MethodPost, "/api/marketplace/buy", map[string]any{"inventoryId": entry, "expectedPriceCents": a.price}
	case "delist":
		return http.MethodPost, "/api/marketplace/delist", map[string]any{"inventoryId": entry}
	}
	return http.MethodPost, "/api/marketplace/" + a.kind, map[string]any{"inventoryId": entry, "priceCents": a.price, "confirmedCents": a.price}
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

// ownRow is one of the caller's entries or bids.
type ownRow struct {
	ID             string
	SalePriceCents *int64
	PriceCents     int64
	Left           int64
	Scope          struct{ InventoryID string }
}

// outcomeOf converts a response to the model's outcome.
func (h *history) outcomeOf(d action, answer apptest.Answer) (f outcome) {
	if d.kind == "entries" || d.kind == "bids" {
		var all []ownRow
		if err := answer.Read(&all); err != nil || answer.Status != http.StatusOK {
			return outcome{refused: string(answer.Body)}
		}
		return outcome{view: h.viewOf(d, all)}
	}
	var body modelResponse
	if answer.Status == http.StatusNoContent {
		return outcome{}
	}
	if err := answer.Read(&body); err != nil {
		return outcome{refused: string(answer.Body)}
	}
	switch {
	case answer.Status != http.StatusOK && d.kind == "buy" && slices.Contains([]string{"already_sold", "not_listed", "not_found"}, body.Code):
		return outcome{refused: "gone"} // the code depends on the state before
	case answer.Status != http.StatusOK:
		return outcome{refused: body.Code}
	case d.kind == "bid":
		h.rememberBid(body.ID, d)
	}
	switch {
	case body.Sold != nil:
		f.price = body.Sold.PriceCents
	case len(body.Filled) > 0:
		f.price = body.Filled[0].PriceCents
	case d.kind == "buy":
		f.price = body.PriceCents
	case d.kind == "accept":
		f.price = body.SoldCents
	}
	return f
}

// rememberBid stores a bid's id, so that others can sell to it.
func (h *history) rememberBid(id string, a action) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.bids[id] = a
}

// viewOf converts a trader's list of entries or bids to the model's view.
func (h *history) viewOf(a action, all []ownRow) (v traderView) {
	for _, o := range all {
		n := slices.Index(h.entries[:], o.ID)
		switch {
		case a.kind == "bids":
			n = slices.Index(append(h.entries[:], ""), o.Scope.InventoryID)
			v[n].price, v[n].quantity = o.PriceCents, o.Left
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
	unanswered, sold := 0, 0
	for _, op := range h.operations {
		got := op.Output.(outcome)
		if got.unanswered {
			unanswered++
		}
		if got.price > 0 {
			sold++
		}
	}
	t.Logf("%d actions, %d sales, %d unanswered", len(h.operations), sold, unanswered)
	if sold == 0 {
		t.Error("nothing was sold")
	}
	result, info := porcupine.CheckOperationsVerbose(model(), h.operations, checkTimeout)
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
	list := action{kind: "list", price: 70}
	buy := func(trader int) action { return action{kind: "buy", trader: trader, price: 70} }
	bid := action{kind: "bid", trader: 1, scope: forItem, price: 60, quantity: 1, bidNumber: 1}
	accept := action{kind: "accept", scope: forItem, bidder: 1, price: 60, bidNumber: 1}
	sold := outcome{price: 70}
	for name, c := range map[string]struct {
		want       porcupine.CheckResult
		operations []porcupine.Operation
	}{
		"bought":                         {porcupine.Ok, sequential(list, outcome{}, buy(1), sold)},
		"bought by two":                  {porcupine.Illegal, sequential(list, outcome{}, buy(1), sold, buy(2), sold)},
		"bought before it was sold":      {porcupine.Illegal, sequential(buy(1), sold, list, outcome{})},
		"bought too late":                {porcupine.Illegal, sequential(list, outcome{}, buy(1), outcome{refused: "gone"})},
		"bought without a response":      {porcupine.Ok, sequential(list, outcome{}, buy(1), outcome{unanswered: true}, buy(2), outcome{refused: "gone"})},
		"not bought, without a response": {porcupine.Ok, sequential(list, outcome{}, buy(1), outcome{unanswered: true}, buy(2), sold)},
		"a bid filled twice":             {porcupine.Illegal, sequential(bid, outcome{}, accept, outcome{price: 60}, accept, outcome{price: 60})},
		"a lost bid":                     {porcupine.Illegal, sequential(bid, outcome{}, action{kind: "bids", trader: 1}, outcome{})},
		"a bid below one for the entry": {porcupine.Illegal, sequential(
			bid, outcome{}, action{kind: "bid", trader: 2, price: 80, quantity: 1, bidNumber: 2}, outcome{}, accept, outcome{price: 60})},
		"a bid on an entry that its bidder now owns": {porcupine.Ok, sequential(
			action{kind: "bid", trader: 1, price: 50, quantity: 1, bidNumber: 1}, outcome{}, list, outcome{}, buy(1), sold, action{kind: "bids", trader: 1}, outcome{})},
	} {
		if got := porcupine.CheckOperationsTimeout(model(), c.operations, checkTimeout); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// sequential returns operations that don't overlap. Unanswered operations never end.
func sequential(steps ...any) (operations []porcupine.Operation) {
	for n := 0; n < len(steps); n += 2 {
		op := porcupine.Operation{ClientId: n, Input: steps[n], Output: steps[n+1], Call: int64(n), Return: int64(n + 1)}
		if steps[n+1].(outcome).unanswered {
			op.Return = int64(len(steps))
		}
		operations = append(operations, op)
	}
	return operations
}

package app_test

import (
	"net/http"
	"testing"

	"kaibao/internal/app/apptest"
)

// sealedPack creates a sealed pack for $25.
func sealedPack(t *testing.T, admin *apptest.Client) (id string) {
	t.Helper()
	var made struct{ ID string }
	admin.Post(t, "/api/admin/packs", payload{"name": "Sealed", "priceCents": 2500, "series": []string{"Starter"}, "sealing": "sealed",
		"lootTableJson": payload{"rarities": payload{"Common": 0.9, "Rare": 0.1}, "itemsPerPack": 1}}).Want(t, http.StatusOK, &made)
	return made.ID
}

// orderOf orders a sealed pack as soon as the node takes orders.
func orderOf(t *testing.T, c *apptest.Client, pack string) (id string) {
	t.Helper()
	var order struct{ OpenID string }
	apptest.Until(t, "the node takes orders", func() bool {
		answer := c.Post(t, "/api/packs/"+pack+"/open", payload{"clientSeed": "x", "sealed": true})
		return answer.Status == http.StatusOK && answer.Read(&order) == nil
	})
	return order.OpenID
}

// waitForDraw waits until an order is drawn.
func waitForDraw(t *testing.T, c *apptest.Client, id string) {
	t.Helper()
	apptest.Until(t, "the order is drawn", func() bool {
		var order struct{ State string }
		c.Get(t, "/api/opens/"+id).Want(t, http.StatusOK, &order)
		return order.State == "open"
	})
}

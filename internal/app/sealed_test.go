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

package app_test

import (
	"net/http"
	"testing"

	"kaibao/internal/app/apptest"
)

// Elements that aren't ids are refused. Lists and objects would panic as map keys in the check for
// duplicates.
func TestListsOfNonIDsAreRefused(t *testing.T) {
	s := apptest.Start(t, apptest.Config(t, "sqlite"))
	user, admin := s.SignIn(t), s.Admin(t)
	for path, c := range map[string]*apptest.Client{
		"/api/inventory/quotes": user, "/api/inventory/quick-sell": user, "/api/inventory/sell-back": user,
		"/api/redemptions/challenge": user, "/api/redemptions": user, "/api/admin/redemptions/open": admin,
	} {
		for _, element := range []any{[]string{}, payload{}} {
			c.Post(t, path, payload{"inventoryIds": []any{element}, "claims": []any{element}}).Refused(t, http.StatusUnprocessableEntity, "invalid")
		}
	}
}

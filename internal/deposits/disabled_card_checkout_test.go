package deposits_test

import (
	"net/http"
	"testing"

	"kaibao/internal/app/apptest"
)

func TestCardCheckoutIsDisabled(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.NewClient(t).Post(t, "/api/packs/1/checkout", nil).Refused(t, http.StatusUnauthorized, "unauthenticated")
		s.SignIn(t).Post(t, "/api/packs/1/checkout", nil).Refused(t, http.StatusNotImplemented, "checkout_disabled")
		s.SignIn(t).Post(t, "/api/packs/1/checkout", map[string]any{}).Refused(t, http.StatusNotImplemented, "checkout_disabled")
	})
}

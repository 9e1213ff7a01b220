package deposits

import (
	"context"

	"kaibao/internal/apperr"
	"kaibao/internal/httpapi"
)

type checkoutInput struct {
	PackID string `path:"id" maxLength:"64"`
}

// Checkout is the response that the specification defines for card checkout. It is never sent, because
// card checkout is disabled.
type Checkout struct {
	ClientSecret string `json:"clientSecret"`
}

var errCheckoutDisabled = apperr.New(apperr.CheckoutDisabled, "Paying for packs by card isn't available. Pay with Play Points.")

// registerCardCheckout registers the disabled card checkout.
func registerCardCheckout(api *httpapi.API) {
	httpapi.JSON(api, httpapi.Post(httpapi.Session, "/api/packs/{id}/checkout", "check-out-pack", "Pay for a pack by card (switched off)",
		apperr.CheckoutDisabled), refuseCardCheckout)
}

// refuseCardCheckout answers that card checkout is disabled.
func refuseCardCheckout(context.Context, *checkoutInput) (Checkout, error) {
	return Checkout{}, errCheckoutDisabled
}

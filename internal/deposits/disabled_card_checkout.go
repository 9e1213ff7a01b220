package deposits

import (
	"context"

	"kaibao/internal/apperr"
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

// refuseCardCheckout answers that card checkout is disabled.
func refuseCardCheckout(context.Context, *checkoutInput) (Checkout, error) {
	return Checkout{}, errCheckoutDisabled
}

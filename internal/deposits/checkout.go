package deposits

import (
	"context"

	"kaibao/internal/apperr"
)

type checkoutInput struct {
	PackID string `path:"id" maxLength:"64"`
}

// Checkout is the response that the specification's card payment page expects.
type Checkout struct {
	ClientSecret string `json:"clientSecret"`
}

var errCheckoutDisabled = apperr.New(apperr.CheckoutDisabled, "Paying for packs by card isn't available. Pay with Play Points.")

func postCheckout(context.Context, *checkoutInput) (Checkout, error) {
	return Checkout{}, errCheckoutDisabled
}

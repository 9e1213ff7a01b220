package deposits

import (
	"errors"
	"io"
	"net/http"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/deposits/helio"
	"kaibao/internal/httpapi"
)

// maxWebhookBytes is larger than all of the provider's webhooks.
const maxWebhookBytes = 64 << 10

var errBadWebhookSignature = apperr.New(apperr.BadSignature, "The webhook isn't signed with the shared token.")

// webhookHandler receives the provider's webhooks. It verifies only the signature, on the raw
// bytes, stores the notice and schedules a check of its deposit.
func (s *Service) webhookHandler(api *httpapi.API) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := s.receiveWebhook(r); err != nil {
			api.Fail(w, r, err)
			return
		}
		w.WriteHeader(http.StatusOK)
	}
}

func (s *Service) receiveWebhook(r *http.Request) error {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		if _, tooLong := errors.AsType[*http.MaxBytesError](err); tooLong {
			return apperr.New(apperr.TooLarge, "The webhook is too large: the limit is 64 KiB.")
		}
		return apperr.New(apperr.Malformed, "The webhook's body is incomplete.").Because(err)
	}
	received, err := helio.VerifyWebhook(s.Token, r.Header, body)
	if errors.Is(err, helio.ErrInvalidProof) {
		return errBadWebhookSignature
	}
	if err != nil {
		return apperr.New(apperr.Malformed, "The webhook's body is not valid.").Because(err)
	}
	return s.DB.InTx(r.Context(), func(tx *db.Tx) error {
		return s.storeNotice(tx, notice{paymentID: received.ID, source: fromWebhook, depositID: received.Deposit, body: body})
	})
}

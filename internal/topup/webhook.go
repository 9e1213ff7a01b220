package topup

import (
	"errors"
	"io"
	"net/http"

	"kaibao/internal/db"
	"kaibao/internal/fault"
	"kaibao/internal/httpkit"
	"kaibao/internal/topup/helio"
)

// webhookBytes is more than a notice of the provider has.
const webhookBytes = 64 << 10

var errProof = fault.New(fault.BadSignature, "This webhook is not signed with the shared token.")

// webhook takes what the provider tells by itself. Only its proof is checked here, on the
// bytes as they came; it is then kept, and its deposit is looked at soon.
func (s *Service) webhook(k *httpkit.Kit) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := s.take(r); err != nil {
			k.Fail(w, r, err)
			return
		}
		w.WriteHeader(http.StatusOK)
	}
}

func (s *Service) take(r *http.Request) error {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		if _, tooLong := errors.AsType[*http.MaxBytesError](err); tooLong {
			return fault.New(fault.TooLarge, "A webhook has at most 64 KiB.")
		}
		return fault.New(fault.Malformed, "The webhook ended too soon.").Because(err)
	}
	told, err := helio.Check(s.Token, r.Header, body)
	if errors.Is(err, helio.ErrProof) {
		return errProof
	}
	if err != nil {
		return fault.New(fault.Malformed, "The webhook cannot be read.").Because(err)
	}
	return s.DB.InTx(r.Context(), func(tx *db.Tx) error {
		return s.tell(tx, notice{payment: told.ID, source: fromWebhook, deposit: told.Deposit, body: body})
	})
}

package verify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"kaibao/internal/beacon"
	"kaibao/internal/protocol"
)

// Relays returns a fetcher that asks relays with drand's HTTP API in turn, such as
// https://api.drand.sh, until one has a valid signature.
func Relays(urls []string) FetchRound {
	relay := logServer{client: &http.Client{Timeout: 10 * time.Second}}
	return func(ctx context.Context, b *beacon.Beacon, round uint64) (protocol.Signature, error) {
		failed := errors.New("no relay is given")
		for _, url := range urls {
			text, err := relay.get(ctx, fmt.Sprintf("%s/%x/public/%d", url, b.Hash(), round), maxNote)
			var answer struct{ Signature string }
			if err == nil {
				err = json.Unmarshal(text, &answer)
			}
			var signature protocol.Signature
			if err == nil {
				signature, err = beacon.ParseSignature(answer.Signature)
			}
			if err == nil {
				err = b.Verify(round, signature)
			}
			if err == nil {
				return signature, nil
			}
			failed = err
		}
		return protocol.Signature{}, failed
	}
}

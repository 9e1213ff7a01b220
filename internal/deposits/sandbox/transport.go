package sandbox

import (
	"encoding/json"
	"net/http"

	"kaibao/internal/inprocess"
)

// Transport returns a RoundTripper that calls the fake provider in the same process. It accepts only
// the provider's host, so that no request leaves a sandbox.
func Transport(handler http.Handler) http.RoundTripper { return inprocess.Transport(host, handler) }

// writeJSON writes a value as JSON.
func writeJSON(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value)
}

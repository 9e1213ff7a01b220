package admin

import (
	"encoding/json"
	"net/http"

	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/publiclog"
)

// nodeStatus is the response of the operator's listener to GET /readyz.
type nodeStatus struct {
	Status      string      `json:"status"`           // "ok" or "unready"
	Reason      string      `json:"reason,omitempty"` // why the node is unready, with the cause that only the operator may see
	WrongLeaves int64       `json:"wrongLeaves"`      // leaves rejected since the node started; each failed its request
	Jobs        []JobHealth `json:"jobs"`
}

// OpsHandler serves the operator's listener: GET /readyz with the state of the node and its jobs, and
// other handlers by their pattern. It answers loopback hosts and those given, names or addresses
// without a port.
func (n Node) OpsHandler(d *db.DB, hosts []string, others map[string]http.Handler) http.Handler {
	mux := http.NewServeMux()
	for pattern, handler := range others {
		mux.Handle(pattern, handler)
	}
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		state, code := nodeStatus{Status: "ok", WrongLeaves: publiclog.InvalidLeaves(), Jobs: jobHealth(n.Jobs())}, http.StatusOK
		if err := n.CheckReady(r.Context(), d); err != nil {
			state.Status, state.Reason, code = "unready", err.Error(), http.StatusServiceUnavailable
		}
		writeJSON(w, code, state)
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !httpapi.NamesHost(r.Host, hosts) {
			writeJSON(w, http.StatusMisdirectedRequest, map[string]string{"error": "This listener answers loopback addresses and --ops-host only."})
			return
		}
		mux.ServeHTTP(w, r)
	})
}

func writeJSON(w http.ResponseWriter, code int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(body) // the client may have left
}

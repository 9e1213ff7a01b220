package rounds

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"kaibao/internal/apperr"
	"kaibao/internal/beacon"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/httpcache"
)

// BeaconView describes a beacon's chain. Its hash is the SHA-256 of these values, so a chain certifies
// itself.
type BeaconView struct {
	Period    int64  `json:"period" doc:"Seconds between rounds."`
	Genesis   int64  `json:"genesis" doc:"Time of round 1 in Unix seconds."`
	Key       string `json:"key" doc:"Public key in hex, a compressed point of G2."`
	GroupHash string `json:"groupHash" doc:"In hex."`
	ID        string `json:"id" doc:"Name of the chain, such as quicknet."`
}

// sandboxPath is where a sandbox serves its beacon's rounds, for verifiers.
const sandboxPath = "/sandbox/beacon"

// Routes registers the description of beacons and, in a sandbox, the relay of its beacon. The sandbox's
// routes aren't in the API description, since installations with real payments don't have them.
func (s *Service) Routes(api *httpapi.API) {
	httpcache.Shared(api, httpapi.Get(httpapi.Public, "/api/fairness/beacons/{chain}", "get-beacon", "A public randomness beacon that sealed packs are drawn with, by its chain hash"), s.describe)
	if s.sandbox == nil {
		return
	}
	api.Raw(httpapi.Get(httpapi.Public, sandboxPath+"/{chain}/public/{round}", "", ""), http.StripPrefix(sandboxPath, s.sandbox))
	if s.Steerable {
		api.Raw(httpapi.Post(httpapi.Public, sandboxPath+"/{behavior}", "", ""), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if err := s.setBehavior(r.Context(), Behavior(r.PathValue("behavior"))); err != nil {
				api.Fail(w, r, err)
				return
			}
			w.WriteHeader(http.StatusNoContent)
		}))
	}
}

type beaconInput struct {
	Chain string `path:"chain"`
}

func (s *Service) describe(_ context.Context, in *beaconInput) (BeaconView, error) {
	decoded, err := hex.DecodeString(in.Chain)
	if err != nil || len(decoded) != 32 || hex.EncodeToString(decoded) != in.Chain {
		return BeaconView{}, apperr.Missing("Beacon")
	}
	b := s.Known([32]byte(decoded))
	if b == nil {
		return BeaconView{}, apperr.Missing("Beacon")
	}
	return BeaconView{Period: b.Period, Genesis: b.Genesis, Key: hex.EncodeToString(b.Key[:]), GroupHash: hex.EncodeToString(b.GroupHash[:]), ID: b.ID}, nil
}

func (s *Service) setBehavior(ctx context.Context, b Behavior) error {
	if !slices.Contains(behaviors, b) {
		return apperr.Missing("Behavior")
	}
	return s.DB.InTx(ctx, func(tx *db.Tx) error { return saveBehavior(tx, b) })
}

// Description returns the description of a beacon that verifiers may not know, as JSON. It returns
// db.ErrNoRow for an unknown one.
func Description(tx *db.Tx, hash [32]byte) ([]byte, error) {
	if known := beacon.Known(hash); known != nil {
		return json.Marshal(known.Chain)
	}
	b, err := SandboxBeacon(tx)
	if err != nil {
		return nil, err
	}
	if b.Hash() != hash {
		return nil, errors.Join(db.ErrNoRow, ErrUnknownChain)
	}
	return json.Marshal(b.Chain)
}

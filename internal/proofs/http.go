package proofs

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net/http"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/httpcache"
	"kaibao/internal/identity"
	"kaibao/internal/ledger"
	"kaibao/internal/packs"
	"kaibao/internal/publiclog"
)

// CommitmentView is the commitment for the caller's next open, and their tag in the log.
type CommitmentView struct {
	Commitment string `json:"commitment"`
	Nonce      int64  `json:"nonce"`
	UserTag    string `json:"userTag"`
}

// Proof is the evidence that an open is in the log.
type Proof struct {
	OpenID         string   `json:"openId"`
	Leaf           string   `json:"leaf"`
	Receipt        string   `json:"receipt" doc:"The leaf as a signed note. Empty if the key of its log was replaced and is gone; the checkpoint then proves the leaf."`
	LogKey         string   `json:"logKey" doc:"Verifier key for the receipt and the checkpoint."`
	Index          *int64   `json:"index" nullable:"true" doc:"Index of the leaf; null until the next checkpoint, within a second."`
	InclusionProof []string `json:"inclusionProof" nullable:"true" doc:"RFC 6962 audit path in base64, from the leaf up."`
	Checkpoint     *string  `json:"checkpoint" nullable:"true" doc:"Signed tree that the proof leads to."`
}

const textPlain = "text/plain; charset=utf-8"

// Routes registers the routes under /api/fairness.
func (s *Service) Routes(api *httpapi.API) {
	httpapi.JSON(api, httpapi.Get(httpapi.Session, "/api/fairness/commitment", "get-commitment", "The commitment of the caller's next open", apperr.LogForked), s.commitment)
	httpapi.JSON(api, httpapi.Get(httpapi.Public, "/api/fairness/draws", "get-draws", "Results of all draws compared with the listed odds"), s.draws)
	httpapi.JSON(api, httpapi.Get(httpapi.Public, "/api/fairness/opens/{id}", "get-open-proof", "Inclusion proof of an open in the public log"), s.proof)
	manifest := httpapi.Get(httpapi.Public, "/api/fairness/manifests/{hash}", "get-manifest", "A manifest as the exact bytes that were hashed")
	httpcache.CachedFile(api, manifest, textPlain, func(r *http.Request) string { return r.PathValue("hash") }, httpcache.New(s.DB.Now, manifestLife, s.manifest))
}

// manifestLife is how long an unused manifest stays in the cache. Manifests never change, but their
// number grows.
const manifestLife = time.Second

func (s *Service) commitment(ctx context.Context, _ *struct{}) (v CommitmentView, err error) {
	caller := httpapi.Caller(ctx).UserID
	err = s.DB.Read(ctx, func(tx *db.Tx) error {
		consistent := s.Log.CheckConsistency(tx)
		account, err := ledger.Find(tx, caller)
		if err == nil {
			err = consistent() // in an old copy of the database, the seed may have been revealed
		}
		if err != nil {
			return err
		}
		v.Commitment, v.Nonce = hex.EncodeToString(account.Seed.Commitment), account.Seed.Nonce
		user, err := identity.ByID(tx, caller)
		v.UserTag = user.Tag
		return err
	})
	return v, err
}

type proofInput struct {
	ID httpapi.PathID `path:"id"`
}

// proof signs outside the transaction, since signing takes longer than everything else.
func (s *Service) proof(ctx context.Context, in *proofInput) (Proof, error) {
	var found publiclog.InclusionProof
	err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		found, err = s.Log.ProveOpen(tx, string(in.ID))
		return missing(err, "Open")
	})
	if err != nil {
		return Proof{}, err
	}
	p := Proof{OpenID: string(in.ID), Leaf: found.Body, LogKey: s.Log.VerifierKeyOf(found.Leaf)}
	if found.Checkpoint != "" {
		p.Index, p.Checkpoint, p.InclusionProof = &found.Index, &found.Checkpoint, make([]string, len(found.Path))
		for n, hash := range found.Path {
			p.InclusionProof[n] = base64.StdEncoding.EncodeToString(hash[:])
		}
	}
	p.Receipt, err = s.Log.Receipt(found.Leaf)
	return p, err
}

func (s *Service) manifest(ctx context.Context, name string) (text httpcache.Text, err error) {
	hash, ok := packs.ParseHash(name)
	if !ok {
		return text, apperr.Missing("Manifest")
	}
	err = s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		body, err := packs.ManifestText(tx, hash)
		text = httpcache.Text{ContentType: textPlain, Body: []byte(body)}
		return missing(err, "Manifest")
	})
	return text, err
}

// missing converts db.ErrNoRow to a not_found error.
func missing(err error, what string) error {
	if errors.Is(err, db.ErrNoRow) {
		return apperr.Missing(what)
	}
	return err
}

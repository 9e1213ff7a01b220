package proofs

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net/http"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/httpcache"
	"kaibao/internal/identity"
	"kaibao/internal/ledger"
	"kaibao/internal/packs"
	"kaibao/internal/protocol"
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

	Order       *IncludedLeaf `json:"order,omitempty" doc:"The order of a sealed open; absent until the next checkpoint."`
	Round       *IncludedLeaf `json:"round,omitempty" doc:"The round of the beacon that drew it. Its leaf may have the checkpoint, with cosignatures, that fixed the order before the round."`
	Consistency []string      `json:"consistency,omitempty" doc:"RFC 6962 consistency proof in base64 from the checkpoint in the round's leaf to the signed tree."`
	Manifest    string        `json:"manifest,omitempty" doc:"Of a sealed open: the text of its manifest."`
}

// IncludedLeaf is the evidence that another leaf is in the same signed tree.
type IncludedLeaf struct {
	Leaf           string   `json:"leaf"`
	Receipt        string   `json:"receipt" doc:"The leaf as a signed note. Empty if the key of its log was replaced and is gone."`
	Index          int64    `json:"index" doc:"Index of the leaf."`
	InclusionProof []string `json:"inclusionProof" nullable:"false" doc:"RFC 6962 audit path in base64, from the leaf up."`
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
	var sealed *publiclog.SealedProof
	p := Proof{OpenID: string(in.ID)}
	err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		found, err = s.Log.ProveOpen(tx, string(in.ID))
		if err != nil {
			return missing(err, "Open")
		}
		sealed, p.Manifest, err = s.proveSealed(tx, found)
		return err
	})
	if err != nil {
		return Proof{}, err
	}
	p.Leaf, p.LogKey = found.Body, s.Log.VerifierKeyOf(found.Leaf)
	if found.Checkpoint != "" {
		p.Index, p.Checkpoint, p.InclusionProof = &found.Index, &found.Checkpoint, encodeHashes(found.Path)
	}
	if sealed != nil {
		p.Consistency = encodeHashes(sealed.Consistency)
		p.Order, err = s.includedLeaf(sealed.Order)
		if err != nil {
			return Proof{}, err
		}
		p.Round, err = s.includedLeaf(sealed.Round)
		if err != nil {
			return Proof{}, err
		}
	}
	p.Receipt, err = s.Log.Receipt(found.Leaf)
	return p, err
}

// proveSealed returns what proves a sealed open besides its leaf; nil for other opens, and while it can't be
// proven.
func (s *Service) proveSealed(tx *db.Tx, open publiclog.InclusionProof) (*publiclog.SealedProof, string, error) {
	p, err := s.Log.ProveSealed(tx, open)
	if errors.Is(err, db.ErrNoRow) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	leaf, err := protocol.ParseLeaf([]byte(open.Body))
	if err != nil {
		return nil, "", err
	}
	manifest, err := packs.ManifestText(tx, leaf.(protocol.SealedOpenLeaf).Manifest)
	return &p, manifest, err
}

// includedLeaf signs the receipt of a leaf.
func (s *Service) includedLeaf(p publiclog.InclusionProof) (*IncludedLeaf, error) {
	receipt, err := s.Log.Receipt(p.Leaf)
	return &IncludedLeaf{p.Body, receipt, p.Index, encodeHashes(p.Path)}, err
}

func encodeHashes(hashes []tlog.Hash) []string {
	texts := make([]string, len(hashes))
	for n, hash := range hashes {
		texts[n] = base64.StdEncoding.EncodeToString(hash[:])
	}
	return texts
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

package gifts

import (
	"context"
	"encoding/hex"

	"kaibao/internal/action"
	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/money"
)

// GiftChallenge is what a giver signs.
type GiftChallenge struct {
	Message    string      `json:"message" doc:"The exact text to sign."`
	ValueCents money.Cents `json:"valueCents" doc:"Value of the items now."`
	ExpiresAt  string      `json:"expiresAt" format:"date-time" doc:"The message must be signed and sent before."`
}

// Target says which entries to give, and to which wallet or by which link.
type Target struct {
	InventoryIDs  []httpapi.ID `json:"inventoryIds" minItems:"1" maxItems:"20" doc:"All are given, or none."`
	WalletAddress string       `json:"walletAddress,omitempty" maxLength:"64" doc:"The receiver's address, which need not have signed in before. Either this or secretHash."`
	SecretHash    string       `json:"secretHash,omitempty" pattern:"^[0-9a-f]{64}$" doc:"SHA-256 of the 16 bytes of the link's secret, which stays in the giver's browser."`
}

func (t Target) request() (request, error) {
	r := request{entries: httpapi.IDStrings(t.InventoryIDs), wallet: t.WalletAddress}
	if t.SecretHash == "" {
		return r, nil
	}
	var err error
	r.secretHash, err = hex.DecodeString(t.SecretHash)
	return r, err
}

type giftChallengeInput struct {
	Body struct {
		Target
	}
}

type giveInput struct {
	action.Idempotent
	Body struct {
		Target
		Signature     string `json:"signature" maxLength:"100" doc:"64 bytes in base58, over the message of the challenge."`
		SignedMessage []byte `json:"signedMessage,omitempty" doc:"What the wallet says it signed, in base64."`
	}
}

type viewGiftInput struct {
	ID   httpapi.PathID `path:"id"`
	Body struct {
		Secret string `json:"secret" pattern:"^[0-9a-f]{32}$" doc:"From the link: 16 bytes in hex."`
	}
}

type acceptGiftInput struct {
	action.Idempotent
	ID   httpapi.PathID `path:"id"`
	Body struct {
		Secret string `json:"secret,omitempty" pattern:"^[0-9a-f]{32}$" doc:"From the link, if the gift isn't for the caller's wallet: 16 bytes in hex."`
	}
}

type refuseGiftInput struct {
	action.Idempotent
	ID   httpapi.PathID `path:"id"`
	Body struct {
		BlockGiver bool `json:"blockGiver,omitempty" doc:"The caller gets no more gifts from this giver, who isn't told."`
	}
}

type cancelGiftInput struct {
	action.Idempotent
	ID httpapi.PathID `path:"id"`
}

type listGiftsInput struct {
	httpapi.Page
	Side  string `query:"side" enum:"given,received"`
	State string `query:"state" enum:"waiting,ended"`
}

// offerErrors lists the error codes for entries that can't be given and givers who can't give them.
var offerErrors = []apperr.Code{
	apperr.NotFound, apperr.AlreadySold, apperr.AlreadyListed, apperr.AlreadyClaimed, apperr.GiftWaiting,
	apperr.LimitReached, apperr.HouseLimit, apperr.TimedOut, apperr.Excluded, apperr.SwitchedOff,
}

// Routes registers the gifts' endpoints.
func (s *Service) Routes(api *httpapi.API) {
	httpapi.JSON(api, httpapi.Post(httpapi.Customer, "/api/gifts/challenge", "challenge-gift", "Get the message to sign for a gift", offerErrors...),
		func(ctx context.Context, in *giftChallengeInput) (v GiftChallenge, err error) {
			r, err := in.Body.request()
			if err != nil {
				return v, err
			}
			err = s.DB.InTx(ctx, func(tx *db.Tx) (err error) {
				v, err = s.createChallenge(tx, httpapi.Caller(ctx), r)
				return err
			})
			return v, err
		})
	action.Handle(api, httpapi.Post(httpapi.Customer, "/api/gifts", "give", "Give items to a wallet, or by a link", append(offerErrors, apperr.BadSignature)...),
		func(tx *db.Tx, caller httpapi.Principal, in *giveInput) (v GiftView, err error) {
			r, err := in.Body.request()
			if err != nil {
				return v, err
			}
			g, err := s.create(tx, caller, signedRequest{r, in.Body.Signature, in.Body.SignedMessage})
			return viewAfter(tx, g, Given, err)
		})
	httpapi.Handle(api, httpapi.Get(httpapi.Session, "/api/gifts", "list-gifts", "Gifts that the caller gave, received or can accept, newest first"), s.list)
	httpapi.JSON(api, httpapi.Post(httpapi.Public, "/api/gifts/{id}/view", "view-gift", "Get the gift of a link", apperr.NotFound).WithRate(httpapi.Secrets),
		func(ctx context.Context, in *viewGiftInput) (v LinkView, err error) {
			viewer, err := api.Viewer(ctx)
			if err != nil {
				return v, err
			}
			err = s.DB.Read(ctx, func(tx *db.Tx) (err error) {
				v, err = viewLink(tx, string(in.ID), in.Body.Secret, viewer)
				return err
			})
			return v, err
		})
	action.Handle(api, httpapi.Post(httpapi.Customer, "/api/gifts/{id}/accept", "accept-gift", "Accept a gift",
		apperr.NotFound, apperr.OwnGift, apperr.GiftEnded, apperr.GiftsOff, apperr.GiverBlocked, apperr.Conflict, apperr.TimedOut, apperr.Excluded, apperr.SwitchedOff),
		func(tx *db.Tx, caller httpapi.Principal, in *acceptGiftInput) (GiftView, error) {
			g, err := s.accept(tx, caller, string(in.ID), in.Body.Secret)
			return viewAfter(tx, g, Received, err)
		})
	action.Handle(api, httpapi.Post(httpapi.Session, "/api/gifts/{id}/refuse", "refuse-gift", "Refuse a gift for the caller's wallet", apperr.NotFound, apperr.GiftEnded),
		func(tx *db.Tx, caller httpapi.Principal, in *refuseGiftInput) (GiftView, error) {
			g, err := refuse(tx, caller, string(in.ID), in.Body.BlockGiver)
			return viewAfter(tx, g, Received, err)
		})
	action.Handle(api, httpapi.Post(httpapi.Session, "/api/gifts/{id}/cancel", "cancel-gift", "Cancel the caller's gift", apperr.NotFound, apperr.GiftEnded),
		func(tx *db.Tx, caller httpapi.Principal, in *cancelGiftInput) (GiftView, error) {
			g, err := cancel(tx, caller, string(in.ID))
			return viewAfter(tx, g, Given, err)
		})
	s.blockRoutes(api)
}

// viewAfter returns the view of a gift after an act, or the act's error.
func viewAfter(tx *db.Tx, g Gift, side Side, err error) (GiftView, error) {
	if err != nil {
		return GiftView{}, err
	}
	views, err := viewsOf(tx, []sidedGift{{g, side}})
	if err != nil {
		return GiftView{}, err
	}
	return views[0], nil
}

func (s *Service) list(ctx context.Context, in *listGiftsInput) (*httpapi.List[GiftView], error) {
	selectPage := func(limit int, cursor string) (*db.Selection[sidedGift], error) {
		page, err := newestFirst.Select(limit, cursor)
		if err != nil {
			return nil, err
		}
		httpapi.Equal(page, "g.side", in.Side)
		switch now := db.Micros(s.DB.Now()); in.State {
		case "waiting":
			page.Where("g.state = ? AND g.expires_at > ?", string(Waiting), now)
		case "ended":
			page.Where("(g.state <> ? OR g.expires_at <= ?)", string(Waiting), now)
		}
		return page, nil
	}
	return httpapi.Paged(ctx, s.DB.Read, in.Page, selectPage, func(tx *db.Tx, page *db.Selection[sidedGift]) ([]GiftView, error) {
		found, err := listGifts(tx, httpapi.Caller(ctx), page)
		if err != nil {
			return nil, err
		}
		return viewsOf(tx, found)
	})
}

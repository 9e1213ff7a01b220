package redemptions

import (
	"context"
	"errors"

	"kaibao/internal/action"
	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// ClaimTerms are the countries, prices and limits of claims.
type ClaimTerms struct {
	Rates             []ShippingRate `json:"rates" nullable:"false" doc:"We don't ship to other countries."`
	Carriers          []Carrier      `json:"carriers" nullable:"false"`
	InsurancePercent  money.Percent  `json:"insurancePercent" doc:"Share of the value above insuredAboveCents, included in the price."`
	InsuredAboveCents money.Cents    `json:"insuredAboveCents"`
	MaxItems          int            `json:"mostItems" doc:"Maximum items in one claim."`
	FiniteOnly        bool           `json:"finiteOnly" doc:"Only items whose stock was limited when they were drawn can be claimed."`
	AddressKeptDays   int            `json:"addressKeptDays" doc:"Days after the end of a claim until its address is deleted."`
	SignableMinutes   int            `json:"signableMinutes"`
}

type claimChallengeInput struct {
	Body struct {
		InventoryIDs []httpapi.ID `json:"inventoryIds" minItems:"1" maxItems:"20"`
		Address      Address      `json:"address"`
	}
}

type claimItemsInput struct {
	action.Idempotent
	Body struct {
		InventoryIDs  []httpapi.ID `json:"inventoryIds" minItems:"1" maxItems:"20" doc:"All are claimed, or none."`
		Address       Address      `json:"address"`
		AddressSalt   string       `json:"addressSalt" pattern:"^[0-9a-f]{32}$"`
		Signature     string       `json:"signature" maxLength:"100" doc:"64 bytes in base58, over the message of the challenge."`
		SignedMessage []byte       `json:"signedMessage,omitempty" doc:"What the wallet says it signed, in base64."`
	}
}

type cancelClaimInput struct {
	action.Idempotent
	ID httpapi.PathID `path:"id"`
}

type claimInput struct {
	ID httpapi.PathID `path:"id"`
}

type formInput struct {
	Country  string `query:"country" pattern:"^[A-Z]{2}$" default:"US"`
	Language string `query:"language" enum:"en,zh"`
	Region   string `query:"region" maxLength:"100"`
	City     string `query:"city" maxLength:"100"`
}

type listInput struct {
	httpapi.Page
	State string `query:"state" enum:"open" doc:"open: claims that aren't finished."`
}

// OwnClaim is a claim as shown to its owner only.
type OwnClaim struct {
	ClaimView
	Message  string    `json:"message" doc:"The signed message."`
	Delivery *Delivery `json:"delivery,omitempty" doc:"Until the address is deleted."`
}

// Routes registers the claims' endpoints.
func (s *Service) Routes(api *httpapi.API) {
	s.adminRoutes(api)
	httpapi.JSON(api, httpapi.Get(httpapi.Session, "/api/redemptions/terms", "get-claim-terms", "Shipping destinations and prices"),
		func(context.Context, *struct{}) (ClaimTerms, error) { return s.terms(), nil })
	httpapi.JSON(api, httpapi.Get(httpapi.Session, "/api/redemptions/address-form", "get-address-form", "The address form of a country"),
		func(_ context.Context, in *formInput) (AddressForm, error) {
			if _, ships := s.Shipping.rates[in.Country]; !ships {
				return AddressForm{}, apperr.InvalidField("country", "is not a country we ship to")
			}
			return newAddressForm(in.Country, in.Language, in.Region, in.City), nil
		})
	httpapi.JSON(api, httpapi.Post(httpapi.Customer, "/api/redemptions/challenge", "challenge-claim", "Quote a claim: its price, and the message to sign", claimErrors...), s.postChallenge)
	action.Handle(api, httpapi.Post(httpapi.Customer, "/api/redemptions", "claim-items", "Claim items of the vault for shipping", append(claimErrors, apperr.BadSignature, apperr.PriceChanged, apperr.InsufficientFunds)...), s.postClaim)
	httpapi.Handle(api, httpapi.Get(httpapi.Session, "/api/redemptions", "list-claims", "The caller's claims, newest first"), s.listOwn)
	httpapi.JSON(api, httpapi.Get(httpapi.Session, "/api/redemptions/{id}", "get-claim", "A claim with its address, for its owner"), s.getOwn)
	action.Handle(api, httpapi.Post(httpapi.Session, "/api/redemptions/{id}/cancel", "cancel-claim", "Cancel a claim before it is packed", apperr.Conflict),
		func(tx *db.Tx, caller httpapi.Principal, in *cancelClaimInput) (ClaimView, error) {
			c, err := s.cancel(tx, caller.UserID, string(in.ID))
			if err != nil {
				return ClaimView{}, err
			}
			return s.loadView(tx, c)
		})
}

// claimErrors lists the error codes of entries that can't be claimed.
var claimErrors = []apperr.Code{apperr.NotFound, apperr.AlreadySold, apperr.AlreadyListed, apperr.AlreadyClaimed, apperr.NotVaulted, apperr.NotClaimable, apperr.GiftWaiting}

func (s *Service) terms() ClaimTerms {
	return ClaimTerms{
		Rates: s.Shipping.Rates(), Carriers: s.Shipping.Carriers(), InsurancePercent: policy.InsurancePercent, InsuredAboveCents: policy.InsuredAbove,
		MaxItems: policy.MaxClaimItems, FiniteOnly: !s.Sandbox, AddressKeptDays: int(s.addressKept().Hours() / 24),
		SignableMinutes: int(policy.ClaimSignable.Minutes()),
	}
}

func (s *Service) postChallenge(ctx context.Context, in *claimChallengeInput) (v ClaimChallenge, err error) {
	err = s.DB.InTx(ctx, func(tx *db.Tx) (err error) {
		v, err = s.createChallenge(tx, httpapi.Caller(ctx), httpapi.IDStrings(in.Body.InventoryIDs), in.Body.Address)
		return err
	})
	return v, err
}

func (s *Service) postClaim(tx *db.Tx, caller httpapi.Principal, in *claimItemsInput) (ClaimView, error) {
	c, err := s.createClaim(tx, caller, signedRequest{
		ids: httpapi.IDStrings(in.Body.InventoryIDs), address: in.Body.Address, salt: in.Body.AddressSalt, signature: in.Body.Signature, signedMessage: in.Body.SignedMessage,
	})
	if err != nil {
		return ClaimView{}, err
	}
	return s.loadView(tx, c)
}

func (s *Service) listOwn(ctx context.Context, in *listInput) (*httpapi.List[ClaimView], error) {
	selectPage := func(limit int, cursor string) (*db.Selection[Claim], error) {
		page, err := newestFirst.Select(limit, cursor)
		if err == nil {
			page.Where("c.user_id = ?", httpapi.Caller(ctx).UserID)
			if in.State == "open" {
				page.Where("c.state IN (" + stateListSQL(false) + ")")
			}
		}
		return page, err
	}
	return httpapi.Paged(ctx, s.DB.Read, in.Page, selectPage, func(tx *db.Tx, page *db.Selection[Claim]) ([]ClaimView, error) {
		claims, err := listClaims(tx, page)
		if err != nil {
			return nil, err
		}
		return s.loadViews(tx, claims)
	})
}

// getOwn returns the caller's claim; other users' claims are not found.
func (s *Service) getOwn(ctx context.Context, in *claimInput) (v OwnClaim, err error) {
	err = s.DB.Read(ctx, func(tx *db.Tx) error {
		c, err := findClaim(tx, string(in.ID))
		if errors.Is(err, db.ErrNoRow) || err == nil && c.User != httpapi.Caller(ctx).UserID {
			return apperr.Missing("Claim")
		}
		if err != nil {
			return err
		}
		v.Message = c.Message
		v.ClaimView, err = s.loadView(tx, c)
		if err != nil {
			return err
		}
		deliveries, err := s.loadDeliveries(tx, []Claim{c})
		if d, ok := deliveries[c.ID]; ok {
			v.Delivery = &d
		}
		return err
	})
	return v, err
}

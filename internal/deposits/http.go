package deposits

import (
	"context"
	"errors"

	"kaibao/internal/action"
	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/money"
)

// DepositView is a deposit as shown to its user.
type DepositView struct {
	DepositID       string        `json:"depositId"`
	Provider        string        `json:"provider" enum:"sandbox,helio"`
	ChargeToken     string        `json:"chargeToken,omitempty" doc:"Token for opening the provider's checkout."`
	AmountCents     money.Cents   `json:"amountCents"`
	CreditedCents   money.Cents   `json:"creditedCents,omitempty" doc:"Points added: the requested amount, or less if less arrived."`
	SOLEstimate     string        `json:"solEstimate" doc:"The amount in SOL at the price below, with 6 decimals. The amount due is in dollars."`
	SOLPriceUSD     money.Dollars `json:"solPriceUsd"`
	PriceIsFallback bool          `json:"priceIsFallback" doc:"No price source responded, so the price is Kaibao's own estimate."`
	State           State         `json:"state" enum:"quoted,pending,verified,credited,expired,review,rejected,refunded"`
	Exception       Exception     `json:"exception,omitempty" enum:"under,over,late"`
	Confirming      bool          `json:"confirming" doc:"The payment is on the chain, but not final yet."`
	TransactionID   string        `json:"transactionId,omitempty" doc:"Signature of the received payment on the chain."`
	CreatedAt       string        `json:"createdAt"`
	ExpiresAt       string        `json:"expiresAt" doc:"When the payment must be on the chain."`
}

// DepositLife is a deposit with all its events.
type DepositLife struct {
	DepositView
	Events []DepositEvent `json:"events" nullable:"false"`
	// These explain a deposit that awaits its payment.
	LastCheckedAt         string `json:"lastCheckedAt,omitempty" format:"date-time" doc:"When the provider was last asked for the payment. Absent if it wasn't yet, or if the deposit no longer awaits a payment."`
	NextCheckAt           string `json:"nextCheckAt,omitempty" format:"date-time" doc:"When the provider is asked next."`
	ReportedTransactionID string `json:"reportedTransactionId,omitempty" doc:"Signature of the payment that the provider reported to this node. It isn't verified yet."`
}

// DepositEvent is a state change of a deposit.
type DepositEvent struct {
	State  State  `json:"state" enum:"quoted,pending,verified,credited,expired,review,rejected,refunded"`
	Reason string `json:"reason" doc:"A reason code, or an admin's sentence."`
	By     string `json:"by" enum:"house,admin"`
	At     string `json:"at"`
}

func (d Deposit) view(signature string) DepositView {
	sol := quoteAtCreation(d)
	return DepositView{
		DepositID: d.ID, Provider: d.Provider, ChargeToken: d.ChargeToken, AmountCents: d.Amount, CreditedCents: d.Credited,
		SOLEstimate: sol.Estimate(d.Amount), SOLPriceUSD: money.Dollars(sol.USD), PriceIsFallback: sol.Fallback,
		State: d.State, Exception: d.Exception, Confirming: d.Confirming, TransactionID: signature,
		CreatedAt: httpapi.Timestamp(d.CreatedAt), ExpiresAt: httpapi.Timestamp(d.ExpiresAt),
	}
}

func (e event) view() DepositEvent {
	by := systemAuthor
	if e.By != systemAuthor {
		by = "admin"
	}
	return DepositEvent{State: e.State, Reason: e.Reason, By: by, At: httpapi.Timestamp(e.At)}
}

type quoteInput struct {
	action.Idempotent
	Body struct {
		AmountCents money.Cents `json:"amountCents" minimum:"100" maximum:"1000000"`
	}
}

type listInput struct {
	httpapi.Page
	State string `query:"state" enum:"open" doc:"open: deposits that can still be paid or are under review."`
}

type depositInput struct {
	ID httpapi.PathID `path:"id"`
}

// SOLPrice is the price of one SOL.
type SOLPrice struct {
	USD      money.Dollars `json:"usd"`
	AsOf     string        `json:"asOf"`
	Fallback bool          `json:"fallback" doc:"No price source responded, so the price is Kaibao's own estimate."`
}

// Routes registers the routes of deposits and of all other ways to add points.
func (s *Service) Routes(api *httpapi.API) {
	s.Manual.registerRoutes(api)
	registerCardCheckout(api)
	s.adminRoutes(api)
	s.Frame.Routes(api)
	if s.SandboxProvider != nil {
		s.SandboxProvider.Routes(api)
	}
	httpapi.JSON(api, httpapi.Get(httpapi.Public, "/api/wallet/sol-price", "get-sol-price", "The price of SOL, for estimates"),
		func(context.Context, *struct{}) (SOLPrice, error) {
			q := s.Price.Quote()
			return SOLPrice{USD: money.Dollars(q.USD), AsOf: httpapi.Timestamp(q.AsOf), Fallback: q.Fallback}, nil
		})
	action.HandleThen(api, httpapi.Post(httpapi.Session, "/api/wallet/deposits", "create-deposit", "Start a deposit", apperr.LimitReached,
		apperr.DepositLimit, apperr.TimedOut, apperr.Excluded).WithTimeLimit(providerTimeout),
		func(tx *db.Tx, caller httpapi.Principal, in *quoteInput) (DepositView, error) {
			d, err := s.createDeposit(tx, caller.UserID, in.Body.AmountCents)
			if err != nil {
				return DepositView{}, err
			}
			return d.view(""), nil
		},
		func(ctx context.Context, answer *DepositView) error {
			d, err := s.createCharge(ctx, answer.DepositID)
			answer.ChargeToken = d.ChargeToken
			return err
		})
	httpapi.Handle(api, httpapi.Get(httpapi.Session, "/api/wallet/deposits", "list-deposits", "The caller's deposits, newest first"), s.listOwn)
	httpapi.JSON(api, httpapi.Get(httpapi.Session, "/api/wallet/deposits/{id}", "get-deposit", "A deposit with its history"),
		func(ctx context.Context, in *depositInput) (life DepositLife, err error) {
			err = s.DB.Read(ctx, func(tx *db.Tx) error {
				d, err := findOwnDeposit(tx, httpapi.Caller(ctx).UserID, string(in.ID))
				if err == nil {
					life, err = loadDepositLife(tx, d)
					s.describeCheck(&life, d)
				}
				return err
			})
			return life, err
		})
	httpapi.Handle(api, httpapi.Post(httpapi.Session, "/api/wallet/deposit/helio", "verify-deposit", "Check for the payment now; safe to repeat",
		apperr.NotFound, apperr.SignatureUsed, apperr.Conflict).WithTimeLimit(providerTimeout), s.postVerify)
	api.File(httpapi.Post(httpapi.Public, "/api/webhooks/helio", "take-webhook", "Webhook for the payment provider, authenticated by Authorization and by X-Signature over the raw body",
		apperr.BadSignature, apperr.Malformed, apperr.TooLarge).WithBodyLimit(maxWebhookBytes), "text/plain", s.webhookHandler(api))
}

func (s *Service) listOwn(ctx context.Context, in *listInput) (*httpapi.List[DepositView], error) {
	selectPage := func(limit int, cursor string) (*db.Selection[Deposit], error) {
		page, err := newestFirst.Select(limit, cursor)
		if err == nil {
			page.Where("user_id = ?", httpapi.Caller(ctx).UserID)
			if in.State == "open" {
				page.Where("state IN ('quoted', 'pending', 'verified', 'review')")
			}
		}
		return page, err
	}
	return httpapi.Paged(ctx, s.DB.Read, in.Page, selectPage, func(tx *db.Tx, page *db.Selection[Deposit]) ([]DepositView, error) {
		deposits, err := listDeposits(tx, page)
		views := make([]DepositView, len(deposits))
		for i, d := range deposits {
			views[i] = d.view("")
		}
		return views, err
	})
}

// findOwnDeposit returns a user's deposit, or not_found if it belongs to another user.
func findOwnDeposit(tx *db.Tx, user, id string) (Deposit, error) {
	d, err := findDeposit(tx, id)
	if errors.Is(err, db.ErrNoRow) || err == nil && d.User != user {
		err = apperr.Missing("Deposit")
	}
	return d, err
}

func loadDepositLife(tx *db.Tx, d Deposit) (DepositLife, error) {
	p, err := loadPayment(tx, d.ID)
	if err != nil {
		return DepositLife{}, err
	}
	all, err := loadEvents(tx, d.ID)
	life := DepositLife{DepositView: d.view(p.Signature), Events: make([]DepositEvent, len(all))}
	for i, e := range all {
		life.Events[i] = e.view()
	}
	return life, err
}

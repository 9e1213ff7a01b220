package deposits

import (
	"context"
	"strconv"

	"kaibao/internal/action"
	"kaibao/internal/adminlog"
	"kaibao/internal/apperr"
	"kaibao/internal/csvfile"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/identity"
	"kaibao/internal/money"
)

// AdminDeposit is a deposit as shown to admins.
type AdminDeposit struct {
	DepositLife
	UserID        string `json:"userId" doc:"The deposit's owner."`
	WalletAddress string `json:"walletAddress" doc:"Address of the deposit's owner."`
	PaymentID     string `json:"paymentId,omitempty" doc:"The provider's id of the received payment."`
	Currency      string `json:"currency,omitempty"`
	Units         int64  `json:"units,omitempty" doc:"Amount received, in the currency's smallest unit."`
	OverUnits     int64  `json:"overUnits,omitempty" doc:"The part of it above the amount due."`
	CheckError    string `json:"checkError,omitempty" doc:"Why this node couldn't ask the provider or the chain in the last check. Absent if it could."`
	// ArrivedCents is not capped by the requested amount.
	ArrivedCents money.Cents `json:"arrivedCents,omitempty" doc:"Value of the received units at the charge's price. Crediting never adds more than this."`
}

// Orphan is a payment known to the provider that belongs to no deposit.
type Orphan struct {
	PaymentID string `json:"paymentId"`
	Source    string `json:"source" enum:"webhook,sweep"`
	DepositID string `json:"depositId,omitempty" doc:"The deposit that the provider names, if it is one of ours."`
	Details   string `json:"details" doc:"What the provider reported."`
	CreatedAt string `json:"createdAt"`
}

type adminListInput struct {
	csvfile.PagedInput
	httpapi.UserFilter
	State string `query:"state" enum:"quoted,pending,verified,credited,expired,review,rejected,refunded"`
}

type orphansInput struct {
	csvfile.PagedInput
	httpapi.Period
	User string `query:"user" maxLength:"64" doc:"The id of the user whose deposit the provider names."`
	Kind string `query:"kind" enum:"webhook,sweep" doc:"Source of the report."`
}

type resolveInput struct {
	action.Idempotent
	ID   httpapi.PathID `path:"id"`
	Body struct {
		Action string `json:"action" enum:"credit,refund,reject"`
		Reason string `json:"reason" minLength:"1" maxLength:"500" doc:"Shown to the user."`
	}
}

var csvColumns = []string{
	"time", "id", "wallet", "provider", "amount", "state", "exception", "currency", "units", "overUnits", "paymentId", "transactionId", "reason",
}

// csvRecord returns a deposit as a row of the exported file, with the reason of its last event.
func csvRecord(d AdminDeposit) []string {
	reason := ""
	if len(d.Events) > 0 {
		reason = d.Events[len(d.Events)-1].Reason
	}
	return []string{
		d.CreatedAt, d.DepositID, d.WalletAddress, d.Provider, d.AmountCents.String(), string(d.State), string(d.Exception),
		d.Currency, strconv.FormatInt(d.Units, 10), strconv.FormatInt(d.OverUnits, 10), d.PaymentID, d.TransactionID, reason,
	}
}

func (s *Service) adminRoutes(api *httpapi.API) {
	csvfile.Table(api, httpapi.Get(httpapi.Admin, "/api/admin/deposits", "list-all-deposits", "All users' deposits, newest first"),
		"kaibao-deposits", csvColumns, csvRecord,
		func(ctx context.Context, in *adminListInput) (*httpapi.List[AdminDeposit], error) {
			return httpapi.Paged(ctx, s.DB.Search, in.Page, in.selection, s.listAdminViews)
		})
	csvfile.Table(api, httpapi.Get(httpapi.Admin, "/api/admin/orphans", "list-orphans", "Payments that match no deposit, newest first"),
		"kaibao-orphans", []string{"time", "paymentId", "source", "deposit", "details"}, orphanRecord,
		func(ctx context.Context, in *orphansInput) (*httpapi.List[Orphan], error) {
			return httpapi.Paged(ctx, s.DB.Search, in.Page, in.selection, listOrphans)
		})
	action.Handle(api, httpapi.Post(httpapi.Admin, "/api/admin/deposits/{id}/resolve", "resolve-deposit", "Credit, refund or reject a deposit", apperr.Conflict, apperr.NothingArrived),
		func(tx *db.Tx, admin httpapi.Principal, in *resolveInput) (AdminDeposit, error) {
			before, d, err := s.resolveDeposit(tx, admin.UserID, string(in.ID), in.Body.Action, in.Body.Reason)
			if err != nil {
				return AdminDeposit{}, err
			}
			in.Changed(adminlog.Change{Subject: "deposit " + d.ID, Before: loggedState{State: before}, After: loggedState{d.State, d.Credited}, Reason: in.Body.Reason})
			return s.loadAdminView(tx, d)
		})
}

func orphanRecord(o Orphan) []string {
	return []string{o.CreatedAt, o.PaymentID, o.Source, o.DepositID, o.Details}
}

// loggedState is the state of a deposit in the admin log.
type loggedState struct {
	State         State       `json:"state"`
	CreditedCents money.Cents `json:"creditedCents,omitempty"` // total, including later refunds
}

func (s *Service) listAdminViews(tx *db.Tx, page *db.Selection[Deposit]) ([]AdminDeposit, error) {
	deposits, err := listDeposits(tx, page)
	if err != nil {
		return nil, err
	}
	views := make([]AdminDeposit, len(deposits))
	for i, d := range deposits {
		views[i], err = s.loadAdminView(tx, d)
		if err != nil {
			return nil, err
		}
	}
	return views, nil
}

func (s *Service) loadAdminView(tx *db.Tx, d Deposit) (AdminDeposit, error) {
	life, err := loadDepositLife(tx, d)
	if err != nil {
		return AdminDeposit{}, err
	}
	user, err := identity.ByID(tx, d.User)
	if err != nil {
		return AdminDeposit{}, err
	}
	failure := s.describeCheck(&life, d)
	payment, err := loadPayment(tx, d.ID)
	return AdminDeposit{
		DepositLife: life, UserID: user.ID, WalletAddress: user.Address, PaymentID: payment.ID, Currency: payment.Currency,
		Units: payment.receivedUnits, OverUnits: payment.excessUnits, ArrivedCents: payment.receivedValue, CheckError: failure,
	}, err
}

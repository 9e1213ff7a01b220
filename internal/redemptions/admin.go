package redemptions

import (
	"context"
	"strings"

	"kaibao/internal/action"
	"kaibao/internal/adminlog"
	"kaibao/internal/apperr"
	"kaibao/internal/approval"
	"kaibao/internal/csvfile"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/identity"
)

// QueuedClaim is a claim in the admins' queue.
type QueuedClaim struct {
	ClaimView
	UserID        string `json:"userId" doc:"The claim's owner."`
	WalletAddress string `json:"walletAddress" doc:"Address of the claim's owner."`
}

// OpenedClaim is a claim with its address. Opening it is recorded in the admin log.
type OpenedClaim struct {
	QueuedClaim
	Delivery *Delivery `json:"delivery,omitempty" doc:"Until the address is deleted."`
}

// Opened is the response to opening claims.
type Opened struct {
	Claims []OpenedClaim `json:"claims" nullable:"false"`
}

// Advanced is the response to a step: the claims after it.
type Advanced struct {
	Claims    []QueuedClaim      `json:"claims" nullable:"false"`
	Approvals []approval.Waiting `json:"approvals" nullable:"false" doc:"Refunds and replacements waiting for a second admin."`
}

type queueInput struct {
	csvfile.PagedInput
	httpapi.UserFilter
	State  string `query:"state" enum:"requested,packed,shipped,delivered,cancelled,lost,replacing,refunded"`
	Search string `query:"search" maxLength:"100" doc:"Start of a wallet address or tracking number, or part of a claim id, item name or certificate number."`
}

type openClaimsInput struct {
	action.Idempotent
	Body struct {
		Claims []httpapi.ID `json:"claims" minItems:"1" maxItems:"100"`
	}
}

type stepClaimsInput struct {
	action.Idempotent
	Body struct {
		Act    Step     `json:"act"`
		Claims []Parcel `json:"claims" minItems:"1" maxItems:"100" doc:"All of them are advanced, or none."`
		Reason string   `json:"reason,omitempty" maxLength:"500" doc:"Shown to the owners. Required for cancel, lose, replace and refund."`
	}
}

func (s *Service) adminRoutes(api *httpapi.API) {
	csvfile.Table(api, httpapi.Get(httpapi.Admin, "/api/admin/redemptions", "list-all-claims", "All users' claims, oldest first"),
		"claims", []string{"time", "claim", "state", "wallet", "items", "certificates", "value", "shipping", "carrier", "tracking"}, csvRecord, s.listQueue)
	action.HandleThen(api, httpapi.Post(httpapi.Admin, "/api/admin/redemptions/open", "open-claims", "Read claims with their addresses, recorded in the admin log"),
		func(_ *db.Tx, _ httpapi.Principal, in *openClaimsInput) (Opened, error) {
			// The response is stored for idempotency, so it must not contain addresses;
			// addAddresses adds them later.
			o := Opened{make([]OpenedClaim, len(in.Body.Claims))}
			for i, id := range in.Body.Claims {
				o.Claims[i].ID = string(id)
			}
			in.Changed(adminlog.Change{Subject: claimSubject(httpapi.IDStrings(in.Body.Claims))})
			return o, nil
		}, s.addAddresses)
	action.Handle(api, httpapi.Post(httpapi.Admin, "/api/admin/redemptions/step", stepOperation, "Advance claims: pack, ship, deliver, cancel, lose, replace or refund", apperr.NotFound, apperr.Conflict, apperr.RequestWaiting, apperr.OwnInterest),
		func(tx *db.Tx, admin httpapi.Principal, in *stepClaimsInput) (Advanced, error) {
			updated, waiting, err := s.applyAdminStep(tx, admin.UserID, in.Body.Act, in.Body.Claims, in.Body.Reason)
			if err != nil {
				return Advanced{}, err
			}
			in.Changed(stepChange(in, updated))
			views, err := s.queuedViews(tx, updated)
			return Advanced{views, append([]approval.Waiting{}, waiting...)}, err
		})
}

// stepOperation is the name of the call that takes steps; audits use it to find them in the admin log.
const stepOperation = "step-claims"

// claimSubject returns the claims' subject in the admin log.
func claimSubject(claims []string) string { return "claim " + strings.Join(claims, " ") }

// stepChange returns the admin log's record of a step. It has no result if all claims wait for approval.
func stepChange(in *stepClaimsInput, updated []Claim) adminlog.Change {
	if len(updated) == 0 {
		return adminlog.Change{Subject: claimSubject(parcelIDs(in.Body.Claims)), Reason: in.Body.Reason}
	}
	return adminlog.Change{Subject: claimSubject(claimIDs(updated)), After: stepResult{in.Body.Act, transitions[in.Body.Act].to}, Reason: in.Body.Reason}
}

// stepResult is the result of a step in the admin log.
type stepResult struct {
	Step  Step  `json:"act"`
	State State `json:"state"`
}

func (s *Service) listQueue(ctx context.Context, in *queueInput) (*httpapi.List[QueuedClaim], error) {
	selectPage := func(limit int, cursor string) (*db.Selection[Claim], error) {
		page, err := oldestFirst.Select(limit, cursor)
		if err != nil {
			return nil, err
		}
		httpapi.Equal(page, "c.user_id", in.User)
		httpapi.Equal(page, "c.id", in.ID)
		httpapi.Equal(page, "c.state", in.State)
		in.NarrowIDs(page, "c.id")
		if text := strings.TrimSpace(in.Search); text != "" {
			addSearchCondition(page, text)
		}
		return page, nil
	}
	return httpapi.Paged(ctx, s.DB.Search, in.Page, selectPage, func(tx *db.Tx, page *db.Selection[Claim]) ([]QueuedClaim, error) {
		claims, err := listClaims(tx, page)
		if err != nil {
			return nil, err
		}
		return s.queuedViews(tx, claims)
	})
}

// queuedViews converts claims and adds their owners' wallets.
func (s *Service) queuedViews(tx *db.Tx, claims []Claim) ([]QueuedClaim, error) {
	views, err := s.loadViews(tx, claims)
	if err != nil {
		return nil, err
	}
	owners := make([]string, len(claims))
	for i, c := range claims {
		owners[i] = c.User
	}
	users, err := identity.ByIDs(tx, owners)
	all := make([]QueuedClaim, len(claims))
	for i, c := range claims {
		all[i] = QueuedClaim{views[i], c.User, users[c.User].Address}
	}
	return all, err
}

// addAddresses fills in the opened claims and their addresses once the admin log is committed.
func (s *Service) addAddresses(ctx context.Context, o *Opened) error {
	ids := make([]string, len(o.Claims))
	for i, c := range o.Claims {
		ids[i] = c.ID
	}
	return s.DB.Read(ctx, func(tx *db.Tx) error {
		claims, err := loadClaims(tx, ids)
		if err != nil {
			return err
		}
		views, err := s.queuedViews(tx, claims)
		if err != nil {
			return err
		}
		deliveries, err := s.loadDeliveries(tx, claims)
		o.Claims = make([]OpenedClaim, len(views))
		for i, v := range views {
			o.Claims[i].QueuedClaim = v
			if d, ok := deliveries[v.ID]; ok {
				o.Claims[i].Delivery = &d
			}
		}
		return err
	})
}

// csvRecord returns a claim's row in the CSV export, with amounts in points. It has no address.
func csvRecord(c QueuedClaim) []string {
	tracking := Tracking{}
	if c.Tracking != nil {
		tracking = *c.Tracking
	}
	return []string{
		c.CreatedAt, c.ID, string(c.State), c.WalletAddress, joinItems(c.Items, func(item ClaimedItem) string { return item.Item.Name }),
		joinItems(c.Items, func(item ClaimedItem) string { return item.Item.CertNumber }), c.ValueCents.String(), c.ShippingCents.String(), tracking.Carrier, tracking.Number,
	}
}

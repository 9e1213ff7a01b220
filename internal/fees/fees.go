// Package fees stores the fees on trades between users: the current ones, and changes, which the
// public log announces before they take effect.
package fees

import (
	"encoding/json"
	"strings"
	"time"

	"kaibao/internal/adminlog"
	"kaibao/internal/apperr"
	"kaibao/internal/approval"
	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/policy"
	"kaibao/internal/protocol"
	"kaibao/internal/publiclog"
)

// rateChange is an announced set of rates and the time from which they apply.
type rateChange struct {
	protocol.Rates
	Number    int64 // from 1
	Announced time.Time
	Effective time.Time // in whole milliseconds, as in the leaf
}

func (c rateChange) leaf() string {
	return string(protocol.RatesLeaf{Rates: c.Rates, Effective: c.Effective, Time: c.Announced}.Format())
}

// changeRequest is the payload of a request to change the rates, which waits for approval.
type changeRequest struct {
	Listing money.BasisPoints `json:"listing"`
	Bid     money.BasisPoints `json:"bid"`
	Counter money.BasisPoints `json:"counter"`
	// EffectiveAt is the earliest time the rates take effect; nil = as soon as possible.
	EffectiveAt *time.Time `json:"effectiveAt,omitempty"`
}

func (r changeRequest) rates() protocol.Rates {
	return protocol.Rates{Listing: r.Listing, Bid: r.Bid, Counter: r.Counter}
}

const subject = "rates"

// logMargin is added to the protocol's notice, so that the leaf is in the signed log early enough.
const logMargin = time.Minute

var errUnchanged = apperr.New(apperr.Conflict, "These fees are already in effect or announced.")

// requestChange requests a change, which a second admin must approve.
func requestChange(tx *db.Tx, listing, bid, counter int64, effectiveAt *time.Time, admin, reason string) (approval.Waiting, error) {
	refused := apperr.Fields{}
	for field, rate := range map[string]int64{"listing": listing, "bid": bid, "counter": counter} {
		if err := apperr.CheckRange(field, rate, 0, int64(policy.MaxRate)); err != nil {
			refused.Add(apperr.As(err).Fields)
		}
	}
	if strings.TrimSpace(reason) == "" {
		refused["reason"] = "is required"
	}
	if err := refused.Err(); err != nil {
		return approval.Waiting{}, err
	}
	if err := apperr.CheckMaxLength("reason", reason, policy.MaxReasonLength); err != nil {
		return approval.Waiting{}, err
	}
	request := changeRequest{money.BasisPoints(listing), money.BasisPoints(bid), money.BasisPoints(counter), effectiveAt}
	if request.EffectiveAt != nil && request.EffectiveAt.After(tx.Now.Add(policy.MaxRatesAhead)) {
		return approval.Waiting{}, apperr.InvalidField("effectiveAt", "must be within a year from now")
	}
	last, err := lastChange(tx)
	if err == nil && last.Rates == request.rates() {
		err = errUnchanged
	}
	if err != nil {
		return approval.Waiting{}, err
	}
	payload, err := json.Marshal(request)
	if err != nil {
		return approval.Waiting{}, err
	}
	return approval.Ask(tx, approval.Request{Kind: approval.ChangeRates, Subject: subject, Payload: payload, Reason: reason, AskedBy: admin})
}

// ApplyApproved announces rates that a second admin approved. Only one such request can be pending,
// so changes have a fixed order.
func ApplyApproved(tx *db.Tx, r approval.Request) error {
	var request changeRequest
	if err := json.Unmarshal(r.Payload, &request); err != nil {
		return err
	}
	last, err := lastChange(tx)
	if err != nil {
		return err
	}
	next := rateChange{Rates: request.rates(), Number: last.Number + 1, Announced: tx.Now, Effective: tx.Now.Add(protocol.RatesNotice + logMargin)}
	if request.EffectiveAt != nil && request.EffectiveAt.After(next.Effective) {
		next.Effective = *request.EffectiveAt
	}
	if last.Effective.After(next.Effective) {
		next.Effective = last.Effective
	}
	next.Effective = next.Effective.Add(time.Millisecond - time.Microsecond).Truncate(time.Millisecond)
	if err := insertChange(tx, next); err != nil {
		return err
	}
	if err := publiclog.Append(tx, next.leaf()); err != nil {
		return err
	}
	_, err = adminlog.Record(tx, adminlog.Act{Admin: r.AskedBy, Name: changeOperation, Path: r.Path(), Request: r.Payload, Change: adminlog.Change{
		Subject: r.Subject, Before: newFeeRates(last), After: newFeeRates(next), Reason: r.Reason,
	}})
	return err
}

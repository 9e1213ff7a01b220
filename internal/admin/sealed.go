package admin

import (
	"context"
	"encoding/hex"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/opening"
	"kaibao/internal/protocol"
	"kaibao/internal/publiclog"
	"kaibao/internal/rounds"
)

// SealedStateView is what admins see of sealed packs: what waits, and what the draws depend on.
type SealedStateView struct {
	Packs      []PackWaitingView  `json:"packs" nullable:"false" doc:"Packs with pending orders, the longest waiting first."`
	LateRounds []LateRoundView    `json:"lateRounds" nullable:"false" doc:"Rounds whose orders should have been drawn by now, at most the first 50 of each beacon."`
	Beacon     BeaconStateView    `json:"beacon"`
	Witnesses  *WitnessHealthView `json:"witnesses,omitempty" doc:"Absent while the public log has no witnesses."`
}

// PackWaitingView are the pending orders of a pack.
type PackWaitingView struct {
	PackID      string `json:"packId"`
	PackName    string `json:"packName"`
	PackNameZH  string `json:"packNameZh,omitempty"`
	Orders      int64  `json:"orders"`
	OldestAt    string `json:"oldestAt" format:"date-time" doc:"When the first of them was placed."`
	OldestAgeMs int64  `json:"oldestAgeMs"`
	Round       uint64 `json:"round" doc:"The first round that draws some of them."`
	RoundAt     string `json:"roundAt" format:"date-time"`
	LateMs      int64  `json:"lateMs" doc:"Milliseconds since that round's time; 0 = it is still to come."`
}

// LateRoundView is a round whose orders should have been drawn by now.
type LateRoundView struct {
	Beacon    string `json:"beacon" doc:"Name of the chain."`
	Round     uint64 `json:"round"`
	RoundAt   string `json:"roundAt" format:"date-time"`
	LateMs    int64  `json:"lateMs"`
	Orders    int64  `json:"orders"`
	Published bool   `json:"published" doc:"The public log has the round: only the draws are late."`
	RefundsAt string `json:"refundsAt,omitempty" format:"date-time" doc:"When its orders are refunded unless a relay has the round by then. Absent if it is published."`
}

// BeaconStateView is the beacon as seen by the node that answers.
type BeaconStateView struct {
	Name       string  `json:"name" doc:"Name of the chain, such as quicknet."`
	Chain      string  `json:"chain" doc:"Chain hash."`
	Checked    bool    `json:"checked" doc:"A sealed pack is on sale, so the node compares its clock with the beacon's."`
	ClockReady bool    `json:"clockReady" doc:"The clocks agree. Otherwise the node refuses orders of sealed packs."`
	Problem    string  `json:"problem,omitempty" doc:"Why the node refuses orders; absent if the clocks agree."`
	LastRound  uint64  `json:"lastRound,omitempty" doc:"The last new round that the node has seen. Absent before the first check."`
	LastSeenAt *string `json:"lastSeenAt,omitempty" format:"date-time" doc:"When it arrived."`
	LatenessMs *int64  `json:"latenessMs,omitempty" doc:"How long after its time it arrived, by the node's clock; negative = before."`
}

// WitnessHealthView says how well the witnesses in force cosign the public log.
type WitnessHealthView struct {
	Quorum       int                `json:"quorum"`
	Fresh        bool               `json:"fresh" doc:"A quorum answered within the last 2 s. On a log without new leaves, the next order asks for one."`
	LastQuorumAt *string            `json:"lastQuorumAt" nullable:"true" format:"date-time" doc:"When the last quorum answered; null = never."`
	Uncosigned   int64              `json:"uncosigned" doc:"Signed leaves that no quorum has cosigned."`
	WantedSince  *string            `json:"wantedSince" nullable:"true" format:"date-time" doc:"When an order first asked for a quorum that hasn't answered, so orders are refused; null = none waits."`
	Behind       bool               `json:"behind" doc:"A leaf has waited for its place in the log for more than 1 s, so orders are refused."`
	Witnesses    []WitnessStateView `json:"witnesses" nullable:"false"`
}

// WitnessStateView is a witness.
type WitnessStateView struct {
	Name         string              `json:"name"`
	URL          string              `json:"url"`
	CosignedAt   *string             `json:"cosignedAt" nullable:"true" format:"date-time" doc:"Time of its last cosignature, by its clock; null = none known."`
	CosignedSize int64               `json:"cosignedSize" doc:"Leaves in the tree that it cosigned."`
	LastFailure  *WitnessFailureView `json:"lastFailure,omitempty" doc:"Since the start of the node that answers; only the node that submits to the witnesses has any."`
}

// WitnessFailureView is a submission that brought no cosignature.
type WitnessFailureView struct {
	At     string `json:"at" format:"date-time"`
	Result string `json:"result" enum:"unreachable,refused,conflict,invalid,wrong_time"`
	Cause  string `json:"cause"`
}

func (n Node) sealedRoutes(api *httpapi.API) {
	httpapi.JSON(api, httpapi.Get(httpapi.Admin, "/api/admin/sealed", "get-sealed-state", "Pending orders of sealed packs, late rounds, the beacon and the witnesses"),
		func(ctx context.Context, _ *struct{}) (v SealedStateView, err error) {
			err = api.DB.Search(ctx, func(tx *db.Tx) error {
				v, err = n.sealedView(tx)
				return err
			})
			return v, err
		})
}

func (n Node) sealedView(tx *db.Tx) (v SealedStateView, err error) {
	waiting, err := n.Opening.PendingByPack(tx)
	if err != nil {
		return v, err
	}
	late, err := n.Opening.LateRounds(tx)
	if err != nil {
		return v, err
	}
	health, err := n.Log.ReadWitnessHealth(tx)
	if err != nil {
		return v, err
	}
	v = SealedStateView{Packs: make([]PackWaitingView, len(waiting)), LateRounds: make([]LateRoundView, len(late)), Beacon: beaconView(n.Rounds.State()), Witnesses: witnessHealthView(health)}
	for i, w := range waiting {
		v.Packs[i] = packWaitingView(w, tx.Now)
	}
	for i, r := range late {
		v.LateRounds[i] = lateRoundView(r, tx.Now)
	}
	return v, nil
}

func packWaitingView(w opening.PendingOrders, now time.Time) PackWaitingView {
	return PackWaitingView{
		PackID: w.PackID, PackName: w.PackName, PackNameZH: w.PackNameZH, Orders: w.Orders, OldestAt: httpapi.Timestamp(w.Oldest), OldestAgeMs: msSince(w.Oldest, now),
		Round: w.Round, RoundAt: httpapi.Timestamp(w.RoundAt), LateMs: msSince(w.RoundAt, now),
	}
}

func lateRoundView(r opening.LateRound, now time.Time) LateRoundView {
	v := LateRoundView{Beacon: r.Beacon, Round: r.Round, RoundAt: httpapi.Timestamp(r.At), LateMs: msSince(r.At, now), Orders: r.Orders, Published: r.Published}
	if !r.Published {
		v.RefundsAt = httpapi.Timestamp(r.At.Add(protocol.VoidAfter))
	}
	return v
}

// msSince returns the milliseconds since a time, 0 for a later one.
func msSince(at, now time.Time) int64 { return max(0, now.Sub(at).Milliseconds()) }

func beaconView(s rounds.State) BeaconStateView {
	v := BeaconStateView{Checked: s.Active, ClockReady: s.ClockReady, Problem: s.Problem, LastRound: s.LastRound, LastSeenAt: optionalTime(s.LastSeenAt)}
	if s.Beacon != nil {
		hash := s.Beacon.Hash()
		v.Name, v.Chain = s.Beacon.ID, hex.EncodeToString(hash[:])
	}
	if s.Lateness != nil {
		ms := s.Lateness.Milliseconds()
		v.LatenessMs = &ms
	}
	return v
}

// witnessHealthView returns nil for a log without witnesses.
func witnessHealthView(h *publiclog.WitnessHealth) *WitnessHealthView {
	if h == nil {
		return nil
	}
	v := &WitnessHealthView{
		Quorum: h.Quorum, Fresh: h.Fresh, LastQuorumAt: optionalTime(h.LastQuorum), Uncosigned: h.Uncosigned, WantedSince: optionalTime(h.WantedSince), Behind: h.Behind, Witnesses: make([]WitnessStateView, len(h.Witnesses)),
	}
	for n, w := range h.Witnesses {
		v.Witnesses[n] = WitnessStateView{Name: w.Name, URL: w.URL, CosignedAt: optionalTime(w.Cosigned.At), CosignedSize: w.Cosigned.Size}
		if f := w.Failure; f != nil {
			v.Witnesses[n].LastFailure = &WitnessFailureView{httpapi.Timestamp(f.At), string(f.Result), f.Cause.Error()}
		}
	}
	return v
}

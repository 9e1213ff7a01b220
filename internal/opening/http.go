package opening

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"time"

	"kaibao/internal/action"
	"kaibao/internal/apperr"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/db/batch"
	"kaibao/internal/httpapi"
	"kaibao/internal/inventory"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
	"kaibao/internal/policy"
	"kaibao/internal/publiclog"
)

// PulledItem is a drawn item in the API.
type PulledItem struct {
	InventoryID string `json:"inventoryId"`
	catalogue.ItemFacts
	Grader         string      `json:"certType"`
	BaseValueCents money.Cents `json:"baseValueCents" doc:"Value in the manifest of the draw."`
	SellBackCents  money.Cents `json:"sellBackCents" doc:"Kaibao's offer at the draw."`
	SellBackUntil  *string     `json:"sellBackUntil" nullable:"true" doc:"End of the price floor; null once sold."`
}

func pulledItem(e inventory.Entry) PulledItem {
	return PulledItem{
		InventoryID: e.ID, ItemFacts: e.Item.Facts(), Grader: e.Item.Grader, BaseValueCents: e.PulledValue,
		SellBackCents: policy.SellBack(e.PulledValue), SellBackUntil: e.FloorUntil(),
	}
}

// View is an opening in the API's lists. It has no receipt: signing a page of receipts would take
// longer than everything else.
type View struct {
	OpenID             string       `json:"openId"`
	State              State        `json:"state" enum:"sealed,open,void" doc:"sealed: ordered and paid, drawn once the beacon publishes the round; void: could not be drawn and was refunded."`
	PackID             string       `json:"packId"`
	PackName           string       `json:"packName"`
	PackNameZH         string       `json:"packNameZh,omitempty"`
	PriceCents         money.Cents  `json:"priceCents"`
	CreatedAt          string       `json:"createdAt"`
	Items              []PulledItem `json:"items" nullable:"false"`
	TotalValueCents    money.Cents  `json:"totalValueCents"`
	ServerSeedRevealed string       `json:"serverSeedRevealed" doc:"Empty while the open is sealed."`
	Commitment         string       `json:"commitment"`
	ClientSeed         string       `json:"clientSeed"`
	Nonce              int64        `json:"nonce"`
	ManifestHash       string       `json:"manifestHash"`
	DrawSeq            int64        `json:"drawSeq" doc:"Number of stock changes of the pack; 0 if all its cards are unlimited."`
	Shared             bool         `json:"shared" doc:"Whether the open has a public page. Others see it unless the caller is excluded, frozen, or hidden by an admin."`

	Order *OrderView `json:"order,omitempty" doc:"Only for an open of a sealed pack."`

	leaf publiclog.Leaf // the receipt is made from it
}

// OrderView is the order of an open in the API.
type OrderView struct {
	OrderedAt   string `json:"orderedAt"`
	Beacon      string `json:"beacon" doc:"Chain hash."`
	Round       uint64 `json:"round" doc:"Round of the beacon that draws the order."`
	RoundAt     string `json:"roundAt" doc:"When the beacon publishes it."`
	RoundInMs   int64  `json:"roundInMs" doc:"Milliseconds until then, by the server's clock; 0 if it has passed."`
	PollAfterMs int64  `json:"pollAfterMs,omitempty" doc:"Milliseconds until a client should ask for the draw; only while it is sealed."`
	Items       int    `json:"items" doc:"Number of cards that it draws."`
	VoidReason  string `json:"voidReason,omitempty" enum:"no-beacon,lost"`
}

// Signed is a single opening with its receipt.
type Signed struct {
	View
	Receipt string `json:"receipt" doc:"The leaf of the public log as a signed note. Empty if the key of its log was replaced and is gone; get-open-proof still proves it."`
}

// Next describes the commitment that the next open will use.
type Next struct {
	Commitment string `json:"commitment"`
	Nonce      int64  `json:"nonce"`
}

// Result is the response to an open.
type Result struct {
	Signed
	BalanceCents money.Cents `json:"balanceCents"`
	Next         Next        `json:"next"`
}

// view converts an opening, without its receipt.
func (s *Service) view(o Open) View {
	v := View{
		OpenID: o.ID, State: o.State, PackID: o.PackID, PackName: o.PackName, PackNameZH: o.PackNameZH, PriceCents: o.Price, CreatedAt: httpapi.Timestamp(o.At),
		Items: make([]PulledItem, len(o.Items)), TotalValueCents: o.TotalValue,
		ServerSeedRevealed: o.revealedSeed(), Commitment: hex.EncodeToString(o.Commitment[:]),
		ClientSeed: o.ClientSeed, Nonce: o.Nonce, ManifestHash: o.ManifestHash.String(), DrawSeq: o.DrawSeq, Shared: o.Shared, leaf: o.Leaf,
	}
	for n, e := range o.Items {
		v.Items[n] = pulledItem(e)
	}
	if o.Order != nil {
		v.Order = s.orderView(o)
	}
	return v
}

// revealedSeed returns the server seed in hex; empty while it is secret, or if it was lost.
func (o Open) revealedSeed() string {
	if o.ServerSeed == [32]byte{} {
		return ""
	}
	return hex.EncodeToString(o.ServerSeed[:])
}

// The draw of an order can be fetched some time after its round is published. Clients ask at a time in
// between that is random, as commitments are, so that the buyers of a drop don't ask at once.
const (
	firstPoll = 500 * time.Millisecond
	lastPoll  = 2 * time.Second
)

func (s *Service) orderView(o Open) *OrderView {
	v := &OrderView{
		OrderedAt: httpapi.Timestamp(o.Order.At), Beacon: hex.EncodeToString(o.Order.Beacon[:]), Round: o.Order.Round,
		Items: o.Order.Items, VoidReason: string(o.Order.Reason),
	}
	chain := s.Rounds.Known(o.Order.Beacon)
	if chain == nil {
		return v
	}
	at := chain.Time(o.Order.Round)
	v.RoundAt, v.RoundInMs = httpapi.Timestamp(at), max(0, at.Sub(s.DB.Now()).Milliseconds())
	if o.State == Sealed {
		v.PollAfterMs = v.RoundInMs + firstPoll.Milliseconds() + int64(binary.BigEndian.Uint32(o.NextCommitment[:]))%(lastPoll-firstPoll).Milliseconds()
	}
	return v
}

// sign adds the receipt. Call it without an open transaction: a signature takes longer than a draw,
// and others would wait for its locks.
func (s *Service) sign(v *Signed) (err error) {
	v.Receipt, err = s.Log.Receipt(v.leaf)
	return err
}

// rebuildResult rebuilds the response to an earlier open as it was when the open was drawn.
func (s *Service) rebuildResult(ctx context.Context, call action.Call[openInput], id string) (r Result, err error) {
	err = s.DB.Read(ctx, func(tx *db.Tx) error {
		o, err := byID(tx, call.Caller.UserID, id)
		if err != nil {
			return err
		}
		o, err = s.readItemsAndLeaf(tx, o)
		if err != nil {
			return err
		}
		o.Shared = false
		for n := range o.Items {
			o.Items[n].SellBackUntil = o.At.Add(policy.FloorLife)
		}
		price, err := ledger.FindLine(tx, o.UserID, ledger.KindOpen, o.ID)
		r = s.result(OpenResult{Open: o, Balance: price.Balance, NextSeed: ledger.Seed{Commitment: o.NextCommitment[:], Nonce: o.Nonce + 1}})
		return err
	})
	return r, err
}

type openInput struct {
	action.Idempotent
	PackID httpapi.PathID `path:"id"`
	Body   struct {
		ClientSeed string `json:"clientSeed" minLength:"1" maxLength:"128" doc:"Any text of 1 to 128 bytes."`
		Commitment string `json:"commitment,omitempty" pattern:"^[0-9a-f]{64}$" patternDescription:"64 lowercase hex digits" doc:"The commitment to use. If it has changed, the open is refused."`
		Sealed     bool   `json:"sealed,omitempty" doc:"Order a sealed open: it is drawn some seconds later with a round of a public randomness beacon. Required by packs that allow no instant opens."`
		Manifest   string `json:"manifest,omitempty" pattern:"^([0-9a-f]{64})?$" patternDescription:"64 lowercase hex digits" doc:"Hash of the manifest to draw from. If it has changed, the open is refused."`
	}
	earlierOpen string // the open that used up the commitment
	paused      error  // why orders of sealed packs are refused; nil = they aren't
}

// Routes registers the endpoints that open packs and list opens.
func (s *Service) Routes(api *httpapi.API) {
	s.adminRoutes(api)
	action.HandleQueuedBatch(api, httpapi.Post(httpapi.Customer, "/api/packs/{id}/open", "open-pack", "Buy and open a pack",
		apperr.InsufficientFunds, apperr.SealedPack, apperr.SealedPaused, apperr.Publishing, apperr.CommitmentChanged, apperr.ManifestChanged, apperr.Inactive, apperr.SoldOut,
		apperr.LossLimit, apperr.HouseLimit, apperr.DepositLimit, apperr.TimedOut, apperr.Excluded),
		action.Batch[openInput, Result, queuedLocks]{
			Queue: func(tx *db.Tx, calls []action.Call[openInput]) queuedLocks {
				return s.queueLocks(tx, requestsOf(calls))
			},
			Prepare: s.checkQuorum, Execute: s.openCalls, PrepareRetry: s.findEarlierOpen,
			StoredID: func(r Result) string { return r.OpenID }, Rebuild: s.rebuildResult,
			Finish: func(r *Result) error { return s.sign(&r.Signed) },
		})
	httpapi.Handle(api, httpapi.Get(httpapi.Session, "/api/opens", "list-opens", "The caller's opens and orders, newest first, without receipts"), s.list)
	httpapi.JSON(api, httpapi.Get(httpapi.Session, "/api/opens/{id}", "get-open", "One of the caller's opens, with its receipt"), s.get)
}

// openCalls executes a batch of concurrent calls.
func (s *Service) openCalls(tx *db.Tx, locks queuedLocks, calls []action.Call[openInput]) ([]batch.Outcome[Result], error) {
	opened, err := s.openLocked(tx, locks, requestsOf(calls))
	if err != nil {
		return nil, err
	}
	results := make([]batch.Outcome[Result], len(opened))
	for n, o := range opened {
		results[n].Err = o.Err
		if o.Err == nil {
			results[n].Value = s.result(o.Value)
		}
	}
	return results, nil
}

func requestsOf(calls []action.Call[openInput]) []UserRequest {
	requests := make([]UserRequest, len(calls))
	for n, call := range calls {
		body := call.In.Body
		requests[n] = UserRequest{UserID: call.Caller.UserID, UserTag: call.Caller.Tag, Request: Request{
			PackID: string(call.In.PackID), ClientSeed: body.ClientSeed, Commitment: body.Commitment, Manifest: body.Manifest, Sealed: body.Sealed,
		}, EarlierOpen: call.In.earlierOpen, Paused: call.In.paused}
	}
	return requests
}

// checkQuorum finds out whether the witnesses of the log would see an order in time. It may wait for
// them.
func (s *Service) checkQuorum(ctx context.Context, call action.Call[openInput]) {
	if call.In.Body.Sealed {
		call.In.paused = s.Log.QuorumReady(ctx)
	}
}

// findEarlierOpen finds the open that used up the commitment of a refused call; the call is then
// retried.
func (s *Service) findEarlierOpen(ctx context.Context, call action.Call[openInput], refusal error) error {
	if !apperr.IsCode(refusal, apperr.CommitmentChanged) {
		return refusal
	}
	commitment, err := hex.DecodeString(call.In.Body.Commitment)
	if err != nil {
		return err
	}
	err = s.DB.Search(ctx, func(tx *db.Tx) (err error) {
		call.In.earlierOpen, err = byCommitment(tx, call.Caller.UserID, [32]byte(commitment))
		return err
	})
	if errors.Is(err, db.ErrNoRow) {
		return refusal
	}
	return err
}

func (s *Service) result(o OpenResult) Result {
	next := Next{Commitment: hex.EncodeToString(o.NextSeed.Commitment), Nonce: o.NextSeed.Nonce}
	return Result{Signed: Signed{View: s.view(o.Open)}, BalanceCents: o.Balance, Next: next}
}

type getInput struct {
	ID httpapi.PathID `path:"id"`
}

func (s *Service) get(ctx context.Context, in *getInput) (v Signed, err error) {
	err = s.DB.Read(ctx, func(tx *db.Tx) error {
		o, err := byID(tx, httpapi.Caller(ctx).UserID, string(in.ID))
		if errors.Is(err, db.ErrNoRow) {
			return apperr.Missing("Open")
		}
		if err != nil {
			return err
		}
		o, err = s.readItemsAndLeaf(tx, o)
		v.View = s.view(o)
		return err
	})
	if err == nil {
		err = s.sign(&v)
	}
	return v, err
}

type listInput struct {
	httpapi.Page
	State State `query:"state" enum:"sealed,open,void" doc:"Only opens in this state."`
}

func (s *Service) list(ctx context.Context, in *listInput) (*httpapi.List[View], error) {
	return httpapi.Paged(ctx, s.DB.Read, in.Page, newestFirst.Select, func(tx *db.Tx, page *db.Selection[Open]) ([]View, error) {
		found, err := opensOf(tx, httpapi.Caller(ctx).UserID, in.State, page)
		if err != nil {
			return nil, err
		}
		return s.views(tx, found)
	})
}

// views completes a list of openings with one query for all their items.
func (s *Service) views(tx *db.Tx, opened []Open) ([]View, error) {
	ids := make([]string, len(opened))
	for n, o := range opened {
		ids[n] = o.ID
	}
	items, err := inventory.ByOpenings(tx, ids)
	if err != nil {
		return nil, err
	}
	views := make([]View, len(opened))
	for n, o := range opened {
		o.Items = items[o.ID]
		views[n] = s.view(o)
	}
	return views, nil
}

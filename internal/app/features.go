package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"kaibao/internal/admin"
	"kaibao/internal/adminlog"
	"kaibao/internal/alerts"
	"kaibao/internal/approval"
	"kaibao/internal/art"
	"kaibao/internal/audit"
	"kaibao/internal/beacon"
	"kaibao/internal/bids"
	"kaibao/internal/catalogue"
	"kaibao/internal/catalogue/importer"
	"kaibao/internal/db"
	"kaibao/internal/deposits"
	"kaibao/internal/feed"
	"kaibao/internal/fees"
	"kaibao/internal/gifts"
	"kaibao/internal/houserules"
	"kaibao/internal/httpapi"
	"kaibao/internal/idempotency"
	"kaibao/internal/identity"
	"kaibao/internal/imageproxy"
	"kaibao/internal/inventory"
	"kaibao/internal/jobs"
	"kaibao/internal/leaderboard"
	"kaibao/internal/ledger"
	"kaibao/internal/limits"
	"kaibao/internal/market"
	"kaibao/internal/market/index"
	"kaibao/internal/market/match"
	"kaibao/internal/marketevents"
	"kaibao/internal/moderation"
	"kaibao/internal/nodes"
	"kaibao/internal/opening"
	"kaibao/internal/packs"
	"kaibao/internal/personaldata"
	"kaibao/internal/playstats"
	"kaibao/internal/policy"
	"kaibao/internal/preview"
	"kaibao/internal/profiles"
	"kaibao/internal/proofs"
	"kaibao/internal/publicbooks"
	"kaibao/internal/publiclog"
	"kaibao/internal/redemptions"
	"kaibao/internal/rounds"
	"kaibao/internal/sellback"
	"kaibao/internal/sets"
	"kaibao/internal/toppulls"
	"kaibao/internal/trades"
	"kaibao/internal/webui"
	"kaibao/web"
)

// feature is one package's contribution to the server. A test compares the table of features with
// the packages.
type feature struct {
	folder     string
	routes     func(*httpapi.API)
	auditName  string // what audit checks, as shown in its progress
	audit      audit.Check
	auditSince audit.Check // checks only what changed since the last clean audit, if set
	jobs       []jobs.Job
}

// features lists all features.
func (s services) features() []feature {
	followers := s.publiclog.Followers()
	return []feature{
		{folder: "adminlog", auditName: "admin log", audit: adminlog.Audit},
		{folder: "admin", routes: s.admin.Routes, jobs: admin.Jobs(s.db)},
		{folder: "approval", routes: s.approval.Routes, auditName: "approvals", audit: approval.Audit, jobs: approval.Jobs(s.db)},
		{folder: "identity", routes: s.identity.Routes, auditName: "handles", audit: identity.Audit, jobs: s.identity.Jobs()},
		{folder: "playstats", routes: s.playstats.Routes},
		{folder: "limits", routes: s.limits.Routes, auditName: "limits", audit: limits.Audit, jobs: limits.Jobs(s.db)},
		{folder: "ledger", routes: ledger.Routes, auditName: "balances", audit: ledger.Audit, auditSince: ledger.AuditNewLines},
		{folder: "deposits", routes: s.deposits.Routes, auditName: "deposits", audit: deposits.Audit, jobs: s.deposits.Jobs()},
		{folder: "art", routes: art.Routes},
		{folder: "catalogue", routes: catalogue.Routes, auditName: "values", audit: catalogue.Audit},
		{folder: "packs", routes: s.packs.Routes, jobs: s.packs.Jobs(), auditName: "packs", audit: packs.Audit},
		{folder: "catalogue/importer", routes: s.importer.Routes},
		{folder: "inventory", routes: inventory.Routes, auditName: "entries", audit: inventory.Audit},
		{folder: "alerts", routes: alerts.Routes, jobs: alerts.Jobs(s.db)},
		{folder: "opening", routes: s.opening.Routes, jobs: s.opening.Jobs(), auditName: "opens", audit: opening.Audit},
		{folder: "proofs", routes: s.proofs.Routes, auditName: "draws", audit: proofs.Audit, jobs: proofs.Jobs(followers)},
		{folder: "trades", routes: trades.Routes, auditName: "trades", audit: trades.Audit},
		{folder: "fees", routes: s.fees.Routes, auditName: "fees", audit: fees.Audit},
		{folder: "bids", routes: bids.Routes, auditName: "bids", audit: bids.Audit},
		{folder: "market", routes: s.market.Routes},
		{folder: "sets", routes: s.sets.Routes},
		{folder: "profiles", routes: s.profiles.Routes, auditName: "shared pulls and showcases", audit: profiles.Audit, jobs: profiles.Jobs(s.pictures)},
		{folder: "market/match", jobs: s.match.Jobs(s.db)},
		{folder: "marketevents", jobs: append(marketevents.Jobs(s.db), s.marketevents.Job())},
		{folder: "market/index", jobs: s.index.Jobs()},
		{folder: "feed", routes: s.feed.Routes, jobs: feed.Jobs(s.db, followers)},
		{folder: "gifts", routes: s.gifts.Routes, auditName: "gifts", audit: gifts.Audit, jobs: gifts.Jobs(s.db)},
		{folder: "sellback", routes: s.sellback.Routes, auditName: "sell-backs", audit: sellback.Audit},
		{folder: "redemptions", routes: s.redemptions.Routes, auditName: "claims", audit: redemptions.Audit, jobs: s.redemptions.Jobs()},
		{folder: "personaldata", routes: s.personaldata.Routes, jobs: s.personaldata.Jobs()},
		{folder: "leaderboard", routes: s.leaderboard.Routes, auditName: "rankings", audit: leaderboard.Audit, jobs: leaderboard.Jobs(s.db, followers)},
		{folder: "toppulls", routes: s.toppulls.Routes, auditName: "top pulls", audit: toppulls.Audit, jobs: toppulls.Jobs(followers)},
		{folder: "publicbooks", routes: s.publicbooks.Routes, auditName: "closed days", audit: publicbooks.Audit, jobs: s.publicbooks.Jobs()},
		{folder: "publiclog", routes: s.publiclog.Routes, auditName: "log", audit: auditLog, auditSince: auditNewLeaves, jobs: s.publiclog.Jobs(s.db)},
		{folder: "rounds", routes: s.rounds.Routes, jobs: s.rounds.Jobs()},
		{folder: "imageproxy", routes: s.imageproxy.Routes},
		{folder: "idempotency", jobs: idempotency.Jobs(s.db)},
		{folder: "moderation", routes: s.moderation.Routes, auditName: "freezes and debits", audit: moderation.Audit},
		{folder: "nodes", jobs: s.nodes.Jobs()},
		{folder: "webui", routes: s.webui.Routes},
	}
}

// services are the features that have state, wired together.
type services struct {
	db           *db.DB
	approval     *approval.Service
	identity     *identity.Service
	limits       *limits.Service
	playstats    *playstats.Service
	packs        *packs.Service
	importer     *importer.Service
	opening      *opening.Service
	proofs       *proofs.Service
	sellback     *sellback.Service
	fees         *fees.Service
	redemptions  redemptions.Service
	market       *market.Service
	match        *match.Service
	gifts        *gifts.Service
	sets         *sets.Service
	profiles     *profiles.Service
	pictures     *preview.Service
	leaderboard  *leaderboard.Service
	toppulls     *toppulls.Service
	feed         *feed.Service
	publicbooks  *publicbooks.Service
	deposits     *deposits.Service
	personaldata *personaldata.Service
	imageproxy   *imageproxy.Service
	publiclog    *publiclog.Log
	rounds       *rounds.Service
	index        *index.Service
	marketevents *marketevents.Dispatcher
	moderation   *moderation.Service
	webui        webui.Pages
	admin        admin.Node
	nodes        *nodes.Registry
}

func newServices(c Config, d *db.DB, public httpapi.PublicURL, log *publiclog.Log, k secrets, house houserules.Rules) services {
	s := services{db: d, publiclog: log}
	s.leaderboard, s.feed, s.publicbooks, s.fees = leaderboard.New(d), feed.New(d), publicbooks.New(d), fees.New(d)
	s.toppulls = toppulls.New(d)
	s.rounds = rounds.New(rounds.Options{DB: d, Relays: c.BeaconRelays, Log: logger(c.LogFormat, c.LogLevel), Sandbox: c.Sandbox(), Steerable: c.Sandbox() && !c.SandboxPublic,
		Active: func(tx *db.Tx) (bool, error) { return s.packs.AnySealed(tx) }})
	s.index = index.New(d)
	s.marketevents = marketevents.NewDispatcher(d, s.index.Handle, s.feed.Handle) // the index first, so that announced listings can be found
	s.index.SetDispatcher(s.marketevents)

	s.packs = &packs.Service{DB: d, Delay: c.ManifestDelay, Beacon: func() [32]byte { return s.rounds.Beacon().Hash() }, Holdings: holdings, Rules: house}
	if c.Sandbox() {
		s.packs.SoloLossLimit = policy.SandboxSoloLossLimit
	}
	s.importer = &importer.Service{DB: d, Packs: s.packs}
	s.proofs = &proofs.Service{DB: d, Packs: s.packs, Log: log}
	s.opening = &opening.Service{DB: d, Packs: s.packs, Log: log, Sealer: opening.NewSealer(k.seeds), Rules: house, Rounds: s.rounds, KeptLimits: k.keptLimits}
	s.identity = identity.New(identity.Options{DB: d, PublicURL: public, Rules: house, Welcome: s.welcome, ProfileChanged: s.profileChanged,
		HandleAllowed: mayHaveHandle, HandleKey: identity.HandleKey(k.keptLimits), Showcase: profiles.ShowcaseIDs, SaveShowcase: profiles.ReplaceShowcase,
		ProfileShown: func(ctx context.Context, handle string) { s.profiles.StartPicture(ctx, handle) },
		SessionIdle:  c.SessionIdle, SessionLife: c.SessionLife})
	s.limits = &limits.Service{DB: d, EndOffers: endOffers}
	s.playstats = &playstats.Service{DB: d, Packs: s.packs}

	s.sellback = &sellback.Service{DB: d, Packs: s.packs, Disabled: !house.SellBack}
	s.match = &match.Service{SellBack: s.sellback, Sandbox: c.Sandbox(), Closed: !house.Market}
	s.gifts = &gifts.Service{DB: d, PublicURL: public, Rules: house, Sandbox: c.Sandbox()}
	s.sets = sets.New(d, s.match)
	if !c.PlainPreviews {
		s.pictures = preview.New(filepath.Join(c.Data, "cache", "previews"), logger(c.LogFormat, c.LogLevel), time.Now)
	}
	s.profiles = profiles.New(profiles.Options{DB: d, Sets: s.sets, Pictures: s.pictures, Changed: s.profileChanged})
	s.market = &market.Service{DB: d, Packs: s.packs, Log: log, Index: s.index, Match: s.match}
	s.deposits = c.depositService(d, public)
	claims := redemptions.Service{DB: d, Packs: s.packs, PublicURL: public, Shipping: k.shipping, Keys: k.addresses, Sandbox: c.Sandbox(), AddressKept: c.addressKept()}
	s.redemptions = claims

	s.personaldata = personaldata.New(personaldata.Service{DB: d, PublicURL: public, Opening: s.opening, Claims: &claims,
		AddressKey: k.keptLimits, Deleted: s.profileChanged, DeletedList: c.DeletedListPath(c.Data), Retention: c.retention()})
	s.moderation = &moderation.Service{DB: d, ProfileChanged: s.profileChanged, HandleKey: identity.HandleKey(k.keptLimits)}
	s.approval = approvals(d, s.packs, s.deposits.Manual, s.redemptions)
	s.admin = admin.Node{Books: s.publicbooks, Board: s.leaderboard, Opening: s.opening, Rounds: s.rounds, Log: log} // App.open adds what needs the jobs
	s.imageproxy = imageproxy.New(d, c.Outbound)
	social, chat := c.communityLinks()
	s.webui = webui.Pages{Dist: web.Dist, Heads: s.profiles.Head, Covers: s.packs.Covers, Rates: s.fees.Latest, LastFeedEvent: s.feed.Last, SecurityContact: c.securityContact(),
		Config: webui.PageConfig{Sandbox: c.Sandbox(), Social: social, Chat: chat, Payment: c.PaymentOrigin, Terms: policy.ForPage(), Rules: house, Catalogue: catalogue.ForPage()}}
	return s
}

// profileChanged drops the cached lists that name users.
func (s services) profileChanged() {
	s.leaderboard.Invalidate()
	s.toppulls.Invalidate()
}

// welcome sets up a new user.
func (s services) welcome(tx *db.Tx, u identity.User) error {
	if err := s.opening.CreateAccount(tx, u); err != nil {
		return err
	}
	return gifts.Welcome(tx, u)
}

// mayHaveHandle reports whether a user topped up or opened a pack. What admins credited doesn't count.
func mayHaveHandle(tx *db.Tx, user string) (bool, error) {
	paid, err := deposits.HasCredited(tx, user)
	if err != nil || paid {
		return paid, err
	}
	return opening.HasOpened(tx, user)
}

// endOffers ends the gifts and bids of a user who stops playing.
func endOffers(tx *db.Tx, user string) error {
	if err := gifts.End(tx, user); err != nil {
		return err
	}
	return match.EndBids(tx, user)
}

// api returns an API with every route registered.
func (s services) api(o httpapi.Options) *httpapi.API {
	o.Authenticate, o.CachedPrincipal, o.CheckSessions = s.identity.Authenticate, s.identity.CachedPrincipal, identity.QueueSessionCheck
	o.CheckDatabase = s.publiclog.CheckConsistency
	api := httpapi.New(o)
	serveOpenAPI(api)
	for _, f := range s.features() {
		if f.routes != nil {
			f.routes(api)
		}
	}
	return api
}

// background returns the jobs of all features.
func (s services) background() (work []jobs.Job) {
	for _, f := range s.features() {
		work = append(work, f.jobs...)
	}
	return work
}

// withoutState returns services that list their features but can't serve. Audits need only a tx.
func withoutState() services { return services{deposits: &deposits.Service{}} }

// Audit checks the books and returns every row that breaks a rule. Unless full, the
// checks of the ledger and the log start where the last clean audit ended; all others check every
// row. Progress, unless nil, is called with the name of the current check, its feature's position
// in the list, and the number of features.
func Audit(tx *db.Tx, full bool, progress func(what string, done, total int64)) (found []audit.Breach, err error) {
	if progress == nil {
		progress = func(string, int64, int64) {}
	}
	all := withoutState().features()
	for n, f := range all {
		if f.audit == nil {
			continue
		}
		progress("checking the "+f.auditName, int64(n), int64(len(all)))
		check := f.audit
		if !full && f.auditSince != nil {
			check = f.auditSince
		}
		breaches, err := check(tx)
		if err != nil {
			return nil, fmt.Errorf("check the %s: %w", f.auditName, err)
		}
		found = append(found, breaches...)
	}
	return found, nil
}

// holdings let packs find out who has an interest in an item's value.
var holdings = packs.Holdings{OwnsAny: inventory.Owns, BidsOnAny: bids.HasPegged, CountOwned: inventory.CountOwned}

// approvals returns the service for acts that need a second admin's approval.
func approvals(d *db.DB, shop *packs.Service, credits deposits.Manual, claims redemptions.Service) *approval.Service {
	return &approval.Service{DB: d, Handlers: map[approval.Kind]approval.Handler{
		approval.Credit: credits.ApplyApprovedCredit, approval.AcceptLoss: shop.ApplyApprovedLoss, approval.Value: shop.ApplyApprovedRaises,
		approval.Refund: claims.ApplyApprovedRefund, approval.Replace: claims.ApplyApprovedReplacement,
		approval.Promote: admin.PromoteApproved, approval.Debit: moderation.ApplyApprovedDebit, approval.Unfreeze: moderation.ApplyApprovedUnfreeze, approval.ChangeRates: fees.ApplyApproved,
	}}
}

// Approvals returns the approval service for use by commands. Delay is the notice of changed
// manifests.
func Approvals(ctx context.Context, d *db.DB, delay time.Duration) (*approval.Service, error) {
	shop, err := commandShop(ctx, d, delay)
	return approvals(d, shop, deposits.Manual{}, redemptions.Service{DB: d, Packs: shop}), err
}

// Importer returns the catalogue's import and export for use by commands. Delay is the notice of
// changed manifests.
func Importer(ctx context.Context, d *db.DB, delay time.Duration) (*importer.Service, error) {
	shop, err := commandShop(ctx, d, delay)
	return &importer.Service{DB: d, Packs: shop}, err
}

// commandShop returns the service that publishes packs for commands. New manifests of sealed packs name
// the beacon that the servers of this database use.
func commandShop(ctx context.Context, d *db.DB, delay time.Duration) (*packs.Service, error) {
	var chain [32]byte
	err := d.Read(ctx, func(tx *db.Tx) error {
		b, err := rounds.SandboxBeacon(tx)
		if errors.Is(err, db.ErrNoRow) { // not a sandbox
			b, err = beacon.Quicknet(), nil
		}
		if err == nil {
			chain = b.Hash()
		}
		return err
	})
	return &packs.Service{DB: d, Delay: delay, Holdings: holdings, Beacon: func() [32]byte { return chain }}, err
}

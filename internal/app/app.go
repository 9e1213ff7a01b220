package app

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/demo"
	"kaibao/internal/httpapi"
	"kaibao/internal/jobs"
	"kaibao/internal/keyring"
	"kaibao/internal/metrics"
	"kaibao/internal/nodes"
	"kaibao/internal/publiclog"
	"kaibao/internal/redemptions"
	"kaibao/internal/tracing"
)

// App is a running node.
type App struct {
	URL      string // where users reach it
	address  string // URL of the address that it listens on
	stopped  func() // logs the end; nil until started
	db       *db.DB
	log      *slog.Logger
	tree     *publiclog.Log
	registry *nodes.Registry // nil until registered
	keys     *keyring.Set
	jobs     *jobs.Runner
	listener net.Listener
	server   *http.Server
	api      *httpapi.API
	ops      opsServer
	traces   *tracing.Exporter // nil = off
	draining atomic.Bool
	drain    time.Duration // how long a stopping node still serves
}

// OpenDB opens the database for commands that run beside a server. It requires the current schema.
func (s Storage) OpenDB(ctx context.Context) (*db.DB, error) { return s.OpenSmall(ctx, 0) }

// OpenSmall is OpenDB for commands that must use little memory. Cache is the size in bytes of each
// SQLite connection's page cache.
func (s Storage) OpenSmall(ctx context.Context, cache int64) (*db.DB, error) {
	return db.Open(ctx, db.Options{Dir: s.Data, URL: s.DatabaseURL, Schema: db.SchemaExact, Cache: cache})
}

// OpenOlder is OpenDB for commands that also work with an older schema.
func (s Storage) OpenOlder(ctx context.Context) (*db.DB, error) {
	return db.Open(ctx, db.Options{Dir: s.Data, URL: s.DatabaseURL, Schema: db.SchemaOlder})
}

// OpenMigrated migrates an older schema, then calls migrated.
func (s Storage) OpenMigrated(ctx context.Context, migrated func(db.Migration)) (*db.DB, error) {
	return db.Open(ctx, db.Options{Dir: s.Data, URL: s.DatabaseURL, Schema: db.SchemaMigrate, Migrated: migrated})
}

// emptyDatabaseError returns why this node refuses to set up an empty database, or nil: if it has
// signed a log, a backup has to be restored.
func (s Storage) emptyDatabaseError() error {
	leaves, err := publiclog.RememberedLeaves(s.checkpointFile())
	if err == nil && leaves > 0 {
		err = fmt.Errorf("the database is empty, but this node has signed %d leaves of a public log (%s): restore a backup. For a new shop, use another --data", leaves, s.checkpointFile())
	}
	return err
}

// Open starts listening and prepares the node to serve.
func Open(ctx context.Context, c Config, version string) (*App, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return nil, fmt.Errorf("create the data directory: %w", err)
	}
	a := &App{log: logger(c.LogFormat, c.LogLevel)}
	if err := a.open(ctx, c, version); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

func (a *App) open(ctx context.Context, c Config, version string) (err error) {
	house, err := c.houseRules()
	if err != nil {
		return err
	}
	a.listener, err = new(net.ListenConfig).Listen(ctx, "tcp", c.Addr)
	if err != nil {
		return err
	}
	public, err := c.publicURL(a.listener.Addr())
	if err != nil {
		return err
	}
	payment, err := c.paymentOrigin(public)
	if err != nil {
		return err
	}
	c.PaymentOrigin = payment.String()
	a.drain = c.Drain
	if err := a.ops.listen(ctx, c.OpsAddr); err != nil {
		return err
	}
	a.URL, a.address = public.String(), "http://"+a.listener.Addr().String()
	if c.PublicURL == "" {
		a.address = a.URL // cookies of one name aren't sent to the other
	}
	options := db.Options{
		Dir: c.Data, URL: c.DatabaseURL, Pools: c.sizes(), Now: c.Now, Watch: c.Watch, Slow: a.slowQueries(c.SlowQuery), Migrated: func(m db.Migration) { a.migrated(ctx, m) },
		EmptyError: c.emptyDatabaseError(),
	}
	if c.TraceEndpoint != "" {
		a.traces, err = tracing.Start(ctx, c.tracing(version, a.log))
		if err != nil {
			return err
		}
		options.Traces = a.traces
	}
	a.db, err = db.Open(ctx, options)
	if err != nil {
		return err
	}
	measured := metrics.New(a.db)
	if err := c.requireKeys(ctx, a.db); err != nil {
		return err
	}
	var k secrets
	a.keys, err = c.loadKeys(c.Data)
	if err == nil {
		k.shipping, err = redemptions.LoadShipping(c.ShippingTable)
	}
	if err == nil {
		k.shipping, err = k.shipping.Restrict(house.Countries)
	}
	if err != nil {
		return err
	}
	if err := pinPayments(ctx, a.db, c); err != nil {
		return err
	}
	passkeyHost, err := a.pinPasskeys(ctx, c, public, payment)
	if err != nil {
		return err
	}
	k.seeds, k.addresses = a.keys.Seeds, a.keys.Addresses
	k.keptLimits, err = initializeKeys(ctx, a.db, a.keys)
	if err != nil {
		return err
	}
	a.registry, err = nodes.Register(ctx, a.db, a.listener.Addr().String(), version, a.keys.Refresh)
	if err != nil {
		return fmt.Errorf("register the node: %w", err)
	}
	a.tree, err = publiclog.Open(ctx, publiclog.Options{DB: a.db, Keys: a.keys.Log.Source().Read, CheckpointFile: c.checkpointFile(), NewestCheckpoint: c.newestCheckpoint})
	if err != nil {
		return err
	}
	f := newServices(c, a.db, public, a.tree, k, house)
	f.nodes, f.webui.Config.Passkeys = a.registry, passkeyHost
	if err := f.rounds.Open(ctx); err != nil {
		return err
	}
	if c.Demo && c.Sandbox() {
		seeding, end := context.WithTimeout(ctx, time.Minute) // hundreds of rows, before any requests
		defer end()
		if err := a.db.InTx(seeding, func(tx *db.Tx) error { return demo.Seed(tx, f.packs) }); err != nil {
			return fmt.Errorf("seed the demo data: %w", err)
		}
	}
	a.jobs = jobs.New(a.log, a.db.Now, append(f.background(), c.backups(a.db, version).job(a.log)...)...)
	f.admin.Ready, f.admin.Jobs = a.ready, a.jobs.States
	o := httpapi.Options{
		DB: a.db, Log: a.log, PublicURL: public, PaymentOrigin: payment, EarlierHost: c.PasskeyRP, RateLimits: c.RateLimits == "on", AdminsPlay: c.Sandbox(), TrustedProxies: c.TrustedProxies, Version: version,
		NewRequestID: rand.Text, Clock: time.Now, LogAddresses: httpapi.AddressLogging(c.LogAddresses), SlowRequest: c.SlowRequest, Observe: measured.ObserveRequest,
	}
	if a.traces != nil {
		o.Tracer = a.traces.Tracer("kaibao")
	}
	a.api = f.api(o)
	measured.Watch(metrics.Node{
		DB: a.db, Version: version, Clock: time.Now, Log: a.log, Jobs: a.jobs.States, Queues: a.api.QueueLengths, Streams: f.feed.OpenStreams, Paused: f.packs.CountPaused, Beacon: f.rounds.State, Submissions: a.tree.Submissions,
		Ready: func(ctx context.Context) error { return f.admin.CheckReady(ctx, a.db) },
	})
	pages := map[string]http.Handler{"GET /metrics": measured.Handler()}
	if c.Pprof {
		maps.Copy(pages, pprofHandlers())
	}
	a.ops.handle(f.admin.OpsHandler(a.db, c.OpsHost, pages), a.log)
	a.server = newServer(a.api, a.log)
	a.log.InfoContext(ctx, "started", "version", version, "payments", c.Payments, "engine", a.db.Engine(), "schema", a.db.Schema(),
		"address", a.Address(), "publicURL", a.URL)
	a.stopped = sync.OnceFunc(func() { a.log.InfoContext(context.WithoutCancel(ctx), "stopped", "version", version) })
	return nil
}

// ready returns why the node shouldn't get requests, apart from its database, or nil.
func (a *App) ready() error {
	if a.draining.Load() {
		return apperr.New(apperr.Unavailable, "This node is stopping.")
	}
	if err := a.keys.Ready(); err != nil {
		return err
	}
	return a.tree.Ready()
}

func (a *App) migrated(ctx context.Context, m db.Migration) {
	if m.From == 0 {
		a.log.InfoContext(ctx, "set up the database", "schema", m.To, "durationMs", httpapi.Milliseconds(m.Took))
		return
	}
	a.log.InfoContext(ctx, "migrated the database", "from", m.From, "to", m.To, "durationMs", httpapi.Milliseconds(m.Took), "backup", m.Backup)
}

// slowQueries logs statements that take longer than a threshold, with the request that waited for
// them, if it was only one. With 0 it logs none.
func (a *App) slowQueries(above time.Duration) db.SlowQueries {
	if above == 0 {
		return db.SlowQueries{}
	}
	return db.SlowQueries{Above: above, Report: func(ctx context.Context, statements string, took time.Duration) {
		a.log.WarnContext(ctx, "slow query", "requestId", httpapi.RequestID(ctx), "statement", statements, "durationMs", httpapi.Milliseconds(took))
	}}
}

// Address returns the URL of the address that the node listens on. Without --public-url that is the
// public URL.
func (a *App) Address() string { return a.address }

// OpsAddress returns the URL of the operator's listener, or "" if it is off.
func (a *App) OpsAddress() string { return a.ops.url() }

// writeTime is the time limit for a call including its response. Streams are exempt.
const writeTime = 20 * time.Second

func newServer(api *httpapi.API, log *slog.Logger) *http.Server {
	s := &http.Server{
		Handler: api.Handler(), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second,
		WriteTimeout: writeTime, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	s.RegisterOnShutdown(api.Shutdown) // Shutdown waits for the streams to end
	return s
}

// Run serves until ctx ends. Then it reports that the node isn't ready, serves on for the drain
// time, and waits for requests in flight.
func (a *App) Run(ctx context.Context) error {
	var background sync.WaitGroup
	defer background.Wait()
	working, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	background.Go(func() { a.jobs.Run(working) })
	background.Go(func() { a.ops.serve(working, a.log) })
	failed := make(chan error, 1)
	go func() { failed <- a.server.Serve(a.listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	a.draining.Store(true)
	drained := time.NewTimer(a.drain)
	defer drained.Stop()
	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case <-drained.C:
	}
	stop()
	return a.shutDown(working, shutdownTime)
}

// shutdownTime leaves the rest of 10 seconds for closing everything.
const shutdownTime = 8 * time.Second

// shutDown waits for requests in flight, then closes the remaining connections. Slow clients cause
// that, so it isn't an error.
func (a *App) shutDown(ctx context.Context, patience time.Duration) error {
	ctx = context.WithoutCancel(ctx)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err := a.server.Shutdown(ctx)
	if !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	a.log.WarnContext(ctx, "closed the connections that did not finish in time", "afterMs", httpapi.Milliseconds(patience))
	return a.server.Close()
}

// Close releases the node's resources.
func (a *App) Close() error {
	var errs []error
	if a.listener != nil {
		// Shutdown has already closed it.
		if err := a.listener.Close(); !errors.Is(err, net.ErrClosed) {
			errs = append(errs, err)
		}
	}
	errs = append(errs, a.ops.close())
	if a.api != nil {
		a.api.Close()
	}
	if a.db != nil {
		a.unregister()
		errs = append(errs, a.db.Close())
	}
	if a.traces != nil {
		a.traces.Close()
	}
	if a.stopped != nil {
		a.stopped()
	}
	return errors.Join(errs...)
}

// unregister removes the node from the running ones. If the database doesn't answer, the node's row
// soon counts as stopped anyway.
func (a *App) unregister() {
	ctx, cancel := context.WithTimeout(context.Background(), unregisterTime)
	defer cancel()
	if a.tree != nil {
		if err := a.tree.StopSubmitting(ctx); err != nil {
			a.log.WarnContext(ctx, "other nodes wait before they submit checkpoints to the witnesses", "error", err)
		}
	}
	if a.registry == nil {
		return
	}
	if err := a.registry.Remove(ctx); err != nil {
		a.log.WarnContext(ctx, "could not remove this node from the running ones", "error", err)
	}
}

// unregisterTime leaves enough of a shutdown for the rest of it.
const unregisterTime = time.Second

// pinPayments keeps play money and real money apart. A database first opened in sandbox mode is
// never used with real payments, or vice versa.
func pinPayments(ctx context.Context, d *db.DB, c Config) error {
	return d.InTx(ctx, func(tx *db.Tx) error {
		pinned, err := db.InitSetting(tx, paymentsSetting, c.Payments)
		if err == nil && pinned != c.Payments {
			err = c.otherPayments(pinned)
		}
		return err
	})
}

// paymentsSetting is the database's setting that stores the payment provider.
const paymentsSetting = "payments"

func (c Config) otherPayments(pinned string) error {
	return fmt.Errorf("this database was created with --payments %s and can't be used with %s", pinned, c.Payments)
}

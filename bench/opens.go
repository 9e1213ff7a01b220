package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"kaibao/internal/loadgen"
)

// opens measures the hot path: packs opened over HTTP on both engines. For comparison it runs two
// baselines on PostgreSQL alone, without this product.
type opens struct {
	*bench
	baseline      storage
	minimalScript string // pgbench script of the minimal open
	engines       []engine
}

// engine is the product on one database engine.
type engine struct {
	name string
	storage
	*server
	wrkUsers loadgen.Players // wrk's users
	sessions string          // file with their sessions
	players  loadgen.Players // check every response
	traders  loadgen.Players // trade with each other and check every response
}

const (
	ordinaryPack    = "2"
	itemsPack       = "demo-pack-1" // five items per open
	wrkUserCount    = 512
	checkingPlayers = 64 // number of checking players
)

var (
	clientCounts   = []int{64, 256}
	baselineCounts = []int{8, 32, 64}
)

func (o *opens) prepare(ctx context.Context) (err error) {
	o.logf("preparing the opens")
	if err := o.prepareBaselines(ctx); err != nil {
		return err
	}
	for _, name := range engines {
		e := engine{name: name}
		e.storage, err = o.newStorage(ctx, e.name, "opens")
		if err != nil {
			return err
		}
		e.server, err = o.serve(ctx, e.storage)
		if err != nil {
			return err
		}
		if err := o.signIn(ctx, &e); err != nil {
			return fmt.Errorf("sign in to %s: %w", e.name, err)
		}
		o.engines = append(o.engines, e)
	}
	return nil
}

func (o *opens) signIn(ctx context.Context, e *engine) (err error) {
	e.wrkUsers, err = loadgen.NewPlayers(ctx, wrkUserCount, e.load(checkingPlayers))
	if err == nil {
		e.players, err = loadgen.NewPlayers(ctx, checkingPlayers, e.load(checkingPlayers))
	}
	if err == nil {
		e.traders, err = loadgen.NewPlayers(ctx, checkingPlayers, e.load(checkingPlayers))
	}
	if err != nil {
		return err
	}
	e.sessions = filepath.Join(o.dir, e.name+".sessions")
	return os.WriteFile(e.sessions, []byte(strings.Join(e.wrkUsers.Sessions(), "\n")+"\n"), 0o600)
}

// prepareBaselines creates the tables of pgbench's built-in test and of the minimal open.
func (o *opens) prepareBaselines(ctx context.Context) (err error) {
	o.baseline, err = o.newDatabase(ctx, "baselines")
	if err != nil {
		return err
	}
	if err := o.cluster.execute(ctx, o.baseline.url, minimalTables); err != nil {
		return err
	}
	o.minimalScript = filepath.Join(o.dir, "minimal_open.pgbench")
	if err := os.WriteFile(o.minimalScript, minimalOpen, 0o600); err != nil {
		return err
	}
	return o.cluster.initTPCB(ctx, o.baseline.url)
}

func (o *opens) round(ctx context.Context) error {
	if err := o.probeDisk(); err != nil {
		return err
	}
	if err := o.vacuum(ctx); err != nil {
		return err
	}
	if err := o.measureBaselines(ctx); err != nil {
		return err
	}
	if err := o.vacuum(ctx); err != nil {
		return err
	}
	for _, clients := range clientCounts {
		for _, e := range o.engines {
			if err := o.open(ctx, e, clients); err != nil {
				return fmt.Errorf("opening on %s: %w", e.name, err)
			}
		}
	}
	for _, e := range o.engines {
		if err := errors.Join(o.openChecked(ctx, e, checkingPlayers), o.openChecked(ctx, e, 1)); err != nil {
			return fmt.Errorf("opening on %s: %w", e.name, err)
		}
		if err := o.trade(ctx, e); err != nil {
			return fmt.Errorf("trading on %s: %w", e.name, err)
		}
	}
	return nil
}

// vacuum runs VACUUM and CHECKPOINT, which PostgreSQL would otherwise do during the next
// measurement.
func (o *opens) vacuum(ctx context.Context) error {
	return o.cluster.execute(ctx, o.baseline.url, "VACUUM; CHECKPOINT;")
}

// measureBaselines records the best result of several client counts for each baseline.
func (o *opens) measureBaselines(ctx context.Context) error {
	for _, clients := range baselineCounts {
		rate, err := o.cluster.pgbench(ctx, o.baseline.url, clients, o.plan)
		if err != nil {
			return err
		}
		o.record(fmt.Sprintf("tpcb %d", clients), rate)
		// An offset that makes the numbers unique across runs of the script.
		base := fmt.Sprintf("base=%d", (time.Now().UnixMilli()-1_700_000_000_000)<<18)
		rate, err = o.cluster.pgbench(ctx, o.baseline.url, clients, o.plan, "-D", "n=0", "-D", base, "-f", o.minimalScript)
		if err != nil {
			return err
		}
		o.record(fmt.Sprintf("minimal %d", clients), rate)
	}
	for _, baseline := range []string{"tpcb", "minimal"} {
		best := 0.0
		for _, clients := range baselineCounts {
			best = max(best, o.latest(fmt.Sprintf("%s %d", baseline, clients)))
		}
		o.record(baseline, best)
	}
	o.logf("pgbench: %.0f TPC-B/s and %.0f minimal opens/s, best of the client counts", o.latest("tpcb"), o.latest("minimal"))
	return nil
}

// open measures the rate with wrk, a client that doesn't check responses.
func (o *opens) open(ctx context.Context, e engine, clients int) error {
	if err := e.wrkUsers.Fund(ctx, e.load(checkingPlayers)); err != nil {
		return err
	}
	measured, used, err := o.measure(ctx, e, clients)
	if err != nil {
		return err
	}
	name := fmt.Sprintf("%s %d", e.name, clients)
	o.record(name+" rate", measured.perSecond)
	o.record(name+" ratio", measured.perSecond/o.latest("tpcb"))
	o.record(name+" minimal", measured.perSecond/o.latest("minimal"))
	o.record(name+" p50", measured.p50)
	o.record(name+" p99", measured.p99)
	o.record(name+" spread", measured.p99/measured.p50)
	o.recordProcessor(name, used, measured.requests)
	o.logf("%s, %d clients: %.0f opens/s, p50 %.2f ms, p99 %.2f ms", e.name, clients, measured.perSecond, measured.p50, measured.p99)
	return nil
}

// openChecked measures opens by players who check every response, and verifies the results.
func (o *opens) openChecked(ctx context.Context, e engine, clients int) error {
	options := e.load(clients)
	options.Duration = o.duration / 2
	report, err := e.players.Play(ctx, options)
	if err == nil {
		err = o.verify(ctx, e.players, options)
	}
	if err != nil {
		return err
	}
	o.record(fmt.Sprintf("%s %d checked", e.name, clients), report.PerSecond)
	o.record(fmt.Sprintf("%s %d checked p50", e.name, clients), report.P50)
	o.logf("%s, kaibao load, %d clients: %.0f opens/s, all verified", e.name, clients, report.PerSecond)
	return nil
}

// trade measures purchases by players who check every response, relative to opens by such players.
func (o *opens) trade(ctx context.Context, e engine) error {
	options := e.load(checkingPlayers)
	options.Duration, options.Pack = o.duration/2, itemsPack
	report, err := e.traders.Trade(ctx, options)
	if err == nil {
		err = o.verify(ctx, e.traders, options)
	}
	if err != nil {
		return err
	}
	o.record(e.name+" trades", report.PerSecond)
	o.record(e.name+" trades ratio", report.PerSecond/o.latest(fmt.Sprintf("%s %d checked", e.name, checkingPlayers)))
	o.logf("%s, kaibao load --trade, %d clients: %.0f buys/s, all verified", e.name, checkingPlayers, report.PerSecond)
	return nil
}

// measure runs wrk and returns the CPU seconds that the server and, on PostgreSQL, the database
// used, minus their idle usage.
func (o *opens) measure(ctx context.Context, e engine, clients int) (measurement, []float64, error) {
	roots := []int{e.command.Process.Pid}
	if e.storage.url != "" {
		roots = append(roots, o.cluster.pid)
	}
	idle, err := idleShares(ctx, roots)
	if err != nil {
		return measurement{}, nil, err
	}
	begun, before := time.Now(), processorTimes(roots)
	name := strconv.FormatInt(begun.UnixNano(), 36) + "-"
	measured, err := o.wrk(ctx, e.server.url.String()+"/api/packs/"+ordinaryPack+"/open", clients, "sessions", name, e.sessions)
	used := processorTimes(roots)
	for n := range used {
		used[n] -= before[n] + idle[n]*time.Since(begun).Seconds()
	}
	return measured, used, err
}

// recordProcessor records CPU microseconds per open: of the server, of the database, and in total,
// the total also relative to the CPU time of one TPC-B transaction.
func (o *opens) recordProcessor(name string, used []float64, opens int) {
	total := 0.0
	for n, seconds := range used {
		each := seconds / float64(opens) * 1e6
		o.record(name+[]string{" server", " database"}[n], each)
		total += each
	}
	o.record(name+" cpu", total)
	o.record(name+" effort", total/(float64(runtime.NumCPU())/o.latest("tpcb")*1e6))
}

// idleShares returns the share of a CPU that each process uses without requests.
func idleShares(ctx context.Context, roots []int) ([]float64, error) {
	begin, before := time.Now(), processorTimes(roots)
	if err := sleep(ctx, time.Second); err != nil {
		return nil, err
	}
	shares := processorTimes(roots)
	for n := range shares {
		shares[n] = (shares[n] - before[n]) / time.Since(begin).Seconds()
	}
	return shares, nil
}

func (o *opens) finish(ctx context.Context) error {
	for _, e := range o.engines {
		if err := e.stop(); err != nil {
			return fmt.Errorf("stop %s: %w", e.name, err)
		}
		if err := o.audit(ctx, e.storage); err != nil {
			return err
		}
	}
	return nil
}

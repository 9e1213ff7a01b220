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
	yardstick storage
	spare     string // pgbench script of the minimal open
	engines   []engine
}

// engine is the product on one database engine.
type engine struct {
	name string
	storage
	*server
	crowd    loadgen.Players // wrk's users
	sessions string          // file with their sessions
	players  loadgen.Players // check every response
	traders  loadgen.Players // trade with each other and check every response
}

const (
	ordinaryPack = "2"
	pileOfItems  = "demo-pack-1" // a pack with many items
	users        = 512
	proving      = 64 // number of checking players
)

var (
	clientCounts    = []int{64, 256}
	yardstickCounts = []int{8, 32, 64}
)

func (o *opens) prepare(ctx context.Context) (err error) {
	o.say("preparing the opens")
	if err := o.prepareYardstick(ctx); err != nil {
		return err
	}
	for _, name := range engines {
		e := engine{name: name}
		e.storage, err = o.place(ctx, e.name, "opens")
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
	e.crowd, err = loadgen.NewPlayers(ctx, users, e.load(proving))
	if err == nil {
		e.players, err = loadgen.NewPlayers(ctx, proving, e.load(proving))
	}
	if err == nil {
		e.traders, err = loadgen.NewPlayers(ctx, proving, e.load(proving))
	}
	if err != nil {
		return err
	}
	e.sessions = filepath.Join(o.dir, e.name+".sessions")
	return os.WriteFile(e.sessions, []byte(strings.Join(e.crowd.Sessions(), "\n")+"\n"), 0o600)
}

// prepareYardstick creates the tables of pgbench's built-in test and of the minimal open.
func (o *opens) prepareYardstick(ctx context.Context) (err error) {
	o.yardstick, err = o.database(ctx, "yardstick")
	if err != nil {
		return err
	}
	if err := o.cluster.script(ctx, o.yardstick.url, spareTables); err != nil {
		return err
	}
	o.spare = filepath.Join(o.dir, "spare.pgbench")
	if err := os.WriteFile(o.spare, spareOpen, 0o600); err != nil {
		return err
	}
	return o.cluster.initTPCB(ctx, o.yardstick.url)
}

func (o *opens) round(ctx context.Context) error {
	if err := o.probeDisk(); err != nil {
		return err
	}
	if err := o.tidy(ctx); err != nil {
		return err
	}
	if err := o.measureYardstick(ctx); err != nil {
		return err
	}
	if err := o.tidy(ctx); err != nil {
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
		if err := errors.Join(o.prove(ctx, e, proving), o.prove(ctx, e, 1)); err != nil {
			return fmt.Errorf("opening on %s: %w", e.name, err)
		}
		if err := o.trade(ctx, e); err != nil {
			return fmt.Errorf("trading on %s: %w", e.name, err)
		}
	}
	return nil
}

// tidy runs VACUUM and CHECKPOINT, which PostgreSQL would otherwise do during the next measurement.
func (o *opens) tidy(ctx context.Context) error {
	return o.cluster.script(ctx, o.yardstick.url, "VACUUM; CHECKPOINT;")
}

// measureYardstick notes the best result of several client counts for each baseline.
func (o *opens) measureYardstick(ctx context.Context) error {
	for _, clients := range yardstickCounts {
		rate, err := o.cluster.pgbench(ctx, o.yardstick.url, clients, o.plan)
		if err != nil {
			return err
		}
		o.note(fmt.Sprintf("tpcb %d", clients), rate)
		// An offset that makes the numbers unique across runs of the script.
		base := fmt.Sprintf("base=%d", (time.Now().UnixMilli()-1_700_000_000_000)<<18)
		rate, err = o.cluster.pgbench(ctx, o.yardstick.url, clients, o.plan, "-D", "n=0", "-D", base, "-f", o.spare)
		if err != nil {
			return err
		}
		o.note(fmt.Sprintf("spare %d", clients), rate)
	}
	for _, yardstick := range []string{"tpcb", "spare"} {
		best := 0.0
		for _, clients := range yardstickCounts {
			best = max(best, o.latest(fmt.Sprintf("%s %d", yardstick, clients)))
		}
		o.note(yardstick, best)
	}
	o.say("pgbench: %.0f TPC-B/s and %.0f spare opens/s at its best", o.latest("tpcb"), o.latest("spare"))
	return nil
}

// open measures the rate with wrk, a client that doesn't check responses.
func (o *opens) open(ctx context.Context, e engine, clients int) error {
	if err := e.crowd.Fund(ctx, e.load(proving)); err != nil {
		return err
	}
	measured, used, err := o.measure(ctx, e, clients)
	if err != nil {
		return err
	}
	name := fmt.Sprintf("%s %d", e.name, clients)
	o.note(name+" rate", measured.perSecond)
	o.note(name+" ratio", measured.perSecond/o.latest("tpcb"))
	o.note(name+" spare", measured.perSecond/o.latest("spare"))
	o.note(name+" p50", measured.p50)
	o.note(name+" p99", measured.p99)
	o.note(name+" spread", measured.p99/measured.p50)
	o.noteProcessor(name, used, measured.requests)
	o.say("%s, %d clients: %.0f opens/s, p50 %.2f ms, p99 %.2f ms", e.name, clients, measured.perSecond, measured.p50, measured.p99)
	return nil
}

// prove measures opens by players who check every response, and verifies the results.
func (o *opens) prove(ctx context.Context, e engine, clients int) error {
	options := e.load(clients)
	options.Duration = o.span / 2
	report, err := e.players.Play(ctx, options)
	if err == nil {
		err = o.verify(ctx, e.players, options)
	}
	if err != nil {
		return err
	}
	o.note(fmt.Sprintf("%s %d proved", e.name, clients), report.PerSecond)
	o.note(fmt.Sprintf("%s %d proved p50", e.name, clients), report.P50)
	o.say("%s, kaibao load, %d clients: %.0f opens/s, all verified", e.name, clients, report.PerSecond)
	return nil
}

// trade measures purchases by players who check every response, relative to opens by such players.
func (o *opens) trade(ctx context.Context, e engine) error {
	options := e.load(proving)
	options.Duration, options.Pack = o.span/2, pileOfItems
	report, err := e.traders.Trade(ctx, options)
	if err == nil {
		err = o.verify(ctx, e.traders, options)
	}
	if err != nil {
		return err
	}
	o.note(e.name+" trades", report.PerSecond)
	o.note(e.name+" trades ratio", report.PerSecond/o.latest(fmt.Sprintf("%s %d proved", e.name, proving)))
	o.say("%s, kaibao load --trade, %d clients: %.0f buys/s, all verified", e.name, proving, report.PerSecond)
	return nil
}

// measure runs wrk and returns the CPU seconds that the server and, on PostgreSQL, the database
// used, minus their idle usage.
func (o *opens) measure(ctx context.Context, e engine, clients int) (measurement, []float64, error) {
	roots := []int{e.command.Process.Pid}
	if e.storage.url != "" {
		roots = append(roots, o.cluster.pid)
	}
	idle, err := idling(ctx, roots)
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

// noteProcessor notes CPU microseconds per open: of the server, of the database, and in total, the
// total also relative to the CPU time of one TPC-B transaction.
func (o *opens) noteProcessor(name string, used []float64, opens int) {
	total := 0.0
	for n, seconds := range used {
		each := seconds / float64(opens) * 1e6
		o.note(name+[]string{" server", " database"}[n], each)
		total += each
	}
	o.note(name+" cpu", total)
	o.note(name+" effort", total/(float64(runtime.NumCPU())/o.latest("tpcb")*1e6))
}

// idling returns the share of a CPU that each process uses without requests.
func idling(ctx context.Context, roots []int) ([]float64, error) {
	begin, before := time.Now(), processorTimes(roots)
	if err := rest(ctx, time.Second); err != nil {
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
			return fmt.Errorf("%s does not end in order: %w", e.name, err)
		}
		if err := o.audit(ctx, e.storage); err != nil {
			return err
		}
	}
	return nil
}

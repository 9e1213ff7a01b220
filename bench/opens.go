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

// opens measures the hot path: packs opened over HTTP on both engines, beside two
// yardsticks of PostgreSQL alone that owe nothing to this product.
type opens struct {
	*bench
	yardstick storage
	spare     string // pgbench's script of a spare open
	engines   []engine
}

// engine is the product on one of its databases.
type engine struct {
	name string
	storage
	*server
	crowd    loadgen.Players // as whom wrk opens
	sessions string          // the file of theirs
	players  loadgen.Players // who check all that they get
	traders  loadgen.Players // who buy from each other, and check that too
}

const (
	ordinaryPack = "2"
	pileOfItems  = "demo-pack-1" // for who needs many of them
	users        = 512
	proving      = 64 // of those who check
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

// prepareYardstick makes the tables of pgbench's own test and of the spare open.
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

// tidy has PostgreSQL write what is still to be written and clear the yardsticks' dead
// rows, which it else does while what comes next is measured.
func (o *opens) tidy(ctx context.Context) error {
	return o.cluster.script(ctx, o.yardstick.url, "VACUUM; CHECKPOINT;")
}

// measureYardstick notes the best of some client counts for each yardstick.
func (o *opens) measureYardstick(ctx context.Context) error {
	for _, clients := range yardstickCounts {
		rate, err := o.cluster.pgbench(ctx, o.yardstick.url, clients, o.plan)
		if err != nil {
			return err
		}
		o.note(fmt.Sprintf("tpcb %d", clients), rate)
		// Numbers that no earlier run of the script has used.
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

// open measures the rate by a client that does nothing but ask.
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

// prove opens by players who check every answer, and verifies what they got.
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

// trade measures buys by players who check every answer, beside opens by such players.
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

// measure lets the crowd open, and gives the seconds of processor time that the server
// took meanwhile, and the database beside it.
func (o *opens) measure(ctx context.Context, e engine, clients int) (rate, []float64, error) {
	roots := []int{e.command.Process.Pid}
	if e.storage.url != "" {
		roots = append(roots, o.cluster.pid)
	}
	idle, err := idling(ctx, roots)
	if err != nil {
		return rate{}, nil, err
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

// noteProcessor notes microseconds an open: of the server, of the database beside
// it, and of both together, these also as a share of what a TPC-B takes of all processors.
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

// idling is the share of a processor that the processes take when nothing is asked.
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

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"github.com/KimMachineGun/automemlimit/memlimit"

	"kaibao/internal/app"
)

// memoryShare is the share of the container's or machine's memory that the Go heap may use. The
// rest is for memory outside the heap, mainly SQLite's.
const memoryShare = 0.75

// serveGCPercent is the garbage collector's target (GOGC). At Go's default of 100, a busy server
// with a small heap spends an eighth of its time collecting it. limitMemory bounds a large heap.
const serveGCPercent = 300

// shutdownTimeout is the timeout of a shutdown, after --drain.
const shutdownTimeout = 10 * time.Second

type serveCommand struct {
	app.Config `embed:""`
	Check      bool `help:"Check settings, keys, database, disk, clock and schema instead of serving. Exits with 1 and says what to do if the server wouldn't start."`
}

// Run serves until a signal arrives. The first line on standard output contains the address.
func (s serveCommand) Run(ctx context.Context) error {
	if s.Check {
		return printFindings(func(report func(app.Finding)) { app.CheckStart(ctx, s.Config, report) })
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(serveGCPercent)
	}
	if err := limitMemory(); err != nil {
		return err
	}
	context.AfterFunc(ctx, func() {
		time.AfterFunc(s.Drain+shutdownTimeout, func() {
			fmt.Fprintf(os.Stderr, "stopped after %s with requests still running; all acknowledged changes are saved\n", shutdownTimeout)
			os.Exit(1)
		})
	})
	a, err := app.Open(ctx, s.Config, version)
	if err != nil {
		return err
	}
	fmt.Println("listening on " + a.Address())
	if ops := a.OpsAddress(); ops != "" {
		fmt.Println("operator's listener on " + ops)
	}
	return errors.Join(a.Run(ctx), a.Close())
}

// limitMemory sets the memory limit unless GOMEMLIMIT is set.
func limitMemory() error {
	_, err := memlimit.Set(memlimit.WithRatio(memoryShare),
		memlimit.WithProvider(memlimit.ApplyFallback(memlimit.FromCgroup, memlimit.FromSystem)))
	return err
}

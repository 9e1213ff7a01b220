package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/KimMachineGun/automemlimit/memlimit"

	"kaibao/internal/app"
)

// memoryShare is the part of the memory there is, of the container or else of
// the machine, that the garbage collector keeps within; the rest is for what it
// does not see, SQLite above all.
const memoryShare = 0.75

// lastMoment is when a server that was told to end does so, whatever holds it.
const lastMoment = 10 * time.Second

type serve struct {
	app.Config `embed:""`
}

// Run serves until a signal comes; the first line on standard output says where.
func (s serve) Run(ctx context.Context) error {
	if os.Getenv("GOGC") == "" {
		go boundGarbage(ctx)
	}
	if err := limitMemory(); err != nil {
		return err
	}
	context.AfterFunc(ctx, func() {
		time.AfterFunc(lastMoment, func() {
			fmt.Fprintf(os.Stderr, "ended after %s with work under way: what was acknowledged is kept\n", lastMoment)
			os.Exit(1)
		})
	})
	a, err := app.Open(ctx, s.Config, version)
	if err != nil {
		return err
	}
	fmt.Println("listening on " + a.Address())
	return errors.Join(a.Run(ctx), a.Close())
}

// limitMemory sets what GOMEMLIMIT would, unless it is set.
func limitMemory() error {
	_, err := memlimit.Set(memlimit.WithRatio(memoryShare),
		memlimit.WithProvider(memlimit.ApplyFallback(memlimit.FromCgroup, memlimit.FromSystem)))
	return err
}

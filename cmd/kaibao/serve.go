package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"kaibao/internal/app"
)

// garbagePercent lets garbage grow to some times of what lives, which is little:
// collecting at Go's own 100 takes an eighth of a busy server's time.
const garbagePercent = 400

type serve struct {
	app.Config `embed:""`
}

// Run serves until a signal comes; the first line on standard output says where.
func (s serve) Run(ctx context.Context) error {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbagePercent)
	}
	a, err := app.Open(ctx, s.Config, version)
	if err != nil {
		return err
	}
	fmt.Println("listening on " + a.URL)
	return errors.Join(a.Run(ctx), a.Close())
}

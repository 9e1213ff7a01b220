package main

import (
	"context"
	"errors"
	"fmt"

	"kaibao/internal/app"
)

type serve struct {
	app.Config `embed:""`
}

// Run serves until a signal comes; the first line on standard output says where.
func (s serve) Run(ctx context.Context) error {
	a, err := app.Open(ctx, s.Config, version)
	if err != nil {
		return err
	}
	fmt.Println("listening on " + a.URL)
	return errors.Join(a.Run(ctx), a.Close())
}

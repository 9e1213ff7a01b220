package main

import (
	"context"
	"fmt"

	"kaibao/internal/app"
)

type rotateCommand struct {
	app.Storage `embed:""`
	app.Keys    `embed:""`
}

// Run reencrypts all addresses with a new key. The server may be running.
func (r rotateCommand) Run(ctx context.Context) error {
	sealed, err := app.RotateAddressKey(ctx, r.Storage, r.Keys)
	if err != nil {
		return err
	}
	fmt.Printf("%d addresses are sealed under the newest key; the ones before stay in address.key: back-ups made until now need them\n", sealed)
	return nil
}

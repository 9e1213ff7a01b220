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
	fmt.Printf("encrypted %d addresses with the newest key; the older keys stay in address.key, because earlier backups need them\n", sealed)
	return nil
}

package main

import (
	"context"
	"fmt"

	"kaibao/internal/app"
)

type rotate struct {
	app.Storage `embed:""`
	app.Keys    `embed:""`
}

// Run seals every address under a new key, while the server may run.
func (r rotate) Run(ctx context.Context) error {
	sealed, err := app.RotateAddressKey(ctx, r.Storage, r.Keys)
	if err != nil {
		return err
	}
	fmt.Printf("%d addresses are sealed under the newest key; the ones before stay in address.key: back-ups made until now need them\n", sealed)
	return nil
}

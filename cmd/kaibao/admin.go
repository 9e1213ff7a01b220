package main

import (
	"context"
	"errors"
	"fmt"

	"kaibao/internal/app"
	"kaibao/internal/identity"
)

type admin struct {
	Grant  grant  `cmd:"" help:"Make the user of a wallet an admin."`
	Revoke revoke `cmd:"" help:"Make the user of a wallet an ordinary user."`
}

type grant struct{ role }

type revoke struct{ role }

type role struct {
	Address     string `arg:"" help:"The wallet's address."`
	app.Storage `embed:""`
}

// Run grants the role.
func (g grant) Run(ctx context.Context) error { return g.set(ctx, "admin") }

// Run revokes the role.
func (r revoke) Run(ctx context.Context) error { return r.set(ctx, "user") }

func (r role) set(ctx context.Context, name string) error {
	d, err := r.OpenDB(ctx)
	if err != nil {
		return err
	}
	if err := errors.Join(identity.SetRole(ctx, d, r.Address, name), d.Close()); err != nil {
		return err
	}
	fmt.Printf("%s now has the role %s\n", r.Address, name)
	return nil
}

package main

import (
	"context"
	"errors"
	"fmt"

	"kaibao/internal/app"
	"kaibao/internal/db"
	"kaibao/internal/operate"
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
func (g grant) Run(ctx context.Context) error { return g.set(ctx, "admin", "kaibao admin grant") }

// Run revokes the role.
func (r revoke) Run(ctx context.Context) error { return r.set(ctx, "user", "kaibao admin revoke") }

func (r role) set(ctx context.Context, name, command string) error {
	d, err := r.OpenDB(ctx)
	if err != nil {
		return err
	}
	err = d.InTx(ctx, func(tx *db.Tx) error { return operate.SetRoleByCommand(tx, r.Address, name, command) })
	if err := errors.Join(err, d.Close()); err != nil {
		return err
	}
	fmt.Printf("%s now has the role %s\n", r.Address, name)
	return nil
}

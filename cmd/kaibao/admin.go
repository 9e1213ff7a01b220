package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kaibao/internal/app"
	"kaibao/internal/approval"
	"kaibao/internal/db"
	"kaibao/internal/operate"
)

type admin struct {
	Grant   grant   `cmd:"" help:"Make the user of a wallet an admin."`
	Revoke  revoke  `cmd:"" help:"Make the user of a wallet an ordinary user."`
	Approve approve `cmd:"" help:"Stand in for a second admin: approve what an admin asked for, or list what waits."`
	Refuse  refuse  `cmd:"" help:"Stand in for a second admin: refuse what an admin asked for."`
}

// decision is that of whoever runs the server about what an admin asked for.
type decision struct {
	Reason        string        `help:"Why; it stands in the audit trail." placeholder:"TEXT"`
	ManifestDelay time.Duration `help:"As that of the server: how long changed odds are announced before they hold." default:"10m" env:"KAIBAO_MANIFEST_DELAY"`
	app.Storage   `embed:""`
}

type approve struct {
	ID string `arg:"" optional:"" help:"The request's; without it the waiting requests are listed."`
	decision
}

type refuse struct {
	ID string `arg:"" help:"The request's."`
	decision
}

// Run approves a request, or lists those that wait.
func (a approve) Run(ctx context.Context) error {
	if a.ID == "" {
		return a.list(ctx)
	}
	return a.decide(ctx, a.ID, true, "kaibao admin approve")
}

// Run refuses a request.
func (r refuse) Run(ctx context.Context) error {
	return r.decide(ctx, r.ID, false, "kaibao admin refuse")
}

func (d decision) decide(ctx context.Context, id string, approved bool, command string) error {
	if err := app.CheckNotice(d.ManifestDelay); err != nil {
		return err
	}
	storage, err := d.OpenDB(ctx)
	if err != nil {
		return err
	}
	var w approval.Waiting
	err = storage.InTx(ctx, func(tx *db.Tx) (err error) {
		w, err = app.Approvals(storage, d.ManifestDelay).DecideByCommand(tx, id, approved, d.Reason, command)
		return err
	})
	if err := errors.Join(err, storage.Close()); err != nil {
		return err
	}
	fmt.Printf("%s of %s is %s\n", w.Kind, w.Subject, w.State)
	return nil
}

func (d decision) list(ctx context.Context) error {
	storage, err := d.OpenDB(ctx)
	if err != nil {
		return err
	}
	var all []approval.Waiting
	err = storage.Read(ctx, func(tx *db.Tx) (err error) { all, err = approval.Undecided(tx); return err })
	if err := errors.Join(err, storage.Close()); err != nil {
		return err
	}
	for _, w := range all {
		fmt.Printf("%s  %s of %s: %s\n  asked by %s at %s, until %s: %s\n", w.ID, w.Kind, w.Subject, w.Payload, w.AskedBy, w.CreatedAt, w.ExpiresAt, w.Reason)
	}
	if len(all) == 0 {
		fmt.Println("nothing waits for a second admin")
	}
	return nil
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

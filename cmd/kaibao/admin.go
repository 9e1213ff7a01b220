package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"kaibao/internal/admin"
	"kaibao/internal/app"
	"kaibao/internal/approval"
	"kaibao/internal/db"
	"kaibao/internal/money"
)

type adminCommand struct {
	Grant   grantCommand   `cmd:"" help:"Make the user of a wallet an admin."`
	Revoke  revokeCommand  `cmd:"" help:"Make the user of a wallet an ordinary user."`
	Approve approveCommand `cmd:"" help:"Approve an admin's request in place of a second admin. Without an id, list pending requests."`
	Refuse  refuseCommand  `cmd:"" help:"Refuse an admin's request in place of a second admin."`
}

// decision is a decision by the server's operator about an admin's request.
type decision struct {
	Reason        string        `help:"Reason, kept in the admin log." placeholder:"TEXT"`
	ManifestDelay time.Duration `help:"How long changed odds are announced before they take effect; the same as the server's." default:"10m" env:"KAIBAO_MANIFEST_DELAY"`
	app.Storage   `embed:""`
}

type approveCommand struct {
	ID string `arg:"" optional:"" help:"Id of the request. Without it, pending requests are listed."`
	decision
}

type refuseCommand struct {
	ID string `arg:"" help:"Id of the request."`
	decision
}

// Run approves a request, or lists the waiting requests.
func (a approveCommand) Run(ctx context.Context) error {
	if a.ID == "" {
		return a.list(ctx)
	}
	return a.decide(ctx, a.ID, true, "kaibao admin approve")
}

// Run rejects a request.
func (r refuseCommand) Run(ctx context.Context) error {
	return r.decide(ctx, r.ID, false, "kaibao admin refuse")
}

func (d decision) decide(ctx context.Context, id string, approved bool, command string) error {
	if strings.TrimSpace(d.Reason) == "" {
		return errors.New("--reason is required; it is recorded in the admin log")
	}
	if err := app.CheckManifestDelay(d.ManifestDelay); err != nil {
		return err
	}
	storage, err := d.OpenDB(ctx)
	if err != nil {
		return err
	}
	var w approval.Waiting
	approvals, err := app.Approvals(ctx, storage, d.ManifestDelay)
	if err != nil {
		return errors.Join(err, storage.Close())
	}
	err = storage.InTx(ctx, func(tx *db.Tx) (err error) {
		w, err = approvals.DecideByCommand(tx, id, approved, d.Reason, command)
		return err
	})
	if err := errors.Join(err, storage.Close()); err != nil {
		return err
	}
	fmt.Printf("%s of %s is %s\n", w.Kind, w.Subject, w.State)
	if w.Debit != nil {
		fmt.Printf("took %s points; %s couldn't be recovered\n", w.Debit.TakenCents, w.Debit.MissingCents)
	}
	return nil
}

func (d decision) list(ctx context.Context) error {
	storage, err := d.OpenDB(ctx)
	if err != nil {
		return err
	}
	var all []approval.Waiting
	err = storage.Read(ctx, func(tx *db.Tx) (err error) { all, err = approval.PendingRequests(tx); return err })
	if err := errors.Join(err, storage.Close()); err != nil {
		return err
	}
	for _, w := range all {
		fmt.Printf("%s  %s: %s\n  requested by %s at %s, expires %s\n  reason: %s\n", w.ID, w.Kind, w.Subject, w.AskedBy, w.CreatedAt, w.ExpiresAt, w.Reason)
		lines, err := payloadLines(w.Payload)
		if err != nil {
			return err
		}
		for _, line := range lines {
			fmt.Println("  " + line)
		}
	}
	if len(all) == 0 {
		fmt.Println("no requests are waiting for a second admin")
	}
	return nil
}

// payloadLines returns the fields of a request's payload sorted by name, with amounts of cents as
// dollars. Lists, such as the values of an import, take one line per element.
func payloadLines(payload json.RawMessage) (lines []string, err error) {
	decoder := json.NewDecoder(bytes.NewReader(payload))
	decoder.UseNumber()
	var fields map[string]any
	if err := decoder.Decode(&fields); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		parts, several := fields[name].([]any)
		if !several {
			lines = append(lines, fieldText(name, fields[name]))
		}
		for _, part := range parts {
			lines = append(lines, "- "+partText(part))
		}
	}
	return lines, nil
}

func partText(part any) string {
	fields, ok := part.(map[string]any)
	if !ok {
		return fmt.Sprint(part)
	}
	var texts []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		texts = append(texts, fieldText(name, fields[name]))
	}
	return strings.Join(texts, ", ")
}

func fieldText(name string, value any) string {
	base, isMoney := strings.CutSuffix(name, "Cents")
	number, _ := value.(json.Number)
	cents, err := number.Int64()
	if !isMoney || err != nil {
		return fmt.Sprintf("%s: %v", name, value)
	}
	return fmt.Sprintf("%s: $%s", base, money.Cents(cents))
}

type grantCommand struct{ role }

type revokeCommand struct{ role }

type role struct {
	Address     string `arg:"" help:"Address of the wallet."`
	app.Storage `embed:""`
}

// Run grants the admin role.
func (g grantCommand) Run(ctx context.Context) error {
	return g.set(ctx, "admin", "kaibao admin grant")
}

// Run revokes the admin role.
func (r revokeCommand) Run(ctx context.Context) error {
	return r.set(ctx, "user", "kaibao admin revoke")
}

func (r role) set(ctx context.Context, name, command string) error {
	d, err := r.OpenDB(ctx)
	if err != nil {
		return err
	}
	err = d.InTx(ctx, func(tx *db.Tx) error { return admin.SetRoleByCommand(tx, r.Address, name, command) })
	if err := errors.Join(err, d.Close()); err != nil {
		return err
	}
	fmt.Printf("%s now has the role %s\n", r.Address, name)
	return nil
}

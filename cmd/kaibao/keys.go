package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"kaibao/internal/app"
	"kaibao/internal/keys"
)

type keysCommand struct {
	List    listKeysCommand     `cmd:"" default:"withargs" help:"List the keys: how each is used, which running nodes lack it, and what to do next."`
	Add     addKeyCommand       `cmd:"" help:"Generate a key and append it to the file of this machine. It isn't used before a rotation."`
	Rotate  rotateKeyCommand    `cmd:"" help:"Make the new key encrypt everything, or sign the public log. Servers keep running; all of them must have the key."`
	Remove  removeKeyCommand    `cmd:"" help:"Remove a key that nothing uses any more from the file of this machine."`
	Replace replaceSeedsCommand `cmd:"" name:"replace-seeds" help:"After a theft of the seed key: replace all unused seeds under a new key. Stop all servers first."`
}

// keyStorage is the location of the keys and of the database that they belong to.
type keyStorage struct {
	app.Storage `embed:""`
	app.Keys    `embed:""`
}

// backupRetention is the server's setting, which tells how long retired keys are needed.
type backupRetention struct {
	BackupRetentionDays int64 `help:"Days for which you keep backups." default:"365" env:"KAIBAO_BACKUP_RETENTION_DAYS"`
}

type listKeysCommand struct{ keyStorage }

// Run prints one line for each key.
func (l listKeysCommand) Run(ctx context.Context) error {
	states, err := app.ListKeys(ctx, l.Storage, l.Keys)
	if err != nil {
		return err
	}
	for _, s := range states {
		fmt.Println(keyLine(s))
	}
	return nil
}

// keyLine describes a key: kind, fingerprint, use, place, and what to do next.
func keyLine(s app.KeyState) string {
	use := string(s.Role)
	switch {
	case s.Role == app.RetiredKey:
		use += " on " + s.RetiredAt.Format(time.DateOnly)
	case s.Role == app.NewKey:
	case s.Kind == keys.Log:
		use += ", signs the log"
	case s.Kind == keys.Seed:
		use += fmt.Sprintf(", encrypts %d seeds", s.Rows)
	default:
		use += fmt.Sprintf(", encrypts %d addresses", s.Rows)
	}
	place := "MISSING"
	if s.Place != "" {
		place = "in " + s.Place
	}
	parts := []string{fmt.Sprintf("%-7s %s  %s", s.Kind, s.Fingerprint, use), place}
	if next := s.Next(); next != "" {
		parts = append(parts, next)
	}
	return strings.Join(parts, "; ")
}

type addKeyCommand struct {
	Kind       keys.Kind `arg:"" enum:"log,seed,address" help:"log, seed or address."`
	keyStorage `embed:""`
}

// Run adds a key to the local file, or prints one for the setting.
func (a addKeyCommand) Run(ctx context.Context) error {
	// The key is added whether or not the database can be opened, which only serves the warning.
	if unused, err := app.UnusedKeys(ctx, a.Storage, a.Keys, a.Kind); err == nil && len(unused) > 0 {
		fmt.Fprintf(os.Stderr, "WARN nothing uses the %s key %s yet: use it instead of another new one, or remove it\n", a.Kind, strings.Join(unused, ", "))
	}
	fingerprint, source, key, err := app.AddKey(a.Storage, a.Keys, a.Kind)
	if err != nil {
		return err
	}
	next := fmt.Sprintf("then run kaibao keys rotate %s", a.Kind)
	if a.Kind == keys.Log {
		next += " or, if the old key is lost or stolen, stop all servers and run kaibao restore --new-log-key"
	}
	if key != "" {
		fmt.Fprintf(os.Stderr, "the new %s key %s is on standard output: append it to %s on every node, after a comma, and restart them one by one; %s\n", a.Kind, fingerprint, source.Variable(), next)
		fmt.Println(key)
		return nil
	}
	fmt.Printf("added the %s key %s to %s: copy the file to all other nodes, which read it within seconds; %s\n", a.Kind, fingerprint, source.Path, next)
	return nil
}

type rotateKeyCommand struct {
	Kind        keys.Kind     `arg:"" enum:"log,seed,address" help:"log, seed or address."`
	Fingerprint string        `arg:"" optional:"" help:"The new key, if there are several."`
	Wait        time.Duration `help:"How long to wait for running nodes to load the key." default:"30s"`

	backupRetention `embed:""`
	keyStorage      `embed:""`
}

// Run rotates to a new key.
func (r rotateKeyCommand) Run(ctx context.Context) error {
	report := func(what string) { fmt.Fprintln(os.Stderr, what) }
	if r.Kind == keys.Log {
		return r.replaceLogKey(ctx, report)
	}
	done, err := app.RotateKeys(ctx, r.Storage, r.Keys, r.Kind, r.Fingerprint, r.Wait, report)
	if err != nil {
		return err
	}
	rows := map[keys.Kind]string{keys.Seed: "seeds", keys.Address: "addresses"}[r.Kind]
	fmt.Printf("all %s are encrypted with the %s key %s; %d were encrypted with it now\n", rows, r.Kind, done.Key, done.Resealed)
	if len(done.Retired) == 0 && done.Resealed == 0 {
		fmt.Printf("to rotate to another key, first run kaibao keys add %s\n", r.Kind)
	}
	for _, key := range done.Retired {
		printRetired(key, done.At, done.At.AddDate(0, 0, int(r.BackupRetentionDays)))
	}
	return nil
}

// replaceLogKey rotates to a new log key.
func (r rotateKeyCommand) replaceLogKey(ctx context.Context, report func(string)) error {
	done, err := app.ReplaceLogKey(ctx, r.Storage, r.Keys, r.Fingerprint, r.Wait, report)
	if err != nil {
		return err
	}
	fmt.Printf("the log %s ended with %d leaves and named its next key, %s\n", done.EndedOrigin, done.Size, done.Key)
	fmt.Println("keep the old key on every node for 7 days (kaibao keys shows the date): it signs the receipts of repeated requests. Backups made before now need it, too")
	return nil
}

// printRetired says what to do with a key that nothing uses any more.
func printRetired(key string, at, until time.Time) {
	fmt.Printf("nothing uses the key %s any more: on every node, run kaibao keys remove %s, or remove it from the setting. Backups made before %s need it: keep a copy in a safe place until %s\n",
		key, key, at.Format(time.RFC3339), until.Format(time.DateOnly))
}

type removeKeyCommand struct {
	Fingerprint string `arg:"" help:"The key's fingerprint, as listed by kaibao keys."`

	backupRetention `embed:""`
	keyStorage      `embed:""`
}

// Run removes a key from the local file.
func (r removeKeyCommand) Run(ctx context.Context) error {
	removed, err := app.RemoveKey(ctx, r.Storage, r.Keys, r.Fingerprint, r.BackupRetentionDays)
	if err != nil {
		return err
	}
	fmt.Printf("removed the %s key %s from %s\n", removed.Kind, removed.Fingerprint, removed.Place)
	if !removed.NeededUntil.IsZero() {
		fmt.Printf("backups made before %s need it: keep a copy in a safe place until %s\n", removed.RetiredAt.Format(time.RFC3339), removed.NeededUntil.Format(time.DateOnly))
	}
	return nil
}

type replaceSeedsCommand struct {
	backupRetention `embed:""`
	keyStorage      `embed:""`
}

// Run replaces all unused seeds.
func (r replaceSeedsCommand) Run(ctx context.Context) error {
	now := time.Now().UTC()
	done, err := app.ReplaceSeeds(ctx, r.Storage, r.Keys)
	if err != nil {
		return fmt.Errorf("replace the seeds (the command can be repeated): %w", err)
	}
	fmt.Printf("the log %s ended with %d leaves and continues as %s; all unused seeds were replaced, and are encrypted with the seed key %s\n", done.EndedOrigin, done.Size, done.Origin, done.Key)
	fmt.Println("before you start other nodes, copy seed.key to them")
	for _, key := range done.Retired {
		printRetired(key, now, now.AddDate(0, 0, int(r.BackupRetentionDays)))
	}
	return nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"filippo.io/age"

	"kaibao/internal/app"
	"kaibao/internal/backup"
	"kaibao/internal/db"
	"kaibao/internal/db/sqlite"
	"kaibao/internal/keys"
	"kaibao/internal/progress"
)

type restoreCommand struct {
	File       string `arg:"" optional:"" help:"Backup of SQLite: a file, or with --from the name of a backup there. Leave it out for the newest in --from, or if the database has already been restored, such as by pg_restore."`
	From       string `help:"Folder or bucket that contains the backup, as in --backup-to." placeholder:"DIR|s3://…"`
	Identity   string `help:"File with the age identity that decrypts the backup." placeholder:"FILE"`
	Drill      bool   `help:"Prove a backup instead: restore it into a scratch folder, check it, and compare it with the running server's database. By default the newest in --backup-to."`
	NewLogKey  bool   `help:"Continue the public log with a new key, because the old one is lost or stolen. First run kaibao keys add log. Followers of the log have to accept the new key by hand."`
	Mirror     string `help:"Copy of the public log, by kaibao verify mirror, from after the backup. Sealed orders that were pending, but that the backup lacks, are voided in the log." placeholder:"DIR" type:"existingdir"`
	ScratchURL string `help:"With --drill: PostgreSQL database into which a backup has been restored." placeholder:"URL" env:"KAIBAO_SCRATCH_URL"`

	app.BackupLocation `embed:""`
	app.S3Settings     `embed:""`
	app.DeletedUsers   `embed:""`
	app.Storage        `embed:""`
	app.Keys           `embed:""`
}

// Run restores a backup while no server runs, and prepares it for serving. With --drill it only proves
// one.
func (r restoreCommand) Run(ctx context.Context) error {
	if r.Drill {
		return r.drill(ctx)
	}
	prepare := r.checkInPlace
	if r.File != "" || r.From != "" {
		prepare = r.replace
	}
	if err := prepare(ctx); err != nil {
		return err
	}
	renewal, again, err := app.Restored{Storage: r.Storage, Keys: r.Keys, DeletedUsers: r.DeletedUsers, NewLogKey: r.NewLogKey, Mirror: r.Mirror}.Prepare(ctx)
	if err != nil {
		retry := "to retry, run it again"
		if r.File != "" || r.From != "" {
			retry += " without the file and --from, with the other flags as before"
		}
		return fmt.Errorf("prepare the database (%s): %w", retry, err)
	}
	fmt.Printf("the log %s ended with %d leaves and continues as %s; all unused seeds were replaced\n", renewal.EndedOrigin, renewal.Size, renewal.Origin)
	if renewal.Lost > 0 {
		fmt.Printf("%d leaves signed after the backup are lost. Users who have receipts for them can prove it\n", renewal.Lost)
	}
	if renewal.LostOrders > 0 {
		fmt.Printf("pending sealed orders that the backup lacks: %d. The log voids them. Their buyers weren't charged: the restored balances are from before these orders\n", renewal.LostOrders)
	}
	r.reportUnusedLogKeys(ctx)
	fmt.Printf("list of deleted users: %s, with %d\n", r.DeletedListPath(r.Data), again.Listed)
	if again.Deleted+again.Waiting > 0 {
		fmt.Printf("users deleted again: %d. Users whom the server deletes once their shipments and top-ups are finished: %d\n", again.Deleted, again.Waiting)
	}
	return nil
}

// reportUnusedLogKeys says what to do about log keys that the restored database has never used.
func (r restoreCommand) reportUnusedLogKeys(ctx context.Context) {
	unused, err := app.UnusedKeys(ctx, r.Storage, r.Keys, keys.Log)
	if err != nil {
		fmt.Fprintf(os.Stderr, "see kaibao keys for keys that aren't needed any more, because they couldn't be listed: %v\n", err)
	}
	for _, key := range unused {
		fmt.Printf("the log continues with the key that it had at the time of the backup, not with %s: remove that key on every node if it signed the log after the backup, and use another one for the next rotation\n", key)
	}
}

// checkInPlace checks the files of the database in place, so that a damaged one isn't renewed.
func (r restoreCommand) checkInPlace(ctx context.Context) error {
	if err := r.CheckDeletedList(r.Data); err != nil {
		return err
	}
	d, err := r.OpenOlder(ctx)
	if err != nil {
		return err
	}
	return errors.Join(checkFiles(ctx, d), d.Close())
}

// replace replaces the database with a backup. If it fails, the database is as it was.
func (r restoreCommand) replace(ctx context.Context) (err error) {
	if r.DatabaseURL != "" {
		return errors.New("restore PostgreSQL with its own tools (pg_restore into an empty database), then run kaibao restore without a file")
	}
	if err := r.RequirePresent(r.Data); err != nil {
		return err
	}
	newest, err := db.NewestSchema()
	if err != nil {
		return err
	}
	source, err := r.find(ctx, r.From)
	if err != nil {
		return err
	}
	deleted, err := source.deletedUsers(ctx)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(r.Data, 0o700); err != nil {
		return fmt.Errorf("create the data directory: %w", err)
	}
	if deleted == "" { // the list beside the backup is added below
		if err := r.CheckDeletedList(r.Data); err != nil {
			return err
		}
	}
	work, err := backup.NewWorkDir(r.Data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	unpacked := filepath.Join(work, sqlite.File)
	contents, err := source.unpack(ctx, unpacked, func(c backup.Contents) error { return r.RequireNamed(r.Data, c.Keys) })
	if err != nil {
		return err
	}
	if err := r.AddToDeletedList(r.Data, deleted); err != nil {
		return err
	}
	kept, err := sqlite.Restore(ctx, unpacked, r.Data, newest)
	if err != nil {
		return err
	}
	fmt.Println("restored " + describe(source.name, contents))
	if kept != "" {
		fmt.Printf("the previous database was kept as %s\n", kept)
	}
	return nil
}

// drill proves a backup, and records the result in the server's database.
func (r restoreCommand) drill(ctx context.Context) error {
	line := progress.New(os.Stderr)
	defer line.End()
	d := app.Drill{Shop: r.Storage, Step: line.Step, Report: func(check string) {
		line.End()
		fmt.Println("ok   " + check)
	}, Warn: func(reason string) {
		line.End()
		fmt.Println("WARN " + reason)
	}}
	name, result, failure := r.runDrill(ctx, d)
	if _, unstarted := errors.AsType[app.DrillNotStarted](failure); unstarted || ctx.Err() != nil {
		return failure
	}
	if result.Uncompared != nil {
		fmt.Printf("WARN not compared with the server's log: %v\n", result.Uncompared)
	}
	if err := d.Note(ctx, name, result, failure); err != nil {
		fmt.Printf("WARN the result isn't recorded in the server's database: %v\n", err)
	}
	if failure != nil {
		return fmt.Errorf("the drill failed for %s: %w", name, failure)
	}
	signed := "none, because no server had signed its log yet"
	if !result.SignedAt.IsZero() {
		signed = result.SignedAt.Format(time.RFC3339)
	}
	fmt.Printf("the drill succeeded: %s can be restored. Last checkpoint in it: %s\n", name, signed)
	return nil
}

// notStarted is an error that is no result of a drill, because no backup was read.
func notStarted(err error) error { return app.DrillNotStarted{Reason: err} }

// runDrill restores a backup into a scratch folder, unless the operator restored it into a scratch
// database, and proves it.
func (r restoreCommand) runDrill(ctx context.Context, d app.Drill) (name string, result app.DrillResult, err error) {
	from := r.From
	if from == "" && r.File == "" {
		from = r.BackupTo
	}
	switch {
	case r.ScratchURL != "" && (r.File != "" || r.From != ""):
		return "", result, notStarted(errors.New("first restore the backup into the scratch database: pg_restore --dbname=URL FILE. Then run kaibao restore --drill --scratch-url URL without a file"))
	case r.ScratchURL != "":
		d.Copy.DatabaseURL = r.ScratchURL
		result, err = d.Run(ctx)
		return "the backup in the scratch database", result, err
	case r.DatabaseURL != "" && from == "" && r.File == "":
		return "", result, notStarted(errors.New("restore a backup of PostgreSQL into an empty database, and name it with --scratch-url postgres://…"))
	case from == "" && r.File == "":
		return "", result, notStarted(errors.New("name the backup: kaibao restore --drill FILE, or --from, or --backup-to for the newest"))
	}
	source, err := r.find(ctx, from)
	if err != nil {
		return source.name, result, notStarted(err)
	}
	dir, err := os.MkdirTemp("", "kaibao-drill-") // readable by its owner only
	if err != nil {
		return source.name, result, notStarted(fmt.Errorf("the scratch folder in TMPDIR: %w", err))
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	contents, err := source.unpack(ctx, filepath.Join(dir, sqlite.File), func(backup.Contents) error { return nil })
	if err != nil {
		return source.name, result, judgeUnpack(err)
	}
	d.Report("unpacked " + describe(source.name, contents))
	for _, key := range contents.Keys {
		d.Report(fmt.Sprintf("a restore needs the key with the fingerprint %s in %s", key.Fingerprint, key.File))
	}
	d.Copy.Data = dir
	result, err = d.Run(ctx)
	if isFull(err) {
		err = judgeUnpack(err)
	}
	return source.name, result, err
}

// judgeUnpack returns the error of unpacking a backup. It is no result of a drill if the backup could
// not be fetched, decrypted with the operator's identity, or stored in the scratch folder.
func judgeUnpack(err error) error {
	_, unread := errors.AsType[unreadError](err)
	switch {
	case isFull(err):
		return notStarted(fmt.Errorf("no space for the database in the scratch folder: set TMPDIR to a folder on a larger disk: %w", err))
	case unread || errors.Is(err, backup.ErrNeedsIdentity) || errors.Is(err, backup.ErrOtherRecipient):
		return notStarted(err)
	}
	return err
}

// isFull reports whether there was no space left, or a quota was reached.
func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG) || sqlite.IsFull(err)
}

// unreadError is why a backup could not be fetched.
type unreadError struct{ error }

func (e unreadError) Unwrap() error { return e.error }

// describe returns a backup's name and origin. A plain database has no contents.
func describe(name string, c backup.Contents) string {
	if c.Format == "" {
		return name
	}
	return fmt.Sprintf("%s, made at %s by kaibao %s", name, c.MadeAt.Format(time.RFC3339), c.Version)
}

// backupSource is a backup to restore.
type backupSource struct {
	target     backup.Target
	name       string
	identities []age.Identity
}

// find returns the backup with the name File in a location, or its newest. Without a location, File is
// a file.
func (r restoreCommand) find(ctx context.Context, location string) (s backupSource, err error) {
	s.name = r.File
	if r.Identity != "" {
		s.identities, err = backup.ReadIdentities(r.Identity)
		if err != nil {
			return s, err
		}
	}
	if location == "" {
		s.target, s.name = backup.Folder(filepath.Dir(r.File)), filepath.Base(r.File)
		return s, nil
	}
	s.target, err = r.BackupTarget(location)
	if err == nil && s.name == "" {
		var warning string
		s.name, warning, err = backup.Newest(ctx, s.target, time.Now())
		if err == nil && warning != "" {
			warn("backups in " + location + " are " + warning)
		}
	}
	return s, err
}

// unpack writes the backup's database into a new file.
func (s backupSource) unpack(ctx context.Context, file string, accept func(backup.Contents) error) (c backup.Contents, err error) {
	in, err := s.target.Get(ctx, s.name)
	if err != nil {
		return c, unreadError{fmt.Errorf("read %s from %s: %w", s.name, s.target, err)}
	}
	received := receivedReader{in: in}
	c, err = backup.Unpack(&received, s.identities, file, accept)
	switch {
	case err == nil:
	case received.err != nil && !s.target.IsLocal():
		err = unreadError{fmt.Errorf("read %s from %s: %w", s.name, s.target, received.err)}
	default:
		err = fmt.Errorf("%s: %w", s.name, err)
	}
	return c, errors.Join(err, in.Close())
}

// receivedReader remembers why reading failed. A lost connection doesn't mean that a backup is damaged.
type receivedReader struct {
	in  io.Reader
	err error
}

func (r *receivedReader) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		r.err = err
	}
	return n, err
}

// deletedUsers returns the list of deleted users beside the backup, or "" if there is none.
func (s backupSource) deletedUsers(ctx context.Context) (string, error) {
	in, err := s.target.Get(ctx, backup.DeletedUsers)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(in)
	return string(text), errors.Join(err, in.Close())
}

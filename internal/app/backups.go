package app

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"filippo.io/age"

	"kaibao/internal/backup"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/jobs"
	"kaibao/internal/keyring"
	"kaibao/internal/keys"
	"kaibao/internal/personaldata"
	"kaibao/internal/publiclog"
)

// BackupSettings are where backups of the SQLite database are stored, and how they are encrypted.
type BackupSettings struct {
	BackupLocation
	BackupRecipients  []string `name:"backup-recipient" help:"age public keys that can decrypt the backups." placeholder:"age1…,age1…" env:"KAIBAO_BACKUP_RECIPIENTS"`
	BackupUnencrypted bool     `name:"unencrypted" help:"Store backups outside this machine without encryption." env:"KAIBAO_BACKUP_UNENCRYPTED"`
	S3Settings
}

// BackupLocation is where backups are stored.
type BackupLocation struct {
	BackupTo string `help:"Where backups of the SQLite database are stored: a folder, or s3://BUCKET/PREFIX. The server makes one every hour." placeholder:"DIR|s3://…" env:"KAIBAO_BACKUP_TO"`
}

// S3Settings are how to reach a bucket with backups.
type S3Settings struct {
	S3Endpoint  string `name:"s3-endpoint" help:"Address of the S3 service." default:"https://s3.amazonaws.com" env:"KAIBAO_S3_ENDPOINT"`
	S3Region    string `name:"s3-region" help:"Region of the S3 bucket." env:"KAIBAO_S3_REGION"`
	S3AccessKey string `name:"s3-access-key" help:"Access key of the S3 bucket." env:"KAIBAO_S3_ACCESS_KEY"`
	S3SecretKey string `name:"s3-secret-key" help:"Secret key of the S3 bucket. Prefer a file (KAIBAO_S3_SECRET_KEY_FILE)." env:"KAIBAO_S3_SECRET_KEY"`
}

// BackupTarget opens a folder or s3://BUCKET/PREFIX. It doesn't connect.
func (s S3Settings) BackupTarget(location string) (backup.Target, error) {
	// A mistyped address of a bucket, such as s3:/BUCKET, isn't a folder.
	if !strings.Contains(location, "://") && !strings.HasPrefix(strings.ToLower(location), "s3:") {
		return backup.Folder(location), nil
	}
	return backup.OpenS3(location, backup.S3Settings{Endpoint: s.S3Endpoint, Region: s.S3Region, AccessKey: s.S3AccessKey, SecretKey: s.S3SecretKey})
}

// recipients returns the recipients of backups. Its errors don't contain the setting, which may be a
// secret by mistake.
func (b BackupSettings) recipients() (all []age.Recipient, err error) {
	for n, text := range b.BackupRecipients {
		if backup.IsIdentity(text) {
			return nil, errors.New("--backup-recipient (KAIBAO_BACKUP_RECIPIENTS) is the secret identity: give the public key (age1…), which age-keygen -y FILE prints")
		}
		parsed, err := age.ParseRecipients(strings.NewReader(text))
		if err != nil {
			return nil, fmt.Errorf("--backup-recipient (KAIBAO_BACKUP_RECIPIENTS): key %d isn't an age public key (age1…)", n+1)
		}
		all = append(all, parsed...)
	}
	return all, nil
}

// check returns why backups can't be made with these settings. A database URL means PostgreSQL.
func (b BackupSettings) check(databaseURL string) error {
	if b.BackupTo == "" {
		return nil
	}
	if databaseURL != "" {
		return errors.New("--backup-to (KAIBAO_BACKUP_TO) is only for SQLite: back up PostgreSQL with its own tools, then run kaibao backup --done-by NAME")
	}
	target, err := b.BackupTarget(b.BackupTo)
	if err != nil {
		return err
	}
	recipients, err := b.recipients()
	if err != nil {
		return err
	}
	return backup.CheckEncryption(target, recipients, b.BackupUnencrypted)
}

// Backups makes verified backups of a SQLite database in --backup-to. A server may be running.
type Backups struct {
	DB *db.DB
	BackupSettings
	Storage
	DeletedUsers
	Version string // of the program
}

// Make makes a backup, stores the list of deleted users beside it, and deletes the backups in a
// folder that are too old. It records the result for operators and the books. It makes none in the
// target of another shop.
func (b Backups) Make(ctx context.Context) (backup.Result, error) {
	r, err := b.store(ctx)
	if ctx.Err() != nil {
		return r, errors.Join(err, ctx.Err())
	}
	return r, errors.Join(err, b.DB.InTx(ctx, func(tx *db.Tx) error {
		if err != nil {
			return backup.NoteFailure(tx, err)
		}
		return backup.NoteStored(tx)
	}))
}

func (b Backups) store(ctx context.Context) (r backup.Result, err error) {
	if err := b.check(b.DatabaseURL); err != nil {
		return r, err
	}
	target, err := b.BackupTarget(b.BackupTo)
	if err != nil {
		return r, err
	}
	recipients, err := b.recipients()
	if err != nil {
		return r, err
	}
	shop, err := b.shop(ctx)
	if err != nil {
		return r, err
	}
	var needed []backup.Key
	if err := b.DB.Read(ctx, func(tx *db.Tx) (err error) {
		needed, err = neededKeys(tx)
		return err
	}); err != nil {
		return r, err
	}
	source := backup.Source{Shop: shop, Dir: b.Data, Version: b.Version, Keys: needed, Now: b.DB.Now, Verify: verifyCopy}
	r, err = backup.Make(ctx, source, target, recipients)
	if err != nil {
		return r, err
	}
	deleted, err := b.deletedUsers(ctx)
	if err == nil {
		err = b.storeDeletedUsers(ctx, target, deleted)
	}
	if err != nil {
		return r, err
	}
	r.Warning, err = backup.Expire(ctx, target, backup.DefaultRetention, r.Name, b.DB.Now())
	return r, err
}

// shopSetting stores the id of the shop, which identifies its backups.
const shopSetting = "backup_shop"

// shop returns the id of the shop. Restored databases, also with new keys, have the same one.
func (b Backups) shop(ctx context.Context) (id string, err error) {
	err = b.DB.InTx(ctx, func(tx *db.Tx) error {
		id, err = knownShop(tx)
		if err != nil {
			return err
		}
		id, err = db.InitSetting(tx, shopSetting, cmp.Or(id, tx.NewID()))
		return err
	})
	return id, err
}

// knownShop returns the id of the shop. Before the first backup, it is derived from the public log. It
// is empty if the log is empty, too.
func knownShop(tx *db.Tx) (string, error) {
	id, err := db.Setting(tx, shopSetting)
	if err != nil || id != "" {
		return id, err
	}
	leaf, found, err := publiclog.FirstLeaf(tx)
	if err != nil || !found {
		return "", err
	}
	return hex.EncodeToString(leaf[:16]), nil
}

// deletedUsers returns the ids of all deleted users, one per line.
func (b Backups) deletedUsers(ctx context.Context) (string, error) {
	return personaldata.New(personaldata.Service{DB: b.DB, DeletedList: b.DeletedListPath(b.Data)}).UpdateDeletedList(ctx)
}

// backups makes the backups of a node.
func (c Config) backups(d *db.DB, version string) Backups {
	return Backups{DB: d, BackupSettings: c.BackupSettings, Storage: c.Storage, DeletedUsers: c.DeletedUsers, Version: version}
}

const (
	// backupInterval is the time between two backups.
	backupInterval = time.Hour
	// backupRetry is the time from a failed backup to the next attempt. Each attempt copies and checks the
	// whole database.
	backupRetry = 10 * time.Minute
)

// job makes a backup whenever the last one is an hour old. In between it stores the list of deleted
// users when that changes.
func (b Backups) job(log *slog.Logger) []jobs.Job {
	if b.BackupTo == "" {
		return nil
	}
	target, err := b.BackupTarget(b.BackupTo)
	if err != nil {
		return nil // Config.check has refused the address
	}
	clean := sync.OnceValue(func() error { return backup.RemoveWorkDirs(b.Data) })
	var stored string // the list as stored
	var failure error // of the last attempt
	var tried time.Time
	return []jobs.Job{{Name: "backups", Every: time.Minute, Limit: time.Hour, Do: func(ctx context.Context) (int64, error) {
		if err := clean(); err != nil {
			return 0, err
		}
		deleted, err := b.deletedUsers(ctx)
		if err != nil {
			return 0, err
		}
		if failure != nil && b.DB.Now().Sub(tried) < backupRetry {
			return 0, failure
		}
		due, err := b.due(ctx)
		if err != nil {
			return 0, err
		}
		if due {
			tried = b.DB.Now()
			var made backup.Result
			made, failure = b.Make(ctx)
			if made.Warning != "" {
				log.WarnContext(ctx, "backups "+made.Warning, "target", target.String())
			}
			if failure == nil {
				log.InfoContext(ctx, "made a backup", "name", made.Name, "target", target.String(), "bytes", made.Size, "durationMs", httpapi.Milliseconds(made.Took))
			}
		} else if deleted != stored {
			failure = b.storeDeletedUsers(ctx, target, deleted)
		}
		if failure == nil {
			stored = deleted
		}
		return 0, failure
	}}}
}

// due reports whether it is time for a backup. The time of one in the future is wrong.
func (b Backups) due(ctx context.Context) (due bool, err error) {
	err = b.DB.Read(ctx, func(tx *db.Tx) error {
		state, err := backup.ReadState(tx)
		age := tx.Now.Sub(state.Stored)
		due = age >= backupInterval || age < 0
		return err
	})
	return due, err
}

// storeDeletedUsers adds a list of deleted users to the one beside the backups.
func (b Backups) storeDeletedUsers(ctx context.Context, target backup.Target, deleted string) error {
	shop, err := b.shop(ctx)
	if err != nil {
		return err
	}
	if err := backup.Claim(ctx, target, shop); err != nil {
		return err
	}
	stored, found, err := backup.ReadText(ctx, target, backup.DeletedUsers)
	if err != nil {
		return err
	}
	merged, err := personaldata.MergeDeletedLists(backup.DeletedUsers+" in "+target.String(), stored, deleted)
	if err != nil {
		return err
	}
	text := cmp.Or(merged, "\n") // some S3 services refuse empty objects
	if found && text == stored {
		return nil
	}
	if err := target.Replace(ctx, backup.DeletedUsers, text); err != nil {
		return fmt.Errorf("store the list of deleted users in %s: %w", target, err)
	}
	return nil
}

// AuditCache is the size of SQLite's page cache in bytes for audits. A larger one wouldn't help: a
// full scan rarely reads a page twice.
const AuditCache = 4 << 20

// verifyCopy audits a copied database: its rows, and the log since the last clean audit.
func verifyCopy(ctx context.Context, dir string) (err error) {
	d, err := Storage{Data: dir}.OpenSmall(ctx, AuditCache)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	return auditCopy(ctx, d, false, nil)
}

// auditCopy audits the copy of a database. Its error names the first broken row.
func auditCopy(ctx context.Context, d *db.DB, full bool, step func(what string, done, total int64)) error {
	return d.Inspect(ctx, func(tx *db.Tx) error {
		breaches, err := Audit(tx, full, step)
		if err == nil && len(breaches) > 0 {
			first := breaches[0]
			err = fmt.Errorf("%d rows break the rules of the books, first %s: %s: %s", len(breaches), first.Rule, first.Row, first.Detail)
		}
		return err
	})
}

// neededKeys names the keys that a database uses, and that a restore needs.
func neededKeys(tx *db.Tx) (needed []backup.Key, err error) {
	for _, kind := range []keys.Kind{keys.Log, keys.Seed, keys.Address} {
		uses, err := readUses(tx, kind)
		if err != nil {
			return nil, err
		}
		for _, fingerprint := range uses.InUse {
			needed = append(needed, backup.Key{File: string(kind) + ".key", Fingerprint: fingerprint})
		}
	}
	return needed, nil
}

// RequireNamed fails if a key that a backup names is neither in the settings nor in the data
// directory.
func (k Keys) RequireNamed(dir string, named []backup.Key) error {
	var have []backup.Key
	for _, source := range k.sources(dir) {
		ring, err := keyring.Load(source)
		if err != nil {
			return fmt.Errorf("%s key: %w", source.Kind, err)
		}
		for _, key := range ring.Keys() {
			have = append(have, backup.Key{File: string(source.Kind) + ".key", Fingerprint: key.Fingerprint})
		}
	}
	var missing []error
	for _, key := range named {
		if !slices.Contains(have, key) {
			missing = append(missing, fmt.Errorf("the backup needs the key with the fingerprint %s in %s, which isn't in %s: put the keys of this database there; nothing was changed", key.Fingerprint, key.File, dir))
		}
	}
	return errors.Join(missing...)
}

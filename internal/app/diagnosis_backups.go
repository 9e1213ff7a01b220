package app

import (
	"context"
	"fmt"
	"time"

	"kaibao/internal/backup"
	"kaibao/internal/db"
)

// targetTime is the time limit for reaching the target of backups.
const targetTime = 20 * time.Second

// checkBackupTarget checks that --backup-to can be reached and contains no other shop's backups. It
// writes nothing there, so it can't know whether the bucket accepts backups.
func (d *diagnosis) checkBackupTarget(ctx context.Context) {
	if d.BackupTo == "" || d.BackupSettings.check(d.DatabaseURL) != nil { // which checkSettings reports
		return
	}
	ctx, cancel := context.WithTimeout(ctx, targetTime)
	defer cancel()
	target, err := d.BackupTarget(d.BackupTo)
	if err == nil {
		err = target.Check(ctx)
	}
	if err == nil {
		_, err = backup.CheckShop(ctx, target, d.knownShop(ctx))
	}
	if err != nil {
		d.fail("backups", "%v: correct --backup-to (KAIBAO_BACKUP_TO)", err)
		return
	}
	stock, err := backup.Backups(ctx, target, d.now())
	if err != nil {
		d.fail("backups", "%v: correct --backup-to (KAIBAO_BACKUP_TO)", err)
		return
	}
	if warning := stock.Warning(); warning != "" {
		d.warn("backups", "those in %s are %s", target, warning)
	}
	encryption := "not encrypted"
	if n := len(d.BackupRecipients); n > 0 {
		encryption = fmt.Sprintf("for %d recipients", n)
	}
	d.ok("backups", "%s, %s, %d stored", target, encryption, len(stock.Backups))
}

// knownShop returns the id of the shop, or "" if its database has no history or can't be used.
func (d *diagnosis) knownShop(ctx context.Context) (id string) {
	if d.db == nil || !d.used {
		return ""
	}
	if err := d.db.Read(ctx, func(tx *db.Tx) (err error) { id, err = knownShop(tx); return err }); err != nil {
		return "" // the checks of the database and the log report why
	}
	return id
}

// now returns the node's time.
func (d *diagnosis) now() time.Time {
	if d.Now != nil {
		return d.Now()
	}
	return time.Now()
}

package app

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"kaibao/internal/personaldata"
)

// RetentionSettings are how long personal data is kept.
type RetentionSettings struct {
	AddressRetentionDays int64         `help:"Days after the end of a shipment until its address is deleted." default:"90" env:"KAIBAO_ADDRESS_RETENTION_DAYS"`
	SessionIdle          time.Duration `help:"How long a session lasts without a request." default:"24h" env:"KAIBAO_SESSION_IDLE"`
	SessionLife          time.Duration `help:"How long a session lasts at most." default:"168h" env:"KAIBAO_SESSION_LIFE"`
	BackupRetentionDays  int64         `help:"Days for which you keep backups. Users who delete their account are told." default:"365" env:"KAIBAO_BACKUP_RETENTION_DAYS"`
	LogRetentionDays     int64         `help:"Days for which you keep this server's log. Users are told." default:"30" env:"KAIBAO_LOG_RETENTION_DAYS"`
}

// maxRetentionDays is the maximum of each retention setting.
const maxRetentionDays = 3650

func (r RetentionSettings) check() error {
	r = r.withDefaults()
	var errs []error
	for setting, days := range map[string]int64{
		"--address-retention-days": r.AddressRetentionDays, "--backup-retention-days": r.BackupRetentionDays, "--log-retention-days": r.LogRetentionDays,
	} {
		if days < 1 || days > maxRetentionDays {
			errs = append(errs, fmt.Errorf("%s is %d: it must be between 1 and %d", setting, days, maxRetentionDays))
		}
	}
	if idle, life := r.SessionIdle, r.SessionLife; idle < time.Hour || life < idle || life > 90*24*time.Hour {
		errs = append(errs, fmt.Errorf("--session-idle is %s and --session-life %s: the first must be at least 1h, the second at least that and at most 2160h", idle, life))
	}
	return errors.Join(errs...)
}

// withDefaults fills in the settings of a Config that wasn't read from flags.
func (r RetentionSettings) withDefaults() RetentionSettings {
	r.SessionIdle, r.SessionLife = cmp.Or(r.SessionIdle, 24*time.Hour), cmp.Or(r.SessionLife, 7*24*time.Hour)
	r.AddressRetentionDays, r.BackupRetentionDays, r.LogRetentionDays = cmp.Or(r.AddressRetentionDays, 90), cmp.Or(r.BackupRetentionDays, 365), cmp.Or(r.LogRetentionDays, 30)
	return r
}

func (r RetentionSettings) addressKept() time.Duration {
	return time.Duration(r.withDefaults().AddressRetentionDays) * 24 * time.Hour
}

// retention returns what users are told.
func (r RetentionSettings) retention() personaldata.Retention {
	r = r.withDefaults()
	return personaldata.Retention{
		AddressDays: r.AddressRetentionDays, BackupDays: r.BackupRetentionDays, RequestLogDays: r.LogRetentionDays,
		SessionDays: int64(r.SessionLife.Hours() / 24),
	}
}

// DeletedUsers is the list of deleted users.
type DeletedUsers struct {
	DeletedUsers string `help:"File with the ids of deleted users, which kaibao restore deletes again. Keep it beside the backups. Default: deleted-users in --data." placeholder:"FILE" type:"path" env:"KAIBAO_DELETED_USERS"`
}

// AddToDeletedList adds the ids in another copy of the list.
func (d DeletedUsers) AddToDeletedList(data, text string) error {
	return personaldata.AddToDeletedList(d.DeletedListPath(data), text)
}

// CheckDeletedList fails if the list has a line that is no user id, or if there is none at the path in the
// setting.
func (d DeletedUsers) CheckDeletedList(data string) error {
	if _, err := os.Stat(d.DeletedUsers); d.DeletedUsers != "" && errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no list of deleted users at %s (--deleted-users): correct the path. If no user has ever been deleted, create an empty file there", d.DeletedUsers)
	}
	return personaldata.CheckDeletedList(d.DeletedListPath(data))
}

// DeletedListPath returns the path of the list.
func (d DeletedUsers) DeletedListPath(data string) string {
	return cmp.Or(d.DeletedUsers, filepath.Join(data, "deleted-users"))
}

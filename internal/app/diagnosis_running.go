package app

import (
	"context"
	"net"
	"strings"
	"time"

	"kaibao/internal/admin"
	"kaibao/internal/backup"
	"kaibao/internal/db"
	"kaibao/internal/publicbooks"
	"kaibao/internal/publiclog"
)

// Limits of a healthy server.
const (
	maxAuditAge    = 25 * time.Hour // also of the last backup: both are due daily
	maxDrillAge    = 35 * 24 * time.Hour
	maxLeafWait    = 10 * time.Second // for a place in the log, which takes less than a second
	maxFollowerLag = 10_000           // leaves that a follower has yet to read
	maxQuorumAge   = 30 * time.Second // of the last quorum, while there are leaves that it hasn't seen
)

// checkServer asks the operator's listener how the server and its jobs are doing.
func (d *diagnosis) checkServer(ctx context.Context) {
	address, err := net.ResolveTCPAddr("tcp", d.OpsAddr)
	if d.OpsAddr == "" || err != nil || address.Port == 0 {
		d.warn("server", "not asked, because its operator's listener is off or its port unknown: set --ops-addr (KAIBAO_OPS_ADDR)")
		return
	}
	var node struct {
		Status, Reason string
		WrongLeaves    int64
		Jobs           []admin.JobHealth
	}
	if err := fetchStatus(ctx, address, "/readyz", &node); err != nil {
		d.fail("server", "no operator's listener answers on %s: start the server, or set --ops-addr as the server does (%v)", d.OpsAddr, err)
		return
	}
	switch {
	case node.Status == "ok":
		d.ok("server", "ready")
	case d.broken: // which has been reported, and explains why jobs fail
		d.unready = true
		return
	default:
		d.fail("server", "not ready: %s. See NotReady in docs/operations.md", strings.TrimSuffix(withoutUserText(node.Reason), "."))
	}
	if node.WrongLeaves > 0 {
		d.warn("server", "rejected %d wrong log leaves since its start: see wrongLeaves in docs/operations.md", node.WrongLeaves)
	}
	d.checkJobs(node.Jobs)
}

// checkJobs reports failing jobs, those with the same reason in one line.
func (d *diagnosis) checkJobs(all []admin.JobHealth) {
	var reasons []string
	names, last := map[string][]string{}, map[string]string{}
	for _, job := range all {
		if job.LastError == nil || job.LastError.At <= job.LastSuccess {
			continue
		}
		reason := withoutUserText(job.LastError.Message)
		if names[reason] == nil {
			reasons = append(reasons, reason)
		}
		names[reason] = append(names[reason], job.Name)
		last[reason] = max(last[reason], job.LastError.At)
	}
	for _, reason := range reasons {
		d.warn("jobs", "%s failed at %s: %s", strings.Join(names[reason], ", "), last[reason], reason)
	}
	if len(reasons) == 0 {
		d.ok("jobs", "%d jobs, none fails", len(all))
	}
}

// withoutUserText removes from an error the text that users see when the database can't be used.
func withoutUserText(text string) string {
	return strings.ReplaceAll(text, strings.TrimSuffix(db.ErrBusy.Message, ".")+": ", "")
}

// checkRunning checks the data of a shop: audit, backup, public log and files.
func (d *diagnosis) checkRunning(ctx context.Context, quick bool) {
	switch {
	case d.broken:
		unchecked := "audit, backup, drill, public log, followers and files"
		if d.unready {
			unchecked = "server, jobs, " + unchecked
		}
		d.warn("not checked", "%s, because the database can't be used", unchecked)
		return
	case !d.isCurrent() || !d.used:
		d.warn("books", "not checked, because there is no database with this version's schema yet")
		return
	}
	d.checkAges(ctx)
	d.checkLogState()
	if quick {
		d.ok("files", "not checked, because of --quick")
		return
	}
	integrity, err := d.db.Integrity(ctx)
	if err == nil {
		err = integrity.Err()
	}
	switch {
	case err != nil:
		d.fail("files", "%v. Stop the server, copy the database, and restore a backup", err)
	case integrity.Unchecked != "":
		d.warn("files", "not checked: %s", integrity.Unchecked)
	default:
		d.ok("files", "tables and indexes are intact")
	}
}

func (d *diagnosis) checkAges(ctx context.Context) {
	var audit time.Time
	var backups backup.State
	if err := d.db.Read(ctx, func(tx *db.Tx) (err error) {
		audit, err = publicbooks.LastAudit(tx)
		if err == nil {
			backups, err = backup.ReadState(tx)
		}
		return err
	}); err != nil {
		d.fail("audit", "%v", err)
		return
	}
	d.checkAge("audit", audit, maxAuditAge, "run kaibao audit daily")
	d.checkBackups(backups)
}

// checkBackups reports the age and result of the last backup and the last drill.
func (d *diagnosis) checkBackups(s backup.State) {
	how := "set --backup-to, or run kaibao backup daily"
	if d.DatabaseURL != "" {
		how = "make one, then run kaibao backup --done-by NAME"
	}
	if s.Failure.Message != "" {
		d.warn("backup", "the last one failed %s: %s", d.agoText(s.Failure.At), s.Failure.Message)
	} else {
		d.checkAge("backup", s.Last(), maxAuditAge, how)
	}
	if by := s.ReportedBy(); by != "" && !s.Verified() {
		d.warn("backup", "reported by %s, not verified: run kaibao restore --drill", by)
	}
	if s.Drill.Failure != "" {
		d.warn("drill", "the last one, of %s, failed %s: %s", s.Drill.Backup, d.agoText(s.Drill.At), s.Drill.Failure)
	} else {
		d.checkAge("drill", s.Drill.LastSuccess, maxDrillAge, "run kaibao restore --drill monthly")
	}
}

func (d *diagnosis) checkAge(check string, last time.Time, limit time.Duration, how string) {
	age := d.db.Now().Sub(last)
	switch {
	case last.IsZero():
		d.warn(check, "none is recorded: %s", how)
	case backup.IsFuture(last, d.db.Now()):
		d.warn(check, "the last one is dated in the future (%s): check the clock. Then %s", last.Format(time.RFC3339), how)
	case age > limit:
		d.warn(check, "the last one was %s ago: %s", ageText(age), how)
	default:
		d.ok(check, "%s ago", ageText(max(0, age)))
	}
}

// agoText returns how long ago a time was, or the time itself if a wrong clock put it into the future.
func (d *diagnosis) agoText(at time.Time) string {
	if now := d.db.Now(); !backup.IsFuture(at, now) {
		return ageText(max(0, now.Sub(at))) + " ago"
	}
	return "at " + at.Format(time.RFC3339)
}

// ageText returns an age in units that matter to people.
func ageText(age time.Duration) string {
	if age > time.Hour {
		return age.Round(time.Minute).String()
	}
	return age.Round(time.Second).String()
}

// checkLogState checks that the log's leaves are signed and counted in time.
func (d *diagnosis) checkLogState() {
	s, now := d.log, d.db.Now()
	if s == nil {
		return // checkKeys has reported why
	}
	if wait := now.Sub(s.OldestWaiting); !s.OldestWaiting.IsZero() && wait > maxLeafWait {
		d.warn("public log", "%d leaves wait for their place, the first for %s: see whether a server runs and its job sequencer fails", s.Waiting, ageText(wait))
	} else if s.SignedAt.IsZero() {
		d.ok("public log", "%d leaves, no checkpoint yet", s.Size)
	} else {
		d.ok("public log", "%d leaves, the last checkpoint signed %s ago", s.Size, ageText(max(0, now.Sub(s.SignedAt))))
	}
	d.checkWitnesses(s.Cosigning)
	slow := 0
	for _, f := range s.Followers {
		if f.Lag > maxFollowerLag {
			d.warn("followers", "%s has yet to read %d leaves: see whether its job fails", f.Name, f.Lag)
			slow++
		}
	}
	if slow == 0 {
		d.ok("followers", "%d, all up to date", len(s.Followers))
	}
}

// checkWitnesses checks that a quorum cosigns the log, if it has witnesses.
func (d *diagnosis) checkWitnesses(c *publiclog.CosigningStatus) {
	switch {
	case c == nil:
	case c.LastQuorum.IsZero():
		d.warn("witnesses", "no quorum has cosigned the log yet: see WitnessesSilent in docs/operations.md")
	case !c.WantedSince.IsZero() && d.db.Now().Sub(c.WantedSince) > maxQuorumAge:
		d.warn("witnesses", "no quorum has answered orders of sealed packs since %s, so these are refused: see WitnessesSilent in docs/operations.md", c.WantedSince.Format(time.RFC3339))
	case c.Uncosigned > 0 && d.db.Now().Sub(c.LastQuorum) > maxQuorumAge:
		d.warn("witnesses", "%d leaves aren't cosigned, the last quorum answered %s: see WitnessesSilent in docs/operations.md", c.Uncosigned, d.agoText(c.LastQuorum))
	default:
		d.ok("witnesses", "the last quorum answered %s", d.agoText(c.LastQuorum))
	}
}

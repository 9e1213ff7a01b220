package app

import (
	"slices"
	"strings"
	"testing"
	"time"

	"kaibao/internal/backup"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/publiclog"
)

// The state of the public log is judged by how long leaves wait, and how far followers are behind.
func TestDiagnosisOfLog(t *testing.T) {
	clock := dbtest.NewClock()
	o := dbtest.Options(t, "sqlite")
	o.Now = clock.Now
	now := clock.Now()
	d := &diagnosis{db: dbtest.Open(t, o)}
	for name, c := range map[string]struct {
		log  publiclog.Status
		want []string
	}{
		"fine": {publiclog.Status{Size: 7, SignedSize: 7, SignedAt: now.Add(-3 * time.Second), Followers: []publiclog.FollowerStatus{{Name: "draws", Lag: 100}}},
			[]string{"ok   public log: 7 leaves, the last checkpoint signed 3s ago", "ok   followers: 1, all up to date"}},
		"a leaf just written": {publiclog.Status{Size: 7, SignedAt: now.Add(-3 * time.Hour), Waiting: 1, OldestWaiting: now.Add(-time.Second)},
			[]string{"ok   public log: 7 leaves, the last checkpoint signed 3h0m0s ago", "ok   followers: 0, all up to date"}},
		"cosigned": {publiclog.Status{Cosigning: &publiclog.CosigningStatus{LastQuorum: now.Add(-time.Hour)}},
			[]string{"ok   public log: 0 leaves, no checkpoint yet", "ok   witnesses: the last quorum answered 1h0m0s ago", "ok   followers: 0, all up to date"}},
		"silent witnesses": {publiclog.Status{Cosigning: &publiclog.CosigningStatus{LastQuorum: now.Add(-time.Minute), Uncosigned: 2}},
			[]string{"ok   public log: 0 leaves, no checkpoint yet", "WARN witnesses: 2 leaves aren't cosigned, the last quorum answered 1m0s ago: see WitnessesSilent in docs/operations.md",
				"ok   followers: 0, all up to date"}},
		"witnesses that orders wait for": {publiclog.Status{Cosigning: &publiclog.CosigningStatus{LastQuorum: now.Add(-time.Hour), WantedSince: now.Add(-time.Minute)}},
			[]string{"ok   public log: 0 leaves, no checkpoint yet", "WARN witnesses: no quorum has answered orders of sealed packs since " + now.Add(-time.Minute).Format(time.RFC3339) + ", so these are refused: see WitnessesSilent in docs/operations.md",
				"ok   followers: 0, all up to date"}},
		"witnesses that never answered": {publiclog.Status{Cosigning: &publiclog.CosigningStatus{}},
			[]string{"ok   public log: 0 leaves, no checkpoint yet", "WARN witnesses: no quorum has cosigned the log yet: see WitnessesSilent in docs/operations.md", "ok   followers: 0, all up to date"}},
		"new": {publiclog.Status{}, []string{"ok   public log: 0 leaves, no checkpoint yet", "ok   followers: 0, all up to date"}},
		"late": {publiclog.Status{Size: 7, Waiting: 2, OldestWaiting: now.Add(-time.Minute), Followers: []publiclog.FollowerStatus{{Name: "draws", Lag: 20_000}, {Name: "standings"}}},
			[]string{"WARN public log: 2 leaves wait for their place, the first for 1m0s: see whether a server runs and its job sequencer fails",
				"WARN followers: draws has yet to read 20000 leaves: see whether its job fails"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			d.report = func(f Finding) { got = append(got, f.String()) }
			d.log = &c.log
			d.checkLogState()
			if !slices.Equal(got, c.want) {
				t.Errorf("reported %q, want %q", got, c.want)
			}
		})
	}
}

// A time in the future means that a clock is or was wrong, and not that all is fine.
func TestDiagnosisOfTimesInTheFuture(t *testing.T) {
	clock := dbtest.NewClock()
	o := dbtest.Options(t, "sqlite")
	o.Now = clock.Now
	future := clock.Now().Add(24 * time.Hour)
	var got []string
	d := &diagnosis{db: dbtest.Open(t, o), report: func(f Finding) { got = append(got, f.String()) }}
	d.checkAge("audit", future, maxAuditAge, "run kaibao audit daily")
	d.checkBackups(backup.State{Made: future, Drill: backup.Drill{LastSuccess: future}})
	d.checkBackups(backup.State{Failure: backup.Failure{At: future, Message: "full"}, Drill: backup.Drill{At: future, Backup: "one", Failure: "damaged"}})
	d.checkAge("audit", clock.Now().Add(time.Minute), maxAuditAge, "") // by a node whose clock differs a little
	want := []string{
		"WARN audit: the last one is dated in the future (2026-03-05T12:00:00Z): check the clock. Then run kaibao audit daily",
		"WARN backup: the last one is dated in the future (2026-03-05T12:00:00Z): check the clock. Then set --backup-to, or run kaibao backup daily",
		"WARN drill: the last one is dated in the future (2026-03-05T12:00:00Z): check the clock. Then run kaibao restore --drill monthly",
		"WARN backup: the last one failed at 2026-03-05T12:00:00Z: full",
		"WARN drill: the last one, of one, failed at 2026-03-05T12:00:00Z: damaged",
		"ok   audit: 0s ago",
	}
	if !slices.Equal(got, want) {
		t.Errorf("reported %q, want %q", got, want)
	}
}

// The connection to a database on another machine should be encrypted, and its server known.
func TestDiagnosisOfEncryption(t *testing.T) {
	for url, want := range map[string]int{
		"postgres://kaibao@db.example/kaibao":                     1,
		"postgres://kaibao@db.example/kaibao?sslmode=verify-full": 0,
		"postgres:///kaibao?host=/run/postgresql":                 0,
		"": 0,
	} {
		warnings := 0
		d := &diagnosis{report: func(f Finding) {
			if strings.Contains(f.String(), "WARN encryption: ") {
				warnings++
			}
		}}
		d.DatabaseURL = url
		d.checkEncryption()
		if warnings != want {
			t.Errorf("%q: %d warnings, want %d", url, warnings, want)
		}
	}
}

// A finding is one line, even if an error has several.
func TestFindingIsOneLine(t *testing.T) {
	if got := (Finding{Failure, "database", "dial tcp:\n\trefused"}).String(); got != "FAIL database: dial tcp: refused" {
		t.Errorf("the line is %q", got)
	}
}

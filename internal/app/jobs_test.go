package app_test

import (
	"bytes"
	"net/http"
	"os"
	"strings"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/publiclog"
)

// failing reports whether a job's last run failed while it had unread leaves.
func failing(j apptest.JobStatus) bool {
	return j.LastError != nil && j.LastError.Message != "" && j.LastError.At > j.LastSuccess && j.Behind > 0
}

// jobsOf returns the state of a node's jobs by name. The node must be ready.
func jobsOf(t *testing.T, s *apptest.Server) map[string]apptest.JobStatus {
	t.Helper()
	s.NewClient(t).Get(t, "/readyz").Want(t, http.StatusOK, nil)
	jobs := map[string]apptest.JobStatus{}
	for _, job := range s.Status(t).Jobs {
		jobs[job.Name] = job
	}
	return jobs
}

func readInt(t *testing.T, s *apptest.Server, read func(*db.Tx) (int64, error)) (n int64) {
	t.Helper()
	if err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) { n, err = read(tx); return err }); err != nil {
		t.Fatal(err)
	}
	return n
}

func queryInt(t *testing.T, s *apptest.Server, query string) int64 {
	t.Helper()
	return readInt(t, s, func(tx *db.Tx) (int64, error) { return db.One(tx, db.Column[int64], query) })
}

// The operator's handbook says of every job what happens while it fails.
func TestJobsAreDocumented(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		handbook, err := os.ReadFile("../../docs/operations.md")
		if err != nil {
			t.Fatal(err)
		}
		for name := range jobsOf(t, s) {
			if strings.HasPrefix(name, "free space of ") {
				name = "free space of …"
			}
			if !bytes.Contains(handbook, []byte("`"+name+"`")) {
				t.Errorf("docs/operations.md doesn't have the job %q", name)
			}
		}
	})
}

// counter is a follower that counts the log's opens, with statements that break and repair its
// table.
type counter struct{ name, damage, repair, counted string }

var counters = [2]counter{
	{"standings", `UPDATE leaders SET list = '!' || list`, `UPDATE leaders SET list = substr(list, 2)`, `SELECT CAST(SUM(packs) AS BIGINT) FROM standings`},
	{"draws", `ALTER TABLE drawn_cards RENAME TO drawn_away`, `ALTER TABLE drawn_away RENAME TO drawn_cards`, `SELECT CAST(SUM(opens) AS BIGINT) FROM drawn_manifests`},
}

// A failing counter delays neither the log nor the other counter, and its failure is reported. It
// catches up after the repair, both while the node runs and after a restart.
func TestFailingCounterDelaysNothingElse(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		for n, broken := range counters {
			t.Run(engine+" "+broken.name, func(t *testing.T) {
				other := counters[1-n]
				config := apptest.Config(t, engine)
				s := apptest.Start(t, config)
				c := s.SignIn(t)
				c.Deposit(t, 1000)
				alter := func(statement string) {
					if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error { _, err := tx.Exec(statement); return err }); err != nil {
						t.Fatal(err)
					}
				}
				open := func() { c.Post(t, "/api/packs/2/open", payload{"clientSeed": "x"}).Want(t, http.StatusOK, nil) }
				openWhileBroken := func(opens int64) {
					alter(broken.damage)
					open()
					apptest.Until(t, "the leaf is signed", func() bool { return readInt(t, s, publiclog.UnsignedLeaves) == 0 })
					apptest.Until(t, "the other counter has counted the open", func() bool { return queryInt(t, s, other.counted) == opens })
					apptest.Until(t, "the node shows the failure", func() bool { return failing(jobsOf(t, s)[broken.name]) })
					apptest.Until(t, "the other jobs work", func() bool {
						jobs := jobsOf(t, s)
						return jobs["sequencer"].LastSuccess != "" && jobs[other.name].Behind == 0 && jobs[other.name].LastError == nil
					})
				}
				open()
				s.WaitForLog(t)

				openWhileBroken(2)
				alter(broken.repair)
				s.WaitForLog(t)
				s.Audit(t)
				apptest.Until(t, "the node shows the recovery", func() bool { job := jobsOf(t, s)[broken.name]; return !failing(job) && job.Behind == 0 })

				openWhileBroken(3)
				s.Stop()
				alter(broken.repair)
				s.Audit(t) // it lags behind the log but is consistent
				if n := queryInt(t, s, broken.counted); n != 2 {
					t.Errorf("%d opens are counted, want 2", n)
				}
				again := apptest.Start(t, config)
				again.WaitForLog(t)
				again.Audit(t)
				if n := queryInt(t, again, broken.counted); n != 3 {
					t.Errorf("%d opens are counted, want 3", n)
				}
				var draws struct{ Opens, CountedTo int64 }
				again.NewClient(t).Get(t, "/api/fairness/draws").Want(t, http.StatusOK, &draws)
				if size := readInt(t, again, publiclog.SignedSize); draws.Opens != 3 || draws.CountedTo != size {
					t.Errorf("%+v of %d leaves", draws, size)
				}
			})
		}
	}
}

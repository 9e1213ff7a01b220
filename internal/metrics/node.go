package metrics

import (
	"context"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"kaibao/internal/backup"
	"kaibao/internal/db"
	"kaibao/internal/deposits"
	"kaibao/internal/gifts"
	"kaibao/internal/jobs"
	"kaibao/internal/opening"
	"kaibao/internal/publicbooks"
	"kaibao/internal/publiclog"
	"kaibao/internal/redemptions"
	"kaibao/internal/rounds"
)

// Node provides what is read at each scrape.
type Node struct {
	DB      *db.DB
	Version string // of the program
	Clock   func() time.Time
	Ready   func(context.Context) error // why the node is not ready; nil = ready
	Jobs    func() []jobs.State
	Queues  func() map[string]int // calls that wait, by the id of their route
	Streams func() int            // open event streams
	Paused  func(*db.Tx) (int, error)
	Beacon  func() rounds.State
	Log     *slog.Logger

	Submissions func() []publiclog.SubmissionCount // of checkpoints to witnesses
}

// Watch adds the state of a node to the metrics.
func (m *Metrics) Watch(n Node) { m.registry.MustRegister(&collector{Node: n}) }

// collector reads the state of a node at each scrape.
type collector struct {
	Node
	mutex  sync.Mutex // held while the database is read
	readAt time.Time
	stored stored // as read at readAt
}

// stored is the state that is read from the database.
type stored struct {
	ready          bool
	err            error // why the fields below are unknown
	deposits       []db.StateCount[deposits.State]
	claims         []db.StateCount[redemptions.State]
	gifts          []db.StateCount[gifts.State]
	paused         int
	orders         int64     // pending
	oldestOrder    time.Time // zero = none
	unsignedLeaves int64
	cosigning      *publiclog.CosigningStatus // nil = no witnesses
	audit          time.Time
	backups        backup.State
}

const (
	// cacheTime is how long the state from the database is reused, so that scrapes can't load it.
	cacheTime = 10 * time.Second
	// readTimeout is less than the timeout of a scrape, 10 s by default.
	readTimeout = 3 * time.Second
)

// read returns the state from the database, at most cacheTime old. Failures are cached as well.
func (c *collector) read() stored {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if now := c.Clock(); c.readAt.IsZero() || now.Sub(c.readAt) >= cacheTime {
		c.readAt, c.stored = now, c.query()
	}
	return c.stored
}

func (c *collector) query() (s stored) {
	ctx, end := context.WithTimeout(context.Background(), readTimeout)
	defer end()
	var checking sync.WaitGroup
	checking.Go(func() { s.ready = c.Ready(ctx) == nil })
	s.err = c.DB.Search(ctx, func(tx *db.Tx) (err error) {
		s.deposits, err = deposits.CountByState(tx)
		if err != nil {
			return err
		}
		s.claims, err = redemptions.CountByState(tx)
		if err != nil {
			return err
		}
		s.gifts, err = gifts.CountByState(tx)
		if err != nil {
			return err
		}
		s.paused, err = c.Paused(tx)
		if err != nil {
			return err
		}
		s.orders, s.oldestOrder, err = opening.Pending(tx)
		if err != nil {
			return err
		}
		s.unsignedLeaves, err = publiclog.UnsignedLeaves(tx)
		if err != nil {
			return err
		}
		s.cosigning, err = publiclog.ReadCosigning(tx)
		if err != nil {
			return err
		}
		s.audit, err = publicbooks.LastAudit(tx)
		if err != nil {
			return err
		}
		s.backups, err = backup.ReadState(tx)
		return err
	})
	checking.Wait()
	if s.err != nil {
		c.Log.WarnContext(ctx, "some metrics can't be read from the database", "error", s.err)
	}
	return s
}

func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("kaibao_"+name, help, labels, nil)
}

var (
	buildInfo = describe("build_info", "Version of the program, engine and schema of the database.", "version", "engine", "schema")
	ready     = describe("ready", "1 if the node accepts requests, as in /readyz; at most 10 s old.")

	// The label isn't job, which Prometheus sets to the name of the scraped job.
	jobSuccess  = describe("job_last_success_timestamp_seconds", "When a background job last succeeded; absent before the first success.", "name")
	jobFailing  = describe("job_failing", "1 if the last round of a background job failed.", "name")
	jobFailures = describe("job_failures_total", "Failed rounds of a background job.", "name")
	jobBehind   = describe("job_behind_leaves", "Leaves of the public log that a background job has yet to read.", "name")
	jobMaxAge   = describe("job_max_age_seconds", "Time within which a background job succeeds or fails again.", "name")

	poolSize  = describe("db_pool_connections", "Maximum number of database connections for a kind of work.", "pool")
	poolInUse = describe("db_pool_connections_in_use", "Database connections in use.", "pool")
	poolWaits = describe("db_pool_waits_total", "Calls that found no free database connection.", "pool")
	queue     = describe("queue_length", "Calls that wait for a transaction, by operation; db-writer: transactions that wait for SQLite's writer.", "queue")
	streams   = describe("event_streams", "Open event streams.")

	leavesRejected = describe("log_leaves_rejected_total", "Leaves of the public log that were rejected as invalid. Each failed its request.")
	submissions    = describe("log_submissions_total", "Submissions of checkpoints to witnesses by this node, by result: cosigned, unreachable, refused, conflict, invalid or wrong_time.", "witness", "result")

	beaconRounds   = describe("beacon_rounds_fetched_total", "Rounds of the randomness beacon that this node fetched, for a draw or for the check of its clock.", "use")
	beaconInvalid  = describe("beacon_invalid_signatures_total", "Invalid signatures of rounds, by the host of the relay that sent them.", "relay")
	beaconLateness = describe("beacon_lateness_seconds", "How long after its time the last new round arrived, by the node's clock; negative = before. Absent until the clock is checked.")
	beaconActive   = describe("beacon_clock_checked", "1 if a sealed pack is on sale, so that the node checks its clock.")
	beaconReady    = describe("beacon_clock_ready", "1 if the node's clock agrees with the beacon's. While it is 0, orders of sealed packs are refused.")

	databaseRead    = describe("database_metrics_success", "1 if the metrics stored in the database could be read. While it is 0, they are absent: deposits, redemptions, paused packs, pending orders, unsigned and uncosigned leaves, audit, backup and drill.")
	depositsNow     = describe("deposits", "Deposits by state, at most 10 s old.", "state")
	oldestDeposit   = describe("deposits_oldest_timestamp_seconds", "When the oldest open deposit in a state was created.", "state")
	giftsNow        = describe("gifts", "Gifts of items by state, at most 10 s old.", "state")
	claimsNow       = describe("redemptions", "Claims of physical items by state, at most 10 s old.", "state")
	oldestClaim     = describe("redemptions_oldest_timestamp_seconds", "When the oldest open claim in a state was requested.", "state")
	pendingOrders   = describe("orders_pending", "Orders of sealed packs that are neither drawn nor refunded, at most 10 s old.")
	oldestOrder     = describe("orders_oldest_pending_timestamp_seconds", "When the oldest pending order was placed; 0 = there is none.")
	pausedPacks     = describe("packs_paused", "Packs on sale that the margin guard has paused.")
	unsignedLeaves  = describe("log_unsigned_leaves", "Leaves of the public log that no checkpoint covers yet.")
	lastQuorum      = describe("log_last_quorum_timestamp_seconds", "When a quorum of witnesses last cosigned the public log; 0 = never, absent without witnesses.")
	quorumWanted    = describe("log_quorum_wanted_timestamp_seconds", "When an order of a sealed pack first asked for a quorum of witnesses that hasn't answered; 0 = none waits, absent without witnesses. Until then such orders are refused.")
	uncosigned      = describe("log_uncosigned_leaves", "Signed leaves of the public log that no quorum of witnesses has seen; absent without witnesses.")
	lastCleanAudit  = describe("audit_last_success_timestamp_seconds", "When an audit last found the books in order; 0 = never.")
	lastBackupTaken = describe("backup_last_success_timestamp_seconds", "When the database was last backed up, or a backup was reported; 0 = never.")
	backupFailing   = describe("backup_failing", "1 if the last backup failed.")
	lastDrill       = describe("backup_drill_last_success_timestamp_seconds", "When a drill last proved a backup; 0 = never.")
	drillFailing    = describe("backup_drill_failing", "1 if the last drill failed.")

	all = []*prometheus.Desc{
		buildInfo, ready, jobSuccess, jobFailing, jobFailures, jobBehind, jobMaxAge, poolSize, poolInUse, poolWaits, queue, streams, leavesRejected, submissions,
		beaconRounds, beaconInvalid, beaconLateness, beaconActive, beaconReady,
		databaseRead, depositsNow, oldestDeposit, giftsNow, claimsNow, oldestClaim, pausedPacks, pendingOrders, oldestOrder, unsignedLeaves, lastQuorum, quorumWanted, uncosigned, lastCleanAudit, lastBackupTaken,
		backupFailing, lastDrill, drillFailing,
	}
)

// Describe implements prometheus.Collector.
func (c *collector) Describe(descriptions chan<- *prometheus.Desc) {
	for _, d := range all {
		descriptions <- d
	}
}

// Collect implements prometheus.Collector.
func (c *collector) Collect(metrics chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		metrics <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	counter := func(d *prometheus.Desc, value int64, labels ...string) {
		metrics <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(value), labels...)
	}
	gauge(buildInfo, 1, c.Version, c.DB.Engine(), strconv.FormatInt(c.DB.Schema(), 10))
	for _, j := range c.Jobs() {
		if !j.LastSuccess.IsZero() {
			gauge(jobSuccess, seconds(j.LastSuccess), j.Name)
		}
		gauge(jobFailing, number(j.Failing), j.Name)
		counter(jobFailures, j.Failures, j.Name)
		gauge(jobBehind, float64(j.Behind), j.Name)
		gauge(jobMaxAge, (j.Every + j.Limit).Seconds(), j.Name)
	}
	state := c.DB.Stats()
	for _, p := range state.Pools {
		gauge(poolSize, float64(p.Size), p.Name)
		gauge(poolInUse, float64(p.InUse), p.Name)
		counter(poolWaits, p.Waits, p.Name)
	}
	gauge(queue, float64(state.Queue), "db-writer")
	for route, length := range c.Queues() {
		gauge(queue, float64(length), route)
	}
	gauge(streams, float64(c.Streams()))
	counter(leavesRejected, publiclog.InvalidLeaves())
	at := c.Beacon()
	counter(beaconRounds, at.Draws, "draw")
	counter(beaconRounds, at.Checks, "clock")
	for relay, count := range at.Invalid {
		counter(beaconInvalid, count, relay)
	}
	if at.Lateness != nil {
		gauge(beaconLateness, at.Lateness.Seconds())
	}
	gauge(beaconActive, number(at.Active))
	gauge(beaconReady, number(at.ClockReady))
	for _, s := range c.Submissions() {
		counter(submissions, s.Count, s.Witness, string(s.Result))
	}
	s := c.read()
	gauge(ready, number(s.ready))
	gauge(databaseRead, number(s.err == nil))
	if s.err == nil {
		s.collect(gauge)
	}
}

func (s stored) collect(gauge func(d *prometheus.Desc, value float64, labels ...string)) {
	for _, d := range s.deposits {
		gauge(depositsNow, float64(d.Count), string(d.State))
		if d.State.IsOpen() && d.Count > 0 {
			gauge(oldestDeposit, seconds(d.Oldest), string(d.State))
		}
	}
	for _, gift := range s.gifts {
		gauge(giftsNow, float64(gift.Count), string(gift.State))
	}
	for _, claim := range s.claims {
		gauge(claimsNow, float64(claim.Count), string(claim.State))
		if !claim.State.IsFinal() && claim.Count > 0 {
			gauge(oldestClaim, seconds(claim.Oldest), string(claim.State))
		}
	}
	gauge(pausedPacks, float64(s.paused))
	gauge(pendingOrders, float64(s.orders))
	gauge(oldestOrder, seconds(s.oldestOrder))
	gauge(unsignedLeaves, float64(s.unsignedLeaves))
	if s.cosigning != nil {
		gauge(lastQuorum, seconds(s.cosigning.LastQuorum))
		gauge(quorumWanted, seconds(s.cosigning.WantedSince))
		gauge(uncosigned, float64(s.cosigning.Uncosigned))
	}
	gauge(lastCleanAudit, seconds(s.audit))
	gauge(lastBackupTaken, seconds(s.backups.Last()))
	gauge(backupFailing, number(s.backups.Failure.Message != ""))
	gauge(lastDrill, seconds(s.backups.Drill.LastSuccess))
	gauge(drillFailing, number(s.backups.Drill.Failure != ""))
}

// seconds returns a time in Unix seconds, 0 for the zero time.
func seconds(t time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	return float64(t.UnixMicro()) / 1e6
}

// number returns 1 for true and 0 for false.
func number(condition bool) float64 {
	if condition {
		return 1
	}
	return 0
}

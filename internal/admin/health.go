package admin

import (
	"context"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/jobs"
)

// Jobs compare the node's clock with the database's.
func Jobs(d *db.DB) []jobs.Job {
	return []jobs.Job{{Name: "clock", Every: time.Second, Limit: time.Minute, Do: func(ctx context.Context) (int64, error) {
		return 0, d.CheckClock(ctx)
	}}}
}

type health struct {
	Status string `json:"status" enum:"ok"`
}

// JobHealth is the state of a background job.
type JobHealth struct {
	Name        string      `json:"name"`
	LastSuccess string      `json:"lastSuccess,omitempty" format:"date-time" doc:"Absent before the first success."`
	LastError   *JobFailure `json:"lastError,omitempty" doc:"Absent if it never failed. If lastSuccess is later, the failure is over."`
	Behind      int64       `json:"behind" doc:"Leaves of the public log that the job has yet to read; 0 for jobs that don't read the log."`
}

// JobFailure is a failure as the log has it.
type JobFailure struct {
	At      string `json:"at" format:"date-time"`
	Message string `json:"message"`
}

// jobHealth returns the health of all jobs.
func jobHealth(states []jobs.State) []JobHealth {
	views := make([]JobHealth, len(states))
	for n, s := range states {
		views[n] = JobHealth{Name: s.Name, Behind: s.Behind}
		if !s.LastSuccess.IsZero() {
			views[n].LastSuccess = httpapi.Timestamp(s.LastSuccess)
		}
		if s.LastError != nil {
			views[n].LastError = &JobFailure{httpapi.Timestamp(s.FailedAt), s.LastError.Error()}
		}
	}
	return views
}

type version struct {
	Version string `json:"version"`
}

// CheckReady returns why the node can't serve, or nil.
func (n Node) CheckReady(ctx context.Context, d *db.DB) error {
	if err := n.Ready(); err != nil {
		return err
	}
	if err := d.ClockError(); err != nil {
		return err
	}
	if err := d.Ready(ctx); err != nil {
		return apperr.New(apperr.Unavailable, "The database isn't responding.").After(time.Second).Because(err)
	}
	return nil
}

// healthRoutes registers the health checks for load balancers, which call a node by its address.
// They don't say more than the status; OpsHandler does.
func (n Node) healthRoutes(api *httpapi.API) {
	healthy := httpapi.Get(httpapi.Public, "/healthz", "health", "Check that the process is running")
	healthy.HealthCheck = true
	httpapi.JSON(api, healthy, func(context.Context, *struct{}) (health, error) { return health{"ok"}, nil })
	ready := httpapi.Get(httpapi.Public, "/readyz", "ready", "Check that the node accepts requests, and can write to the database and sign the public log", apperr.LogForked)
	ready.HealthCheck = true
	httpapi.JSON(api, ready, func(ctx context.Context, _ *struct{}) (health, error) { return health{"ok"}, n.CheckReady(ctx, api.DB) })
	httpapi.JSON(api, httpapi.Get(httpapi.Public, "/version", "version", "The version of the running program"),
		func(context.Context, *struct{}) (version, error) { return version{api.Version}, nil })
}

package admin

import (
	"context"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/jobs"
	"kaibao/internal/publiclog"
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

// readiness is the health of a node that is ready.
type readiness struct {
	Status string      `json:"status" enum:"ok"`
	Wrong  int64       `json:"wrongLeaves" doc:"Public log leaves that this node rejected since it started, because verifiers would have rejected them. Each such request failed with 500 and changed nothing. If it is above 0, check the server's log."`
	Jobs   []JobHealth `json:"jobs" nullable:"false" doc:"Background jobs of this node. A failed job is retried. The node stays ready unless it can't sign the log."`
}

// JobHealth is the state of a background job.
type JobHealth struct {
	Name        string      `json:"name"`
	LastSuccess string      `json:"lastSuccess,omitempty" format:"date-time" doc:"Absent before the first success."`
	LastError   *JobFailure `json:"lastError,omitempty" doc:"Absent if it never failed. If lastSuccess is later, the failure is over."`
	Behind      int64       `json:"behind" doc:"Leaves of the public log that the job has yet to read; 0 for jobs that don't read the log."`
}

// JobFailure is the public part of a failure. The log has its cause.
type JobFailure struct {
	At      string `json:"at" format:"date-time"`
	Message string `json:"message"`
}

// jobHealth returns the health of all jobs, without internal causes.
func jobHealth(states []jobs.State) []JobHealth {
	views := make([]JobHealth, len(states))
	for n, s := range states {
		views[n] = JobHealth{Name: s.Name, Behind: s.Behind}
		if !s.LastSuccess.IsZero() {
			views[n].LastSuccess = httpapi.Timestamp(s.LastSuccess)
		}
		if s.LastError != nil {
			views[n].LastError = &JobFailure{httpapi.Timestamp(s.FailedAt), apperr.As(s.LastError).Message}
		}
	}
	return views
}

type version struct {
	Version string `json:"version"`
}

func (n Node) healthRoutes(api *httpapi.API) {
	httpapi.JSON(api, httpapi.Get(httpapi.Public, "/healthz", "health", "Check that the process is running"),
		func(context.Context, *struct{}) (health, error) { return health{"ok"}, nil })
	httpapi.JSON(api, httpapi.Get(httpapi.Public, "/readyz", "ready", "Check that the node can write to the database and sign the public log, and show the state of its background jobs", apperr.LogForked),
		func(ctx context.Context, _ *struct{}) (readiness, error) {
			if err := api.DB.ClockError(); err != nil {
				return readiness{}, err
			}
			if err := api.DB.Ready(ctx); err != nil {
				return readiness{}, apperr.New(apperr.Unavailable, "The database isn't responding.").After(time.Second).Because(err)
			}
			jobs := jobHealth(n.Jobs())
			if err := n.Ready(); err != nil {
				return readiness{}, apperr.As(err).WithDetails(jobs)
			}
			return readiness{"ok", publiclog.InvalidLeaves(), jobs}, nil
		})
	httpapi.JSON(api, httpapi.Get(httpapi.Public, "/version", "version", "The version of the running program"),
		func(context.Context, *struct{}) (version, error) { return version{api.Version}, nil })
}

package admin

import (
	"context"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/httpkit"
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
	Wrong  int64       `json:"wrongLeaves" doc:"How many leaves of the public log this node has stopped since it started, as a reader of the log would have rejected them; what asked for them was refused with a 500. More than 0 needs a look at the server's log."`
	Jobs   []JobHealth `json:"jobs" nullable:"false" doc:"What the node does in the background. A job that fails is tried again and leaves the node ready, unless the log cannot be signed."`
}

// JobHealth is the state of a background job.
type JobHealth struct {
	Name        string      `json:"name"`
	LastSuccess string      `json:"lastSuccess,omitempty" format:"date-time" doc:"Absent before the first."`
	LastError   *JobFailure `json:"lastError,omitempty" doc:"Absent before the first; it is over if lastSuccess is later."`
	Behind      int64       `json:"behind" doc:"Leaves of the public log's tree that the job has not read; 0 for one that reads none."`
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
			views[n].LastSuccess = httpkit.Timestamp(s.LastSuccess)
		}
		if s.LastError != nil {
			views[n].LastError = &JobFailure{httpkit.Timestamp(s.FailedAt), apperr.As(s.LastError).Message}
		}
	}
	return views
}

type version struct {
	Version string `json:"version"`
}

func (n Node) healthRoutes(k *httpkit.Kit) {
	httpkit.JSON(k, httpkit.Get(httpkit.Public, "/healthz", "health", "The process answers"),
		func(context.Context, *struct{}) (health, error) { return health{"ok"}, nil })
	httpkit.JSON(k, httpkit.Get(httpkit.Public, "/readyz", "ready", "The database takes what calls write, and the public log is signed; how the background work is doing", apperr.LogForked),
		func(ctx context.Context, _ *struct{}) (readiness, error) {
			if err := k.DB.InTime(); err != nil {
				return readiness{}, err
			}
			if err := k.DB.Ready(ctx); err != nil {
				return readiness{}, apperr.New(apperr.Unavailable, "The database does not answer.").After(time.Second).Because(err)
			}
			jobs := jobHealth(n.Jobs())
			if err := n.Ready(); err != nil {
				return readiness{}, apperr.As(err).WithDetails(jobs)
			}
			return readiness{"ok", publiclog.Wrong(), jobs}, nil
		})
	httpkit.JSON(k, httpkit.Get(httpkit.Public, "/version", "version", "The build"),
		func(context.Context, *struct{}) (version, error) { return version{k.Version}, nil })
}

package httpkit

import (
	"context"
	"time"

	"kaibao/internal/fault"
)

type health struct {
	Status string `json:"status" enum:"ok"`
}

type version struct {
	Version string `json:"version"`
}

// Health registers liveness, readiness and the build's version. ready says what
// else keeps the node from working.
func (k *Kit) Health(ready func() error) {
	JSON(k, Public, Get("/healthz", "health", "The process answers"),
		func(context.Context, *struct{}) (health, error) { return health{"ok"}, nil })
	JSON(k, Public, Get("/readyz", "ready", "The database takes what calls write, and the public log is signed", fault.LogForked),
		func(ctx context.Context, _ *struct{}) (health, error) {
			if err := k.DB.Ready(ctx); err != nil {
				return health{}, fault.New(fault.Unavailable, "The database does not answer.").After(time.Second).Because(err)
			}
			return health{"ok"}, ready()
		})
	JSON(k, Public, Get("/version", "version", "The build"),
		func(context.Context, *struct{}) (version, error) { return version{k.Version}, nil })
}

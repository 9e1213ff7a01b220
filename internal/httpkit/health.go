package httpkit

import (
	"context"

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
	JSON(k, Public, Get("/readyz", "ready", "The database answers, with its schema up to date"),
		func(ctx context.Context, _ *struct{}) (health, error) {
			if err := k.DB.Ping(ctx); err != nil {
				return health{}, fault.New(fault.Unavailable, "unavailable", "The database does not answer.").Because(err)
			}
			return health{"ok"}, ready()
		})
	JSON(k, Public, Get("/version", "version", "The build"),
		func(context.Context, *struct{}) (version, error) { return version{k.Version}, nil })
}

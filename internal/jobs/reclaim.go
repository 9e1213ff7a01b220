package jobs

import (
	"context"
	"time"

	"kaibao/internal/db"
)

// Reclaiming gives the room of a table's rows that are gone to new ones. It is for small
// tables that are written again and again: PostgreSQL by itself comes by each minute at
// most, and until then they grow.
func Reclaiming(d *db.DB, table string) Job {
	return Job{Name: "room of " + table, Every: 5 * time.Second, Limit: time.Minute, Do: func(ctx context.Context) (int64, error) {
		return 0, d.Reclaim(ctx, table)
	}}
}

package jobs

import (
	"context"
	"time"

	"kaibao/internal/db"
)

// Reclaiming returns a job that frees the space of a table's deleted rows. It is for small tables
// with many writes: PostgreSQL's autovacuum runs at most once a minute, and until then they grow.
// On SQLite it does nothing.
func Reclaiming(d *db.DB, table string) Job {
	return Job{Name: "free space of " + table, Every: 5 * time.Second, Limit: time.Minute, Do: func(ctx context.Context) (int64, error) {
		return 0, d.Reclaim(ctx, table)
	}}
}

package sqlite

import (
	"context"
	"fmt"
	"testing"

	"kaibao/internal/db/engine"
)

// Clients choose filters, so there are arbitrarily many different statements. The cache of prepared
// statements is bounded.
func TestPreparedStatementsAreBounded(t *testing.T) {
	e := open(t, Options{Dir: t.TempDir()})
	search := func(ctx context.Context, do engine.Work) error { return e.Read(ctx, engine.Search, do) }
	for _, run := range []func(context.Context, engine.Work) error{e.Write, search} {
		err := run(t.Context(), func(ctx context.Context, c engine.Conn) error {
			for i := range 3 * maxPrepared {
				got := 0
				err := c.QueueQuery(ctx, fmt.Sprintf(`SELECT %d`, i), nil, func(rows engine.Rows) {
					if rows.Next() {
						_ = rows.Scan(&got)
					}
				})()
				if err != nil || got != i {
					return fmt.Errorf("%d is %d: %w", i, got, err)
				}
			}
			if cached := c.(*conn).prepared.Len(); cached > maxPrepared {
				t.Errorf("%d statements are cached", cached)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

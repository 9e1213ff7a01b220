package engine

import (
	"context"
	"strings"
	"time"
)

// SlowQueries reports statements that take longer than a threshold, without their arguments. The
// zero value reports none.
type SlowQueries struct {
	Above time.Duration
	// Report gets the statements that shared a round trip, joined with semicolons, and how long the
	// program waited for them, locks included.
	Report func(ctx context.Context, statements string, took time.Duration)
}

// Exceeded says whether a time is too long.
func (s SlowQueries) Exceeded(took time.Duration) bool { return s.Report != nil && took > s.Above }

// Check reports statements if they took too long.
func (s SlowQueries) Check(ctx context.Context, took time.Duration, statements ...string) {
	if !s.Exceeded(took) {
		return
	}
	for n, statement := range statements {
		statements[n] = quote(statement, maxLogged)
	}
	s.Report(ctx, strings.Join(statements, "; "), took)
}

// Rows returns rows that are reported when they are closed, if the program waited for them too
// long. waited is the time that the query has taken so far.
func (s SlowQueries) Rows(ctx context.Context, statement string, waited time.Duration, rows ClosableRows) ClosableRows {
	if s.Report == nil {
		return rows
	}
	return &timedRows{rows, waited, func(took time.Duration) { s.Check(ctx, took, statement) }}
}

// timedRows adds up how long the program waits for rows, without the time it takes to use them.
type timedRows struct {
	ClosableRows
	waited time.Duration
	check  func(took time.Duration)
}

// Next implements Rows.
func (r *timedRows) Next() bool {
	began := time.Now()
	found := r.ClosableRows.Next()
	r.waited += time.Since(began)
	return found
}

// Close implements ClosableRows.
func (r *timedRows) Close() error {
	r.check(r.waited)
	return r.ClosableRows.Close()
}

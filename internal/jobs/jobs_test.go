package jobs

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// run runs jobs for a duration of the synctest bubble's time.
func run(t *testing.T, duration time.Duration, jobs ...Job) []State {
	t.Helper()
	r := New(slog.New(slog.DiscardHandler), time.Now, jobs...)
	ctx, end := context.WithTimeout(t.Context(), duration)
	defer end()
	r.Run(ctx)
	return r.States()
}

func TestAFailingJobBacksOffAndDoesNotDelayOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		var tried []time.Duration
		healthy := 0
		states := run(t, 9500*time.Millisecond,
			Job{Name: "failing", Every: 400 * time.Millisecond, Limit: time.Second, Do: func(context.Context) (int64, error) {
				tried = append(tried, time.Since(begin))
				return 7, errors.New("out of order")
			}},
			Job{Name: "panicking", Every: time.Hour, Limit: time.Second, Do: func(context.Context) (int64, error) { panic("oh") }},
			Job{Name: "healthy", Every: time.Second, Limit: time.Second, Do: func(context.Context) (int64, error) { healthy++; return 0, nil }},
		)
		const ms = time.Millisecond
		want := []time.Duration{0, 800 * ms, 2400 * ms, 4400 * ms, 6400 * ms, 8400 * ms}
		if !slices.Equal(tried, want) {
			t.Errorf("tried after %v, want %v", tried, want)
		}
		if s := states[0]; s.Name != "failing" || s.Behind != 7 || s.LastError.Error() != "out of order" || s.FailedAt.Sub(begin) != 8400*time.Millisecond || !s.LastSuccess.IsZero() ||
			!s.Failing || s.Failures != 6 || s.Every != 400*time.Millisecond || s.Limit != time.Second {
			t.Errorf("the failing job is %+v, want 7 behind, six failures, the last after 8.4 s, and no success", s)
		}
		if s := states[1]; s.LastError == nil || !strings.Contains(s.LastError.Error(), "panic: oh") {
			t.Errorf("the panicking job is %+v, want its panic as the last error", s)
		}
		if s := states[2]; healthy != 10 || s.LastError != nil || s.LastSuccess.Sub(begin) != 9*time.Second {
			t.Errorf("the healthy job ran %d times and is %+v, want 10 runs and no error", healthy, s)
		}
	})
}

func TestARecoveredJobKeepsItsPaceAndLastError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rounds := 0
		states := run(t, 4500*time.Millisecond, Job{Name: "slow", Every: time.Second, Limit: time.Second, Do: func(ctx context.Context) (int64, error) {
			rounds++
			if rounds == 1 {
				<-ctx.Done()
				return 1, ctx.Err()
			}
			return 0, nil
		}})
		s := states[0]
		if rounds != 3 || !errors.Is(s.LastError, errTooLong) || !s.LastSuccess.After(s.FailedAt) || s.Behind != 0 || s.Failing || s.Failures != 1 {
			t.Errorf("%d rounds, %+v", rounds, s)
		}
	})
}

// A round that fails before it knows how far behind the job is must not look like a job that has
// caught up.
func TestAFailedRoundKeepsTheLastKnownLag(t *testing.T) {
	for name, fail := range map[string]func() (int64, error){
		"error": func() (int64, error) { return 0, errors.New("the database isn't responding") },
		"panic": func() (int64, error) { panic("oh") },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				rounds := 0
				job := Job{Name: "follower", Every: time.Second, Limit: time.Second, Do: func(context.Context) (int64, error) {
					rounds++
					if rounds == 1 {
						return 7, nil
					}
					return fail()
				}}
				s := run(t, 1500*time.Millisecond, job)[0]
				if rounds != 2 || s.LastError == nil {
					t.Fatalf("%d rounds ran and the last error is %v, want 2 rounds and an error", rounds, s.LastError)
				}
				if s.Behind != 7 {
					t.Errorf("the job is %d leaves behind after the failed round, want 7", s.Behind)
				}
			})
		})
	}
}

func TestStoppingIsNoFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		states := run(t, time.Second, Job{Name: "long", Every: time.Second, Limit: time.Hour, Do: func(ctx context.Context) (int64, error) {
			<-ctx.Done()
			return 0, ctx.Err()
		}})
		if s := states[0]; s.LastError != nil || !s.LastSuccess.IsZero() {
			t.Errorf("the stopped job is %+v, want neither error nor success", s)
		}
	})
}

// Wake ends the pause after a success, but not the one after a failure.
func TestAWokenJobRunsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wake := make(chan struct{}, 1)
		begin := time.Now()
		var tried []time.Duration
		run(t, 3500*time.Millisecond, Job{Name: "woken", Every: time.Second, Limit: time.Minute, Wake: wake, Do: func(context.Context) (int64, error) {
			tried = append(tried, time.Since(begin))
			if len(tried) > 2 {
				return 0, nil
			}
			wake <- struct{}{}
			if len(tried) == 2 {
				return 0, errors.New("out of order")
			}
			return 0, nil
		}})
		const s = time.Second
		if want := []time.Duration{0, 0, 2 * s, 2 * s, 3 * s}; !slices.Equal(tried, want) {
			t.Errorf("tried after %v, want %v", tried, want)
		}
	})
}

package idempotency_test

import (
	"errors"
	"slices"
	"testing"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/db/batch"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/idempotency"
)

func request(owner idempotency.Owner, key, asked string) idempotency.Request {
	return idempotency.Request{Owner: owner, Key: key, Fingerprint: []byte(asked)}
}

// Repeated requests get the stored responses, whatever other requests are in the same call. A
// refused request can be retried. A key belongs to its owner and to one request.
func TestEachKeyActsOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		refusal := errors.New("refused")
		a, b, hook := request(idempotency.User("a"), "k", "1"), request(idempotency.User("b"), "k", "1"), request("webhook:a", "k", "1")
		c := request(idempotency.User("c"), "k", "1")
		refused, other := request(idempotency.User("a"), "no", "1"), request(idempotency.User("a"), "k", "2")
		for _, step := range []struct {
			name     string
			requests []idempotency.Request
			fresh    []int
			bodies   []string // "" = an error
			replayed []bool
			barred   []int // indexes that admit refuses
		}{
			{"the first", []idempotency.Request{a, refused}, []int{0, 1}, []string{"the first", ""}, []bool{false, false}, nil},
			{"again", []idempotency.Request{a, b, refused}, []int{1, 2}, []string{"the first", "again", ""}, []bool{true, false, false}, nil},
			{"for another", []idempotency.Request{hook, other}, []int{0}, []string{"for another", ""}, []bool{false, false}, nil},
			{"nothing", []idempotency.Request{hook, b, a}, nil, []string{"for another", "again", "the first"}, []bool{true, true, true}, nil},
			{"barred", []idempotency.Request{hook, c, b}, nil, []string{"", "", "again"}, []bool{false, false, true}, []int{0, 1}},
			{"not barred any more", []idempotency.Request{hook, c}, []int{1}, []string{"for another", "not barred any more"}, []bool{true, false}, nil},
		} {
			err := d.InTx(t.Context(), func(tx *db.Tx) error {
				var acted []int
				admit := func() ([]error, error) {
					refusals := make([]error, len(step.requests))
					for _, n := range step.barred {
						refusals[n] = refusal
					}
					return refusals, nil
				}
				answers, err := idempotency.Do(tx, step.requests, admit, func(fresh []int) ([]batch.Outcome[[]byte], error) {
					acted = fresh
					outcomes := make([]batch.Outcome[[]byte], len(fresh))
					for m, n := range fresh {
						if step.requests[n].Key == "no" {
							outcomes[m].Err = refusal
						} else {
							outcomes[m].Value = []byte(step.name)
						}
					}
					return outcomes, nil
				})
				if !slices.Equal(acted, step.fresh) {
					t.Errorf("%s: acted on %v, want %v", step.name, acted, step.fresh)
				}
				for n, answer := range answers {
					known := errors.Is(answer.Err, refusal) || apperr.IsCode(answer.Err, apperr.IdempotencyMismatch)
					if string(answer.Value.Body) != step.bodies[n] || answer.Value.Replayed != step.replayed[n] || known != (step.bodies[n] == "") {
						t.Errorf("%s: request %d was answered %+v", step.name, n, answer)
					}
				}
				return err
			})
			if err != nil {
				t.Fatalf("%s: %v", step.name, err)
			}
		}
	})
}

func TestAFailedTransactionStoresNoResponse(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		broken, acts := errors.New("broken"), 0
		for range 2 {
			err := d.InTx(t.Context(), func(tx *db.Tx) error {
				admit := func() ([]error, error) { return []error{nil}, nil }
				_, err := idempotency.Do(tx, []idempotency.Request{request(idempotency.User("a"), "k", "1")}, admit, func([]int) ([]batch.Outcome[[]byte], error) {
					acts++
					return nil, broken
				})
				return err
			})
			if !errors.Is(err, broken) {
				t.Errorf("ended with %v", err)
			}
		}
		if acts != 2 {
			t.Errorf("acted %d times, want 2", acts)
		}
	})
}

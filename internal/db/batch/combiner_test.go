package batch_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/db/batch"
	"kaibao/internal/db/dbtest"
)

// word is a command that inserts a word for a user, or fails as the word says.
type word struct{ who, text string }

var errRefused = errors.New("refused")

// wordBatches runs words in batches, records each batch, and makes each wait until letPass is called.
type wordBatches struct {
	*batch.Combiner[word, string]
	db      *db.DB
	gate    chan struct{} // lets one batch pass for every value
	started chan int      // size of every batch that has begun
	mutex   sync.Mutex
	batches [][]word
}

func newWordBatches(t *testing.T, d *db.DB) *wordBatches {
	t.Helper()
	if err := d.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec(`CREATE TABLE words (who TEXT NOT NULL, text TEXT NOT NULL UNIQUE CHECK (text <> 'forbidden'))`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	w := &wordBatches{db: d, gate: make(chan struct{}, 1000), started: make(chan int, 1000)}
	w.Combiner = batch.NewCombiner(d, func(c word) string { return c.who }, w.run)
	t.Cleanup(w.Close)
	return w
}

func (w *wordBatches) run(tx *db.Tx, words []word) ([]batch.Outcome[string], error) {
	w.started <- len(words)
	<-w.gate
	w.mutex.Lock()
	w.batches = append(w.batches, slices.Clone(words))
	w.mutex.Unlock()
	if tx.RetrySeparately != (len(words) > 1) {
		return nil, fmt.Errorf("a batch of %d is retried one by one: %t", len(words), tx.RetrySeparately)
	}
	outcomes := make([]batch.Outcome[string], len(words))
	for i, c := range words {
		switch c.text {
		case "refuse":
			outcomes[i].Err = errRefused
			continue
		case "panic":
			panic("test")
		}
		if _, err := tx.Exec(`INSERT INTO words (who, text) VALUES ($1, $2)`, c.who, c.text); err != nil {
			return nil, err
		}
		outcomes[i].Value = c.text
	}
	return outcomes, nil
}

func (w *wordBatches) letPass(n int) {
	for range n {
		w.gate <- struct{}{}
	}
}

// runTogether sends a first word and, while that runs, all the others, so that they share a batch. It
// returns every word's error.
func (w *wordBatches) runTogether(t *testing.T, words ...word) map[word]error {
	t.Helper()
	failures := map[word]error{}
	ctx, end := context.WithTimeout(t.Context(), time.Hour) // each waits for all before it, on a possibly slow machine
	defer end()
	var mutex sync.Mutex
	var all sync.WaitGroup
	send := func(c word) {
		all.Go(func() {
			value, err := w.Do(ctx, c)
			if err == nil && value != c.text {
				err = fmt.Errorf("returned %q", value)
			}
			mutex.Lock()
			defer mutex.Unlock()
			failures[c] = err
		})
	}
	send(word{words[0].who, "first of " + words[0].who})
	<-w.started
	for _, c := range words {
		send(c)
	}
	w.letPass(100)
	all.Wait()
	return failures
}

func (w *wordBatches) written(t *testing.T) (texts []string) {
	t.Helper()
	if err := w.db.Read(t.Context(), func(tx *db.Tx) (err error) {
		texts, err = db.All(tx, db.Column[string], `SELECT text FROM words ORDER BY text`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return texts
}

func TestARefusedCommandDoesNotAffectItsBatch(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWordBatches(t, d)
		got := w.runTogether(t, word{"a", "1"}, word{"b", "refuse"}, word{"c", "2"})
		if got[word{"a", "1"}] != nil || got[word{"c", "2"}] != nil || !errors.Is(got[word{"b", "refuse"}], errRefused) {
			t.Errorf("the commands returned %v", got)
		}
		if written := w.written(t); !slices.Equal(written, []string{"1", "2", "first of a"}) {
			t.Errorf("the stored words are %v", written)
		}
	})
}

// A failing statement or a panic rolls back the batch. Its commands then run one by one, and only
// the faulty one fails.
func TestAFailedBatchIsRetriedOneByOne(t *testing.T) {
	for name, broken := range map[string]string{"a failing statement": "forbidden", "a panic": "panic"} {
		t.Run(name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				w := newWordBatches(t, d)
				failing := word{"b", broken}
				got := w.runTogether(t, word{"a", "1"}, failing, word{"c", "2"})
				if got[word{"a", "1"}] != nil || got[word{"c", "2"}] != nil || got[failing] == nil {
					t.Errorf("the commands returned %v", got)
				}
				if written := w.written(t); !slices.Equal(written, []string{"1", "2", "first of a"}) {
					t.Errorf("the stored words are %v", written)
				}
			})
		})
	}
}

func TestABatchHasEachKeyOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWordBatches(t, d)
		words := []word{}
		for i := range 10 {
			words = append(words, word{"a", fmt.Sprint(i)})
		}
		for c, err := range w.runTogether(t, words...) {
			if err != nil {
				t.Errorf("%v: %v", c, err)
			}
		}
		for _, batch := range w.batches {
			if len(batch) != 1 {
				t.Errorf("a batch has %v, want one command per key", batch)
			}
		}
		if written := w.written(t); len(written) != 11 { // the 10 and "first of a" of runTogether
			t.Errorf("the stored words are %v", written)
		}
	})
}

// A second batch begins only where the engine has two writers, and only once at least as many
// commands wait as are in flight.
func TestASecondBatchWaitsForEnoughCommands(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ends := map[string]chan struct{}{}
		for _, who := range []string{"a", "b", "c", "f"} {
			ends[who] = make(chan struct{})
		}
		begun := make(chan []word)
		c := batch.NewCombiner(d, func(c word) string { return c.who }, func(_ *db.Tx, words []word) ([]batch.Outcome[string], error) {
			begun <- words
			<-ends[words[0].who]
			return make([]batch.Outcome[string], len(words)), nil
		})
		t.Cleanup(c.Close)
		var all sync.WaitGroup
		defer all.Wait()
		send := func(names ...string) {
			for _, who := range names {
				before := c.Waiting()
				all.Go(func() {
					if _, err := c.Do(t.Context(), word{who: who}); err != nil {
						t.Errorf("%s: %v", who, err)
					}
				})
				for c.Waiting() == before {
					runtime.Gosched()
				}
			}
		}
		expect := func(names ...string) {
			t.Helper()
			var got []string
			for _, c := range <-begun {
				got = append(got, c.who)
			}
			if !slices.Equal(got, names) {
				t.Errorf("got a batch of %v, want %v", got, names)
			}
		}
		all.Go(func() { _, _ = c.Do(t.Context(), word{who: "a"}) })
		expect("a")
		if d.Writers() == 1 {
			send("b", "c", "d")
			close(ends["a"])
			expect("b", "c", "d")
			close(ends["b"])
			return
		}
		all.Go(func() { _, _ = c.Do(t.Context(), word{who: "b"}) })
		expect("b") // as many wait as are in flight
		send("c", "d", "e")
		close(ends["a"])
		expect("c", "d", "e")
		close(ends["b"])
		send("f", "g")
		all.Go(func() { _, _ = c.Do(t.Context(), word{who: "h"}) })
		expect("f", "g", "h")
		close(ends["c"])
		close(ends["f"])
	})
}

func TestCommandsOfAKeyNeverRunConcurrently(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var mutex sync.Mutex
		active, done := map[string]bool{}, map[string]int{}
		c := batch.NewCombiner(d, func(c word) string { return c.who }, func(_ *db.Tx, words []word) ([]batch.Outcome[string], error) {
			mutex.Lock()
			for _, c := range words {
				if active[c.who] {
					t.Errorf("%s is in two batches at the same time", c.who)
				}
				active[c.who] = true
			}
			mutex.Unlock()
			runtime.Gosched()
			mutex.Lock()
			defer mutex.Unlock()
			for _, c := range words {
				active[c.who] = false
				done[c.who]++
			}
			return make([]batch.Outcome[string], len(words)), nil
		})
		t.Cleanup(c.Close)
		var all sync.WaitGroup
		for caller := range 42 {
			all.Go(func() {
				for range 20 {
					if _, err := c.Do(t.Context(), word{who: fmt.Sprint(caller % 7)}); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		for who, times := range done {
			if times != 20*42/7 {
				t.Errorf("%s ran %d times, want %d", who, times, 20*42/7)
			}
		}
	})
}

func TestACommandCanceledBeforeItsBatchDoesNothing(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWordBatches(t, d)
		gone, leave := context.WithCancel(t.Context())
		leave()
		w.letPass(10)
		if _, err := w.Do(gone, word{"a", "1"}); !errors.Is(err, context.Canceled) {
			t.Errorf("returned %v", err)
		}
		if written := w.written(t); len(written) != 0 {
			t.Errorf("the stored words are %v", written)
		}
	})
}

// If a batch fails because the database is down, retrying each command would take a whole time
// limit each. Commands whose context has ended are not retried.
func TestExpiredCommandsOfAFailedBatchAreNotRetried(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx, end := context.WithCancel(t.Context())
		tries := 0
		c := batch.NewCombiner(d, func(c word) string { return c.who }, func(*db.Tx, []word) ([]batch.Outcome[string], error) {
			tries++
			end()
			return nil, errRefused
		})
		t.Cleanup(c.Close)
		for i, o := range c.Batch(ctx, word{"a", "1"}, word{"b", "2"}, word{"c", "3"}) {
			if !errors.Is(o.Err, errRefused) {
				t.Errorf("command %d: %v", i, o.Err)
			}
		}
		if tries != 1 {
			t.Errorf("tried %d times", tries)
		}
	})
}

func TestAClosedCombinerIsUnavailable(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWordBatches(t, d)
		w.Close()
		if _, err := w.Do(t.Context(), word{"a", "1"}); !apperr.IsCode(err, apperr.Unavailable) {
			t.Errorf("returned %v", err)
		}
	})
}

package publiclog_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"kaibao/internal/db"
	log "kaibao/internal/publiclog"
)

// health returns what a node knows about the witnesses.
func (l *cosignedLog) health(node *log.Log) (h *log.WitnessHealth) {
	l.Helper()
	l.inTx(func(tx *db.Tx) (err error) {
		h, err = node.ReadWitnessHealth(tx)
		return err
	})
	return h
}

// Operators see when each witness last cosigned which tree, also on nodes that don't submit, and without a
// quorum. The submitting node knows why one failed.
func TestWitnessHealth(t *testing.T) {
	eachCosignedLog(t, 3, 2, func(l *cosignedLog) {
		if h := l.health(l.log); h.Fresh || !h.LastQuorum.IsZero() || h.Quorum != 2 || len(h.Witnesses) != 3 || h.Witnesses[0].URL != l.witnesses[0].URL || !h.Witnesses[0].Cosigned.At.IsZero() {
			t.Errorf("before the first submission: %+v", h)
		}
		other := l.node()
		wantCosigned := func(when string, node *log.Log, want ...log.Cosignature) {
			t.Helper()
			for n, w := range l.health(node).Witnesses {
				if !w.Cosigned.At.Equal(want[n].At) || w.Cosigned.Size != want[n].Size {
					t.Errorf("%s: %s cosigned %+v, want %+v", when, w.Name, w.Cosigned, want[n])
				}
			}
		}
		l.grow(1)
		first := log.Cosignature{At: l.Now().Truncate(time.Second), Size: 2} // the announcement of the witnesses and an open
		if h := l.health(l.log); !h.Fresh || h.Uncosigned != 0 || h.Behind || h.Witnesses[2].Failure != nil {
			t.Errorf("cosigned by all: %+v", h)
		}
		wantCosigned("by all", l.log, first, first, first)

		l.Advance(5 * time.Second)
		l.witnesses[2].set(func() { l.witnesses[2].behave = answer(http.StatusForbidden, "") })
		l.grow(2)
		second := log.Cosignature{At: l.Now().Truncate(time.Second), Size: 3}
		wantCosigned("by two", l.log, second, second, first)
		wantCosigned("by two, on another node", other, second, second, first)
		if f := l.health(l.log).Witnesses[2].Failure; f == nil || f.Result != log.Refused || !f.At.Equal(l.Now()) || !strings.Contains(f.Cause.Error(), "403") {
			t.Errorf("the failure is %+v, want a refusal with status 403", f)
		}
		if f := l.health(other).Witnesses[2].Failure; f != nil {
			t.Errorf("another node knows of %+v", f)
		}

		l.Advance(5 * time.Second)
		l.witnesses[1].set(func() { l.witnesses[1].behave = answer(http.StatusForbidden, "") })
		l.grow(3)
		third := log.Cosignature{At: l.Now().Truncate(time.Second), Size: 4}
		wantCosigned("by one", l.log, third, second, first)
		wantCosigned("by one, on another node", other, second, second, first)
		if h := l.health(other); h.Fresh || h.Uncosigned != 1 || h.LastQuorum.Before(second.At) || !h.LastQuorum.Before(third.At) {
			t.Errorf("without a quorum: %+v", h)
		}

		appendOpens(l.T, l.db, 4, 5)
		l.Advance(24 * time.Hour)
		if h := l.health(l.log); !h.Behind {
			t.Errorf("with a leaf that waits for its place: %+v", h)
		}
	})
}

func TestWitnessHealthWithoutWitnesses(t *testing.T) {
	eachCosignedLog(t, 0, 0, func(l *cosignedLog) {
		if h := l.health(l.log); h != nil {
			t.Errorf("%+v", h)
		}
	})
}

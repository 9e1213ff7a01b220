package apptest

import (
	"crypto/rand"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/publiclog"
	"kaibao/internal/witness"
)

// Witness starts a witness of the server's log, with the server's clock.
func (s *Server) Witness(t testing.TB) publiclog.WitnessAddress {
	t.Helper()
	w, stop := s.StartWitness(t)
	t.Cleanup(stop)
	return w
}

// StartWitness is Witness for tests that stop it.
func (s *Server) StartWitness(t testing.TB) (address publiclog.WitnessAddress, stop func()) {
	t.Helper()
	now := s.Config.Now
	if now == nil {
		now = time.Now
	}
	r := s.NewClient(t).Get(t, "/log/key")
	w, err := witness.Open(witness.Options{Dir: t.TempDir(), Logs: []string{strings.TrimSpace(string(r.Body))}, Now: now, Log: slog.New(slog.DiscardHandler), Random: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(w.Handler())
	stop = func() {
		server.Close()
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
	parsed, err := publiclog.ParseWitnesses("quorum 1\nwitness " + w.VerifierKey() + " " + server.URL)
	if err != nil {
		t.Fatal(err)
	}
	return parsed.List[0], stop
}

// SetWitnesses announces witnesses in the log.
func (s *Server) SetWitnesses(t testing.TB, quorum int, list ...publiclog.WitnessAddress) {
	t.Helper()
	if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := publiclog.SetWitnesses(tx, publiclog.Witnesses{Quorum: quorum, List: list})
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// WaitForQuorum waits until a quorum has cosigned the whole log.
func (s *Server) WaitForQuorum(t testing.TB) {
	t.Helper()
	s.WaitForLog(t)
	Until(t, "a quorum has cosigned the whole log", func() bool {
		var c *publiclog.CosigningStatus
		if err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
			c, err = publiclog.ReadCosigning(tx)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return c != nil && c.Uncosigned == 0 && !c.LastQuorum.IsZero()
	})
}

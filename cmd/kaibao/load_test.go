package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/loadgen"
)

// In a drop every user opens once: the supply is sold, and the others get "sold out".
func TestLoadDrop(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
			if err := tx.ExecOne(`UPDATE packs SET supply = sold + 3 WHERE id = '3'`); err != nil {
				return err
			}
			return s.Shop(t).Publish(tx, "3")
		})
		if err != nil {
			t.Fatal(err)
		}
		drop := strings.Fields("load --pack 3 --drop --users 10 --concurrency 5 --json --nodes " + s.URL)
		out, code := run(t, drop...)
		var report loadgen.Report
		if err := json.Unmarshal([]byte(out), &report); err != nil || code != 0 {
			t.Fatalf("exit %d, %v: %s", code, err, out)
		}
		if report.Statuses[http.StatusOK] != 3 || report.Statuses[http.StatusGone] != 7 || report.Verified != 3 {
			t.Errorf("%s", &report)
		}
		if out, code := run(t, "load", "--pack", "3", "--users", "1", "--concurrency", "1", "--nodes", s.URL); code != 1 || !strings.Contains(out, "sold_out") {
			t.Errorf("a pack that is sold out ends the load with %d: %s", code, out)
		}
		s.Audit(t)
	})
}

// Trades match the ledger, and some buyers come too late.
func TestLoadTrades(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		trade := strings.Fields("load --trade --pack demo-pack-1 --users 5 --concurrency 3 --seconds 0.01 --nodes " + s.URL)
		out, code := run(t, append(trade, "--json")...)
		var report loadgen.Report
		if err := json.Unmarshal([]byte(out), &report); err != nil || code != 0 {
			t.Fatalf("exit %d, %v: %s", code, err, out)
		}
		if report.Trades == 0 || report.Verified != report.Trades || report.PerSecond == 0 || report.P50 == 0 || report.Statuses[http.StatusConflict] == 0 {
			t.Errorf("%s", &report)
		}
		if out, code := run(t, trade...); code != 0 || !strings.Contains(out, "trades in") {
			t.Errorf("exit %d: %s", code, out)
		}
		if out, code := run(t, append(trade, "--drop")...); code == 0 {
			t.Errorf("--trade with --drop was accepted: %s", out)
		}
		s.Audit(t)
	})
}

package metrics_test

import (
	"os"
	"regexp"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
)

// metricName matches the names of metrics in queries.
var metricName = regexp.MustCompile(`\b(?:kaibao|go|process)_[a-z_]+`)

// histogramPart matches what a histogram's time series add to its name.
var histogramPart = regexp.MustCompile(`_(bucket|sum|count)$`)

// Alerts, their tests and the dashboard use only metrics that a node exports.
func TestAlertsAndDashboardUseExportedMetrics(t *testing.T) {
	s := apptest.Start(t, apptest.Config(t, dbtest.Engines()[0]))
	c, owned := collector(t, s)
	c.Post(t, "/api/wallet/deposits", apptest.Body{"amountCents": 2500}).Want(t, 200, nil)
	c.Vault(t, owned[0].ID)
	c.Claim(t, owned[0].ID)
	s.SetWitnesses(t, 1, s.Witness(t))
	s.WaitForQuorum(t)
	exported := map[string]bool{}
	for name := range scrape(t, s) {
		name = metricName.FindString(name)
		exported[name], exported[histogramPart.ReplaceAllString(name, "")] = true, true
	}
	for _, file := range []string{"prometheus/kaibao.rules.yml", "prometheus/kaibao.rules.test.yml", "grafana/kaibao.json"} {
		text, err := os.ReadFile("../../deploy/" + file)
		if err != nil {
			t.Fatal(err)
		}
		used := metricName.FindAllString(string(text), -1)
		if len(used) < 20 {
			t.Errorf("deploy/%s uses %d metrics", file, len(used))
		}
		for _, name := range used {
			if !exported[name] {
				t.Errorf("deploy/%s uses %s, which no node exports", file, name)
			}
		}
	}
}

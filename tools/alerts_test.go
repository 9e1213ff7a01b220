package tools

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

const (
	alertRules = "../deploy/prometheus/kaibao.rules.yml"
	alertTests = "../deploy/prometheus/kaibao.rules.test.yml"
	dashboard  = "../deploy/grafana/kaibao.json"
)

var (
	alertName    = regexp.MustCompile(`(?m)^ +- alert: (\w+)$`)
	runbookURL   = regexp.MustCompile(`(?m)^ +runbook_url: https://kaibao\.example/docs/operations\.md#(\S+)$`)
	alertSection = regexp.MustCompile(`(?m)^### (\w+)$`)
)

// alerts returns the text of each alert by its name.
func alerts(t *testing.T) map[string]string {
	t.Helper()
	rules, found := read(t, alertRules), map[string]string{}
	starts := alertName.FindAllStringSubmatchIndex(rules, -1)
	for n, at := range starts {
		end := len(rules)
		if n+1 < len(starts) {
			end = starts[n+1][0]
		}
		found[rules[at[2]:at[3]]] = rules[at[0]:end]
	}
	if len(found) < 10 {
		t.Fatalf("read %d alerts", len(found))
	}
	return found
}

// Every alert says what is wrong and links to its section in the handbook, which says what to do.
func TestAlertsLinkToTheHandbook(t *testing.T) {
	handbook := read(t, "../docs/operations.md")
	headings := anchors(handbook)
	all := alerts(t)
	for name, text := range all {
		link := runbookURL.FindStringSubmatch(text)
		if len(link) != 2 || !headings[link[1]] {
			t.Errorf("the runbook_url of %s is no heading of docs/operations.md: %q", name, link)
		}
		for _, part := range []string{" expr: ", "severity: ", " summary: ", " description: "} {
			if !strings.Contains(text, part) {
				t.Errorf("%s has no %q", name, part)
			}
		}
	}
	_, section, found := strings.Cut(handbook, "\n## Incidents\n")
	section, _, _ = strings.Cut(section, "\n## ")
	for severity, label := range map[string]string{"critical": "Critical", "warning": "Warning"} {
		_, listed, _ := strings.Cut(section, "\n- **"+label+"**: ")
		listed, _, _ = strings.Cut(listed, "\n")
		for name, text := range all {
			if listing := strings.Contains(listed, "["+name+"]"); listing != strings.Contains(text, "severity: "+severity) {
				t.Errorf("docs/operations.md lists %s as %s: %t", name, severity, listing)
			}
		}
	}
	described := alertSection.FindAllStringSubmatch(section, -1)
	if !found || len(described) != len(all) {
		t.Errorf("docs/operations.md describes %d alerts, there are %d", len(described), len(all))
	}
	for _, heading := range described {
		if all[heading[1]] == "" {
			t.Errorf("docs/operations.md describes the alert %s, which doesn't exist", heading[1])
		}
		_, text, _ := strings.Cut(section, heading[0]+"\n")
		text, _, _ = strings.Cut(text, "\n### ")
		for _, part := range []string{"**What it means**", "**How to confirm it**", "**What to do**", "**How to know it worked**"} {
			if !strings.Contains(text, part) {
				t.Errorf("docs/operations.md doesn't say %s about %s", part, heading[1])
			}
		}
	}
}

// Every alert has a test that shows when it fires and when it doesn't. promtool runs them (make
// lint-alerts).
func TestAlertsAreTested(t *testing.T) {
	tests := strings.Split(read(t, alertTests), "\n  - name: ")
	for name := range alerts(t) {
		tested := false
		for _, test := range tests {
			if strings.HasPrefix(test, name+"\n") {
				tested = strings.Contains(test, "exp_samples: []") && strings.Contains(test, `alertname="`+name+`"`)
			}
		}
		if !tested {
			t.Errorf("no test of %s shows when it fires and when it doesn't", name)
		}
	}
}

func TestDashboardIsValid(t *testing.T) {
	var board struct {
		UID, Title string
		Panels     []struct {
			ID          int
			Type, Title string
			Targets     []struct{ Expr string }
		}
	}
	if err := json.Unmarshal([]byte(read(t, dashboard)), &board); err != nil {
		t.Fatal(err)
	}
	ids := map[int]bool{}
	for _, p := range board.Panels {
		if ids[p.ID] || p.Title == "" || p.Type != "row" && len(p.Targets) == 0 {
			t.Errorf("the panel %d %q has no title, no query or another panel's id", p.ID, p.Title)
		}
		ids[p.ID] = true
		for _, target := range p.Targets {
			if target.Expr == "" {
				t.Errorf("the panel %q has an empty query", p.Title)
			}
		}
	}
	if board.UID == "" || board.Title == "" || len(ids) < 10 {
		t.Errorf("the dashboard %q has %d panels", board.UID, len(ids))
	}
}

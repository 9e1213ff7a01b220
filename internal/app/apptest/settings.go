package apptest

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"kaibao/internal/app"
	"kaibao/internal/houserules"
)

// Rules changes some of the default house rules, by their names in profiles.
func Rules(t testing.TB, change Body) func(*app.Config) {
	t.Helper()
	text, err := json.Marshal(houserules.Default())
	var profile Body
	if err == nil {
		err = json.Unmarshal(text, &profile)
	}
	profile["name"] = "test"
	maps.Copy(profile, change)
	if err == nil {
		text, err = json.Marshal(profile)
	}
	file := filepath.Join(t.TempDir(), "rules.json")
	if err == nil {
		err = os.WriteFile(file, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return Profile(file)
}

// LimitRates limits the rates of calls, as in production.
func LimitRates(c *app.Config) { c.RateLimits = "on" }

// LogEverything logs every request and statement, and exports traces of all requests to a collector.
func LogEverything(collector string) func(*app.Config) {
	return func(c *app.Config) {
		c.LogLevel, c.SlowRequest, c.SlowQuery, c.TraceEndpoint, c.TraceRatio = "debug", time.Nanosecond, time.Nanosecond, collector, 1
	}
}

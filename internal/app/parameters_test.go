package app_test

import (
	"maps"
	"net/http"
	"testing"

	"kaibao/internal/app/apptest"
)

// Calls that need a session refuse unknown query parameters, because a filter with a typo would
// select everything. Public calls ignore them.
func TestUnknownParametersAreRefused(t *testing.T) {
	for unknown, named := range map[string]string{"unknown=1": "unknown", "unknown": "unknown", "Limit=1": "Limit", "limit%00=1": "limit\x00", "%zz=1": "query"} {
		t.Run(unknown, func(t *testing.T) {
			h := newAccessTest(t, apptest.Start(t, apptest.Config(t, "sqlite")))
			before := rowCounts(t, h.Server)
			var public []operation
			for _, o := range operations(t, h.owner.Client) {
				c := h.owner
				switch o.access {
				case "":
					public = append(public, o)
					continue
				case "admin":
					c = h.admin
				}
				answer := c.Call(t, o.method, h.path(o)+"?"+unknown, body(o, h.entries[0]))
				var refusal struct {
					Code   string
					Fields map[string]string
				}
				_ = answer.Read(&refusal)
				if answer.Status != http.StatusUnprocessableEntity || refusal.Code != "invalid" || len(refusal.Fields) != 1 || refusal.Fields[named] == "" {
					t.Errorf("%s %s: %d %s", o.method, o.path, answer.Status, answer.Body)
				}
			}
			if after := rowCounts(t, h.Server); !maps.Equal(after, before) {
				t.Errorf("refused calls changed the row counts to %v, before %v", after, before)
			}
			for _, o := range public {
				if o.path == "/api/feed" {
					continue // never ends
				}
				anonymous := h.NewClient(t)
				without, with := anonymous.Call(t, o.method, h.path(o), body(o, "")), anonymous.Call(t, o.method, h.path(o)+"?"+unknown, body(o, ""))
				if with.Status != without.Status {
					t.Errorf("%s %s: %d %s, without the parameter %d", o.method, o.path, with.Status, with.Body, without.Status)
				}
			}
		})
	}
}

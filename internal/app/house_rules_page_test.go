package app

import (
	"testing"

	"kaibao/internal/db"
	"kaibao/internal/httpapi"
)

// The page gets the rules that the server enforces.
func TestPageGetsTheHouseRules(t *testing.T) {
	for profile, name := range map[string]string{"": "open", "open": "open", "cn": "cn", "uk-strict": "uk-strict"} {
		c := Config{Profile: profile}
		house, err := c.houseRules()
		if err != nil {
			t.Fatal(err)
		}
		if rules := newServices(c, &db.DB{}, httpapi.PublicURL{}, nil, secrets{}, house).webui.Config.Rules; rules.Name != name {
			t.Errorf("profile %q: the page gets %q", profile, rules.Name)
		}
	}
}

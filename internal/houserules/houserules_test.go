package houserules

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestBuiltInProfiles(t *testing.T) {
	names := Names()
	if strings.Join(names, " ") != "cn open uk-strict" {
		t.Errorf("shipped are %q", names)
	}
	for _, name := range names {
		r, err := BuiltIn(name)
		if err != nil || r.Name != name {
			t.Errorf("profile %s: %+v, %v", name, r, err)
		}
	}
	if _, err := BuiltIn("none"); err == nil || !strings.Contains(err.Error(), "uk-strict") {
		t.Errorf("an unknown profile: %v", err)
	}
}

func TestInvalidProfilesAreRefused(t *testing.T) {
	text, err := json.Marshal(Default())
	if err != nil {
		t.Fatal(err)
	}
	for change, why := range map[[2]string]string{
		{`"name":"open"`, `"name":"Open!"`}:                                        "name",
		{`"minimumAge":0`, `"minimumAge":-1`}:                                      "minimumAge must be",
		{`"minimumAge":0`, `"minimumAge":18.5`}:                                    "minimumAge",
		{`"minimumAge":0`, `"minimumAge":121`}:                                     "minimumAge must be",
		{`"minimumAge":0,`, ``}:                                                    `"minimumAge" is missing`,
		{`"minimumAge":0`, `"minimumAge":null`}:                                    `"minimumAge" is missing`,
		{`"minimumAge":0`, `"minimumAge":0,"maximumAge":9`}:                        `unknown rule "maximumAge"`,
		{`"guardianBelow":0`, `"guardianBelow":121`}:                               "guardianBelow must be",
		{`"minimumAge":0,"guardianBelow":0`, `"minimumAge":18,"guardianBelow":18`}: "above minimumAge",
		{`"countries":[]`, `"countries":["China"]`}:                                "China",
		{`"countries":[]`, `"countries":["CN","CN"]`}:                              "twice",
		{`"highestPackCents":0`, `"highestPackCents":-5`}:                          "highestPackCents must be",
		{`"spentDayCents":0`, `"spentDayCents":"5"`}:                               "spentDayCents",
		{`"opensDay":0`, `"opensDay":1e9`}:                                         "opensDay",
		{`"secondsBetween":0`, `"secondsBetween":86401`}:                           "secondsBetween must be",
		{`"market":true`, `"market":"yes"`}:                                        "market",
		{`{`, `[`}:                                                                 "JSON object",
	} {
		changed := strings.Replace(string(text), change[0], change[1], 1)
		if changed == string(text) {
			t.Fatalf("%q is not in %s", change[0], text)
		}
		if _, err := Parse([]byte(changed)); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v, want something of %q", changed, err, why)
		}
	}
}

package adminlog

import (
	"slices"
	"testing"
)

// Names that are words of the log's own texts change only what admins wrote.
func TestErasureKeepsTheFormat(t *testing.T) {
	const id = "0199a111-0000-7000-8000-000000000001"
	for _, name := range []string{"null", "true", "520", "frozen", "api", "user", "0199a111", "8000", "reason", `"`, "approved", "{}"} {
		e := Erasure{UserID: id, Address: "7nK7ipVh", Name: name}
		fixed := []string{"/api/admin/users/" + id, `{"state":"approved","frozen":true,"balanceCents":520}`, "user " + id, "null"}
		got, _ := e.Apply(append(slices.Clone(fixed), "for "+name+" only")...)
		if !slices.Equal(got[:len(fixed)], fixed) || got[len(fixed)] != "for [erased] only" {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

// An erasure replaces a user's address, name, earlier profile and parcels, and nothing of others.
func TestErasure(t *testing.T) {
	const id, claim = "0199a111-0000-7000-8000-000000000001", "0199a111-0000-7000-8000-000000000002"
	e := Erasure{UserID: id, Address: "7nK7ipVh", Name: "Tom", Handle: "mei-lin", Claims: []string{claim}}
	for name, c := range map[string]struct{ texts, want []string }{
		"an address": {[]string{"user 7nK7ipVh", `{"walletAddress":"7nK7ipVh"}`}, []string{"user " + id, `{"walletAddress":"` + id + `"}`}},
		"a name":     {[]string{"user " + id, "a prize for Tom, tomorrow's Tommy and 汤姆Tom好"}, []string{"user " + id, "a prize for [erased], tomorrow's Tommy and 汤姆[erased]好"}},
		"a name in a request": {
			[]string{"/api/users/" + id, `{"reason":"a gift for Tom","name":"Tom"}`, "thanks"},
			[]string{"/api/users/" + id, `{"reason":"a gift for [erased]","name":"Tom"}`, "thanks"},
		},
		"a handle": {
			[]string{"user " + id, `{"handle":"mei-lin","pagesHidden":true}`, "mei-lin insults, not mei-lina"},
			[]string{"user " + id, `{"handle":"[erased]","pagesHidden":true}`, "[erased] insults, not mei-lina"},
		},
		"others":    {[]string{"user another", "a prize for Tom"}, nil},
		"a profile": {[]string{"user " + id, `{"firstName":"Old \"Tom\"","profileImageUrl":"https://a.example/1.png","x":"y"}`}, []string{"user " + id, `{"firstName":"[erased]","profileImageUrl":"[erased]","x":"y"}`}},
		"a parcel": {
			[]string{"claims", `{"claims":[{"id":"` + claim + `","tracking":"JD 1"},{"id":"other","tracking":"JD 2"}]}`},
			[]string{"claims", `{"claims":[{"id":"` + claim + `","tracking":"[erased]"},{"id":"other","tracking":"JD 2"}]}`},
		},
		"nothing": {[]string{"user " + id, "a prize"}, nil},
	} {
		got, changed := e.Apply(c.texts...)
		want := c.want
		if want == nil {
			want = c.texts
		}
		if !slices.Equal(got, want) || changed != (c.want != nil) {
			t.Errorf("%s: %q, changed %v, want %q", name, got, changed, want)
		}
		for i := range got {
			if !Matches(got[i], c.texts[i], id) {
				t.Errorf("%s: the audit wouldn't accept %q for %q", name, got[i], c.texts[i])
			}
		}
	}
	for erased, original := range map[string]string{"a prize": "another", "a prize for [erased]": "a gift for Tom", "for " + id: "to 7nK7ipVh"} {
		if Matches(erased, original, id) {
			t.Errorf("the audit would accept %q for %q", erased, original)
		}
	}
}

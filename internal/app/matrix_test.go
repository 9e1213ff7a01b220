package app_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"kaibao/internal/app/apptest"
)

// refusal is the expected error of a call; the zero value expects access.
type refusal struct {
	status int
	code   string
}

var (
	letIn           = refusal{}
	unauthenticated = refusal{http.StatusUnauthorized, "unauthenticated"}
	forbidden       = refusal{http.StatusForbidden, "forbidden"}
	wrongWallet     = refusal{http.StatusUnauthorized, "wallet_mismatch"}
	wrongType       = refusal{http.StatusUnsupportedMediaType, "unsupported_media_type"}
)

// guest is a caller with the access rules they satisfy.
type guest struct {
	name string
	*apptest.Client
	access []string // the rules that they pass
}

// guise is a variation of the request headers and its effect on the result.
type guise struct {
	name   string
	header func(g guest) []string
	spoilt func(o operation) refusal
}

func ifWrites(o operation) refusal {
	if o.method == http.MethodGet {
		return letIn
	}
	return forbidden
}

func ifSession(o operation) refusal {
	if o.access == "" {
		return letIn
	}
	return wrongWallet
}

func ifBody(o operation) refusal {
	if o.body == nil {
		return letIn
	}
	return wrongType
}

func fixedHeader(header ...string) func(guest) []string {
	return func(guest) []string { return header }
}

func never(operation) refusal { return letIn }

var guises = []guise{
	{"nothing more", fixedHeader(), never},
	{"the wallet", func(g guest) []string { return []string{"Authorization", "Wallet " + g.Address} }, never},
	{"another's wallet", fixedHeader("Authorization", "Wallet 11111111111111111111111111111111"), ifSession},
	{"no wallet", fixedHeader("Authorization", "Bearer admin"), ifSession},
	{"a foreign origin", fixedHeader("Origin", "https://elsewhere.example"), ifWrites},
	{"no origin", fixedHeader("Origin", "null"), ifWrites},
	{"a foreign site", fixedHeader("Sec-Fetch-Site", "cross-site"), ifWrites},
	{"a neighbour's site", fixedHeader("Sec-Fetch-Site", "same-site"), ifWrites},
	{"a form", fixedHeader("Content-Type", "application/x-www-form-urlencoded"), ifBody},
	{"plain text", fixedHeader("Content-Type", "text/plain"), ifBody},
}

// expect returns the result that follows from an operation's declared access. The first check that
// refuses decides.
func expect(o operation, g guest, in guise) refusal {
	spoilt := in.spoilt(o)
	switch {
	case spoilt == forbidden:
		return forbidden // another site sent the request in the caller's name
	case o.access == "":
	case len(g.access) == 0:
		return unauthenticated
	case spoilt == wrongWallet:
		return wrongWallet
	case !slices.Contains(g.access, o.access):
		return forbidden
	}
	return spoilt
}

// wants reports whether a response is as expected. A call with access may still fail for its
// content, but not for its caller or headers.
func (r refusal) wants(a apptest.Answer) bool {
	var refusal struct{ Code string }
	_ = a.Read(&refusal)
	if r != letIn {
		return a.Status == r.status && refusal.Code == r.code
	}
	if slices.Contains([]string{"bad_signature", "no_cookie", "checkout_disabled"}, refusal.Code) {
		return true // the samples have no valid signature or challenge, and sandboxes have no checkout
	}
	return a.Status < 500 && !slices.Contains([]int{400, 401, 403, 415, 422}, a.Status)
}

// house is a server with callers of each kind. The owner has pulled entries.
type house struct {
	*apptest.Server
	owner, other, admin guest
	entries             []string
	opened              string
}

func newHouse(t *testing.T, s *apptest.Server) *house {
	t.Helper()
	user := []string{"session"}
	h := &house{
		Server: s, owner: guest{"the owner", s.SignIn(t), user}, other: guest{"another user", s.SignIn(t), user},
		admin: guest{"an admin", s.Admin(t), []string{"session", "admin"}},
	}
	h.owner.Deposit(t, 100)
	h.other.Deposit(t, 100)
	var pulled struct {
		OpenID string
		Items  []struct{ InventoryID string }
	}
	h.owner.Post(t, "/api/packs/demo-pack-1/open", asked{"clientSeed": "seed"}).Want(t, http.StatusOK, &pulled)
	for _, item := range pulled.Items {
		h.entries = append(h.entries, item.InventoryID)
	}
	h.opened = pulled.OpenID
	return h
}

// path returns an operation's path for public objects or the owner's.
func (h *house) path(o operation) string {
	return o.at(func(name string) string {
		switch {
		case strings.HasPrefix(o.path, "/api/opens/"), strings.HasPrefix(o.path, "/api/fairness/opens/"):
			return h.opened
		case strings.HasPrefix(o.path, "/api/packs/"):
			return "1"
		}
		return "pkm-001"
	})
}

func body(o operation, entry string) any {
	if o.body == nil {
		return nil
	}
	return samples(entry)[o.path]
}

// attempt is a call by a guest in a guise and its expected result.
type attempt struct {
	guest
	guise
	want refusal
}

func (h *house) try(t *testing.T, o operation, a attempt) {
	t.Helper()
	answer := a.Call(t, o.method, h.path(o), body(o, h.entries[0]), a.header(a.guest)...)
	if !a.want.wants(answer) {
		t.Errorf("%s %s as %s with %s: %d %s, want %v", o.method, o.path, a.guest.name, a.guise.name, answer.Status, answer.Body, a.want)
	}
	if o.id == "logout" && a.access != nil {
		a.SignIn(t)
	}
}

func stopsLast(o operation) int {
	if o.stops() {
		return 1
	}
	return 0
}

// Every call with every caller and every header variation is admitted or refused as its access rule
// says. Refused calls write nothing.
func TestAccessRuleMatrix(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		h := newHouse(t, s)
		everybody := []guest{{"nobody", s.NewClient(t), nil}, h.other, h.admin, h.owner}
		worn := guises
		if s.Config.DatabaseURL != "" {
			worn = guises[:1] // headers are checked before the database is used
		}
		all := operations(t, h.owner.Client)
		slices.SortStableFunc(all, func(a, b operation) int { return stopsLast(a) - stopsLast(b) })
		for _, o := range all {
			var admitted []attempt
			before := stored(t, s)
			for _, g := range everybody {
				for _, in := range worn {
					if a := (attempt{g, in, expect(o, g, in)}); a.want == letIn {
						admitted = append(admitted, a)
					} else {
						h.try(t, o, a)
					}
				}
			}
			if after := stored(t, s); !maps.Equal(after, before) {
				t.Errorf("%s %s: refused calls changed the row counts to %v, before %v", o.method, o.path, after, before)
			}
			for _, a := range admitted {
				h.try(t, o, a)
			}
		}
		s.Audit(t)
	})
}

// No call finds or changes another user's entry or open.
func TestUsersCannotReachOthersObjects(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		h := newHouse(t, s)
		h.owner.Post(t, "/api/marketplace/list", asked{"inventoryId": h.entries[1], "priceCents": 100, "confirmedCents": 100}).Want(t, http.StatusOK, nil)
		h.owner.Post(t, "/api/inventory/vault", asked{"inventoryId": h.entries[2]}).Want(t, http.StatusOK, nil)
		before, tried := stored(t, s), 0
		for _, o := range operations(t, h.owner.Client) {
			for kind, entry := range map[string]string{"held": h.entries[0], "listed": h.entries[1], "vaulted": h.entries[2]} {
				if !o.ofOwner() || o.id == "buy" && kind == "listed" {
					continue
				}
				tried++
				for _, g := range []guest{h.other, h.admin} {
					a := g.Call(t, o.method, h.path(o), body(o, entry))
					if a.Status != http.StatusNotFound && a.Status != http.StatusConflict {
						t.Errorf("%s %s as %s about a %s entry: %d %s", o.method, o.path, g.name, kind, a.Status, a.Body)
					}
				}
			}
		}
		if after := stored(t, s); tried == 0 || !maps.Equal(after, before) {
			t.Errorf("%d calls changed the row counts to %v, before %v", tried, after, before)
		}
		s.Audit(t)
	})
}

// ofOwner reports whether an operation is about a user's own object: a session's call that names an
// entry, or anything but a pack in its path.
func (o operation) ofOwner() bool {
	if o.body != nil && o.resolve(*o.body).Properties["inventoryId"].OneOf != nil {
		return true
	}
	return o.access == "session" && strings.Contains(o.path, "{") && !strings.HasPrefix(o.path, "/api/packs/")
}

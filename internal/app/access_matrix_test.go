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
	admitted        = refusal{}
	unauthenticated = refusal{http.StatusUnauthorized, "unauthenticated"}
	forbidden       = refusal{http.StatusForbidden, "forbidden"}
	wrongWallet     = refusal{http.StatusUnauthorized, "wallet_mismatch"}
	frozenAccount   = refusal{http.StatusForbidden, "account_frozen"}
	wrongType       = refusal{http.StatusUnsupportedMediaType, "unsupported_media_type"}
)

// caller is a client and the access rules that it satisfies.
type caller struct {
	name string
	*apptest.Client
	access []string // empty without a session
	frozen bool     // an admin froze the account
}

// headerVariant is a variation of the request headers, and the refusal that it causes.
type headerVariant struct {
	name    string
	header  func(g caller) []string
	refusal func(o operation) refusal
}

func forbiddenIfWrite(o operation) refusal {
	if o.method == http.MethodGet {
		return admitted
	}
	return forbidden
}

// forbiddenIfWriteOrAdmin expects that another site's links can't call what only admins can: reading
// may leave a line in the admin log.
func forbiddenIfWriteOrAdmin(o operation) refusal {
	if o.access == "admin" {
		return forbidden
	}
	return forbiddenIfWrite(o)
}

func wrongWalletIfSession(o operation) refusal {
	if o.access == "" {
		return admitted
	}
	return wrongWallet
}

func wrongTypeIfBody(o operation) refusal {
	if o.body == nil {
		return admitted
	}
	return wrongType
}

func fixedHeader(header ...string) func(caller) []string {
	return func(caller) []string { return header }
}

func noRefusal(operation) refusal { return admitted }

var headerVariants = []headerVariant{
	{"no variation", fixedHeader(), noRefusal},
	{"the wallet", func(c caller) []string { return []string{"Authorization", "Wallet " + c.Address} }, noRefusal},
	{"another's wallet", fixedHeader("Authorization", "Wallet 11111111111111111111111111111111"), wrongWalletIfSession},
	{"no wallet", fixedHeader("Authorization", "Bearer admin"), wrongWalletIfSession},
	{"a foreign origin", fixedHeader("Origin", "https://elsewhere.example"), forbiddenIfWrite},
	{"no origin", fixedHeader("Origin", "null"), forbiddenIfWrite},
	{"a foreign site", fixedHeader("Sec-Fetch-Site", "cross-site"), forbiddenIfWriteOrAdmin},
	{"a subdomain", fixedHeader("Sec-Fetch-Site", "same-site"), forbiddenIfWrite},
	{"a form", fixedHeader("Content-Type", "application/x-www-form-urlencoded"), wrongTypeIfBody},
	{"plain text", fixedHeader("Content-Type", "text/plain"), wrongTypeIfBody},
}

// openToFrozen lists the calls other than reads that frozen users may make.
var openToFrozen = []string{"challenge-account", "export-account", "cancel-deletion", "set-limits", "take-time-out", "exclude-self"}

// expectedRefusal returns the result that follows from an operation's declared access. The first
// check that refuses decides.
func expectedRefusal(o operation, c caller, variant headerVariant) refusal {
	byHeaders := variant.refusal(o)
	switch {
	case byHeaders == forbidden:
		return forbidden // another site sent the request in the caller's name
	case o.access == "":
	case len(c.access) == 0:
		return unauthenticated
	case byHeaders == wrongWallet:
		return wrongWallet
	case !slices.Contains(c.access, o.access):
		return forbidden
	case c.frozen && o.method != http.MethodGet && !slices.Contains(openToFrozen, o.id):
		return frozenAccount
	}
	return byHeaders
}

// matches reports whether a response is as expected. A call with access may still fail for its
// content, but not for its caller or headers.
func (r refusal) matches(a apptest.Answer) bool {
	var refusal struct{ Code string }
	_ = a.Read(&refusal)
	if r != admitted {
		return a.Status == r.status && refusal.Code == r.code
	}
	if slices.Contains([]string{"bad_signature", "no_cookie", "checkout_disabled"}, refusal.Code) {
		return true // the samples have no valid signature or challenge, and card checkout is disabled
	}
	return a.Status < 500 && !slices.Contains([]int{400, 401, 403, 415, 422}, a.Status)
}

// accessTest is a server with callers of each kind. The owner has pulled entries.
type accessTest struct {
	*apptest.Server
	owner, other, admin caller
	entries             []string
	openID              string
}

func newAccessTest(t *testing.T, s *apptest.Server) *accessTest {
	t.Helper()
	user := []string{"session"}
	h := &accessTest{
		Server: s, owner: caller{"the owner", s.SignIn(t), user, false}, other: caller{"another user", s.SignIn(t), user, false},
		admin: caller{"an admin", s.Admin(t), []string{"session", "admin"}, false},
	}
	h.owner.Deposit(t, 100)
	h.other.Deposit(t, 100)
	var pulled struct {
		OpenID string
		Items  []struct{ InventoryID string }
	}
	h.owner.Post(t, "/api/packs/demo-pack-1/open", payload{"clientSeed": "seed"}).Want(t, http.StatusOK, &pulled)
	for _, item := range pulled.Items {
		h.entries = append(h.entries, item.InventoryID)
	}
	h.openID = pulled.OpenID
	return h
}

// frozenUser returns a user whose account an admin has frozen.
func (h *accessTest) frozenUser(t *testing.T) caller {
	t.Helper()
	c := caller{"a frozen user", h.SignIn(t), []string{"session"}, true}
	id := apptest.Get[struct{ ID string }](t, c.Client, "/api/auth/user").ID
	h.admin.Post(t, "/api/admin/users/"+id+"/freeze", payload{"reason": "A stolen card."}).Want(t, http.StatusOK, nil)
	return c
}

// path returns an operation's path for public objects or the owner's.
func (h *accessTest) path(o operation) string {
	return o.fillPath(func(name string) string {
		switch {
		case strings.HasPrefix(o.path, "/api/opens/"), strings.HasPrefix(o.path, "/api/fairness/opens/"), strings.HasPrefix(o.path, "/api/pulls/"):
			return h.openID
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
	return sampleBodies(entry)[o.path]
}

// accessCase is a call with a header variant, and its expected result.
type accessCase struct {
	caller
	headerVariant
	want refusal
}

func (h *accessTest) try(t *testing.T, o operation, a accessCase) {
	t.Helper()
	answer := a.Call(t, o.method, h.path(o), body(o, h.entries[0]), a.header(a.caller)...)
	if !a.want.matches(answer) {
		t.Errorf("%s %s as %s with %s: %d %s, want %v", o.method, o.path, a.caller.name, a.headerVariant.name, answer.Status, answer.Body, a.want)
	}
	if o.id == "logout" && a.access != nil {
		a.SignIn(t)
	}
}

func blockingLast(o operation) int {
	if o.blocksCaller() {
		return 1
	}
	return 0
}

// Every call with every caller and every header variation is admitted or refused as its access rule
// says. Refused calls write nothing.
func TestAccessRuleMatrix(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		h := newAccessTest(t, s)
		callers := []caller{{"an anonymous client", s.NewClient(t), nil, false}, h.frozenUser(t), h.other, h.admin, h.owner}
		variants := headerVariants
		if s.Config.DatabaseURL != "" {
			variants = headerVariants[:1] // headers are checked before the database is used
		}
		all := operations(t, h.owner.Client)
		slices.SortStableFunc(all, func(a, b operation) int { return blockingLast(a) - blockingLast(b) })
		for _, o := range all {
			var admittedCases []accessCase
			before := rowCounts(t, s)
			for _, c := range callers {
				for _, variant := range variants {
					if a := (accessCase{c, variant, expectedRefusal(o, c, variant)}); a.want == admitted {
						admittedCases = append(admittedCases, a)
					} else {
						h.try(t, o, a)
					}
				}
			}
			if after := rowCounts(t, s); !maps.Equal(after, before) {
				t.Errorf("%s %s: refused calls changed the row counts to %v, before %v", o.method, o.path, after, before)
			}
			for _, a := range admittedCases {
				h.try(t, o, a)
			}
		}
		s.Audit(t)
	})
}

// No call finds or changes another user's entry or open.
func TestUsersCannotReachOthersObjects(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		h := newAccessTest(t, s)
		h.owner.Post(t, "/api/marketplace/list", payload{"inventoryId": h.entries[1], "priceCents": 100, "confirmedCents": 100}).Want(t, http.StatusOK, nil)
		h.owner.Post(t, "/api/inventory/vault", payload{"inventoryId": h.entries[2]}).Want(t, http.StatusOK, nil)
		before, tried := rowCounts(t, s), 0
		for _, o := range operations(t, h.owner.Client) {
			for kind, entry := range map[string]string{"held": h.entries[0], "listed": h.entries[1], "vaulted": h.entries[2]} {
				if !o.isOwnersOnly() || o.id == "buy" && kind == "listed" {
					continue
				}
				tried++
				for _, c := range []caller{h.other, h.admin} {
					a := c.Call(t, o.method, h.path(o), body(o, entry))
					if a.Status != http.StatusNotFound && a.Status != http.StatusConflict {
						t.Errorf("%s %s as %s about a %s entry: %d %s", o.method, o.path, c.name, kind, a.Status, a.Body)
					}
				}
			}
		}
		if after := rowCounts(t, s); tried == 0 || !maps.Equal(after, before) {
			t.Errorf("%d calls changed the row counts to %v, before %v", tried, after, before)
		}
		s.Audit(t)
	})
}

// isOwnersOnly reports whether an operation is about a user's own object: a session's call that
// names an entry, or anything but a pack in its path.
func (o operation) isOwnersOnly() bool {
	if o.body != nil && o.resolve(*o.body).Properties["inventoryId"].OneOf != nil {
		return true
	}
	return o.access == "session" && strings.Contains(o.path, "{") && !strings.HasPrefix(o.path, "/api/packs/")
}

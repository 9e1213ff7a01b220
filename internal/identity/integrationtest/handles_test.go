package integrationtest_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/identity"
)

type showing struct {
	ID, FirstName, Handle, HandleChangeableAt, Language string
	HandleAllowed, Public, PagesHidden                  bool
	Showcase                                            []string
}

func profileOf(t testing.TB, c *apptest.Client) showing {
	t.Helper()
	return apptest.Get[showing](t, c, "/api/auth/user")
}

func patch(t testing.TB, c *apptest.Client, change apptest.Body) apptest.Answer {
	t.Helper()
	return c.Call(t, http.MethodPatch, "/api/auth/user", change)
}

func setHandle(t testing.TB, c *apptest.Client, handle any) apptest.Answer {
	t.Helper()
	return patch(t, c, apptest.Body{"handle": handle})
}

// newCollector signs a user in who has opened a pack.
func newCollector(t testing.TB, s *apptest.Server) *apptest.Client {
	t.Helper()
	c := s.SignIn(t)
	c.Deposit(t, 50)
	c.Post(t, "/api/packs/demo-pack-1/open", apptest.Body{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
	return c
}

// Taking a handle needs an open or a top-up. Points from an admin or the sandbox's faucet aren't one.
func TestHandlesNeedAPurchase(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, ben := s.SignIn(t), newCollector(t, s)
		ann.Deposit(t, 50)
		if profileOf(t, ann).HandleAllowed || !profileOf(t, ben).HandleAllowed {
			t.Error("the profiles say who may take a handle wrongly")
		}
		setHandle(t, ann, "mei-lin").Refused(t, http.StatusForbidden, "handle_not_allowed")
		var deposit struct{ DepositID string }
		ann.Post(t, "/api/wallet/deposits", apptest.Body{"amountCents": 500}).Want(t, http.StatusOK, &deposit)
		setHandle(t, ann, "mei-lin").Refused(t, http.StatusForbidden, "handle_not_allowed")
		if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
			return tx.ExecOne(`UPDATE deposits SET state = 'credited' WHERE id = $1`, deposit.DepositID)
		}); err != nil {
			t.Fatal(err)
		}
		setHandle(t, ann, "mei-lin").Want(t, http.StatusOK, nil)
	})
}

// A user can change the handle once every 30 days. The old one stays reserved for them for 180 days.
func TestHandlesChangeEvery30Days(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		const day = 24 * time.Hour
		ann, ben := newCollector(t, s), newCollector(t, s)
		advance := func(by time.Duration) {
			clock.Advance(by)
			ann.SignIn(t)
			ben.SignIn(t)
		}
		for _, wrong := range []string{"Mei", "a", "-mei", "mei--lin", "admin", "user12", "my-opens", "market"} {
			if r := setHandle(t, ann, wrong).Refused(t, http.StatusUnprocessableEntity, "invalid"); r.Fields["handle"] == "" {
				t.Errorf("%q is refused with %+v", wrong, r)
			}
		}
		if p := profileOf(t, ann); p.Handle != "" || p.HandleChangeableAt != "" || p.Public || len(p.Showcase) != 0 {
			t.Errorf("a new profile is %+v", p)
		}
		setHandle(t, ann, "mei-lin").Want(t, http.StatusOK, nil)
		changeable := clock.Now().Add(30 * day)
		if p := profileOf(t, ann); p.Handle != "mei-lin" || p.HandleChangeableAt == "" {
			t.Errorf("the profile with a handle is %+v", p)
		}
		setHandle(t, ann, "mei-lin").Want(t, http.StatusOK, nil)
		for _, twin := range []string{"mei-lin", "meilin", "rneil1n"} {
			setHandle(t, ben, twin).Refused(t, http.StatusConflict, "handle_taken")
		}
		wantTooSoon := func(handle string) {
			t.Helper()
			var details struct{ ChangeableAt time.Time }
			r := setHandle(t, ann, handle).Refused(t, http.StatusConflict, "handle_too_soon")
			if err := json.Unmarshal(r.Details, &details); err != nil || details.ChangeableAt.Sub(changeable).Abs() > time.Second {
				t.Errorf("%q is refused with %+v, want %s", handle, r, changeable)
			}
		}
		wantTooSoon("annabel")
		wantTooSoon("meilin")
		// Giving it up and taking one is a change, too, even if it is the same one.
		setHandle(t, ann, nil).Want(t, http.StatusOK, nil)
		wantTooSoon("annabel")
		wantTooSoon("mei-lin")
		setHandle(t, ben, "mei-lin").Refused(t, http.StatusConflict, "handle_taken")
		s.Audit(t)
		advance(30*day - time.Second)
		wantTooSoon("mei-lin")
		advance(time.Second)
		setHandle(t, ann, "mei-lin").Want(t, http.StatusOK, nil)
		advance(30 * day)
		setHandle(t, ann, "mei1in").Want(t, http.StatusOK, nil) // which looks the same
		advance(30 * day)
		setHandle(t, ann, "annabel").Want(t, http.StatusOK, nil)
		s.Audit(t)
		setHandle(t, ben, "mei-lin").Refused(t, http.StatusConflict, "handle_taken")
		advance(180*day - time.Second)
		setHandle(t, ben, "mei-lin").Refused(t, http.StatusConflict, "handle_taken")
		advance(time.Second)
		setHandle(t, ben, "mei-lin").Want(t, http.StatusOK, nil)
		setHandle(t, ann, "").Want(t, http.StatusOK, nil)
		setHandle(t, ann, "mei-lin").Refused(t, http.StatusConflict, "handle_taken")
		s.Audit(t)
		if n := reservations(t, s); n != 1 {
			t.Errorf("%d handles are reserved, want annabel", n)
		}
		clock.Advance(180 * day)
		for _, job := range identity.New(identity.Options{DB: s.DB}).Jobs() {
			if _, err := job.Do(t.Context()); err != nil {
				t.Errorf("%s: %v", job.Name, err)
			}
		}
		if n := reservations(t, s); n != 0 {
			t.Errorf("%d handles are reserved after all ended", n)
		}
	})
}

func reservations(t *testing.T, s *apptest.Server) (n int64) {
	t.Helper()
	if err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
		n, err = db.One(tx, db.Column[int64], `SELECT COUNT(*) FROM handle_reservations`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return n
}

// A profile is public only with a handle. Giving the handle up switches it off, and so does the user,
// even if an admin locked the profile.
func TestPublicNeedsAHandle(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, admin := newCollector(t, s), s.Admin(t)
		id := profileOf(t, ann).ID
		if r := patch(t, ann, apptest.Body{"public": true}).Refused(t, http.StatusUnprocessableEntity, "invalid"); r.Fields["public"] == "" {
			t.Errorf("refused with %+v", r)
		}
		var p showing
		patch(t, ann, apptest.Body{"handle": "mei-lin", "public": true}).Want(t, http.StatusOK, &p)
		if !p.Public || p.Language != "en" || p.Handle != "mei-lin" {
			t.Errorf("now public: %+v", p)
		}
		patch(t, ann, apptest.Body{"public": true, "language": "zh"}).Want(t, http.StatusOK, nil)
		patch(t, ann, apptest.Body{"public": true}).Want(t, http.StatusOK, &p)
		if p.Language != "zh" {
			t.Errorf("in Chinese: %+v", p)
		}
		patch(t, ann, apptest.Body{"handle": nil, "public": true}).Refused(t, http.StatusUnprocessableEntity, "invalid")
		patch(t, ann, apptest.Body{"public": true, "language": "de"}).Refused(t, http.StatusUnprocessableEntity, "invalid")
		if p := profileOf(t, ann); !p.Public || p.Handle != "mei-lin" {
			t.Errorf("after refused changes: %+v", p)
		}
		admin.Post(t, "/api/admin/users/"+id+"/profile", apptest.Body{"lock": true, "reason": "An insult."}).Want(t, http.StatusOK, nil)
		setHandle(t, ann, "annabel").Refused(t, http.StatusForbidden, "forbidden")
		patch(t, ann, apptest.Body{"public": false}).Want(t, http.StatusOK, nil)
		patch(t, ann, apptest.Body{"public": true}).Want(t, http.StatusOK, nil)
		admin.Post(t, "/api/admin/users/"+id+"/freeze", apptest.Body{"reason": "A theft."}).Want(t, http.StatusOK, nil)
		setHandle(t, ann, nil).Refused(t, http.StatusForbidden, "account_frozen")
		patch(t, ann, apptest.Body{"public": false}).Refused(t, http.StatusForbidden, "account_frozen")
		admin.Post(t, "/api/admin/users/"+id+"/unfreeze", apptest.Body{"reason": "No theft."}).Want(t, http.StatusOK, nil)
		setHandle(t, ann, "").Want(t, http.StatusOK, nil)
		if p := profileOf(t, ann); p.Public || p.Handle != "" || p.Language != "" {
			t.Errorf("given up: %+v", p)
		}
		s.Audit(t)
	})
}

// Nobody can use another user's handle as a name.
func TestNamesAreNotHandles(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, ben := newCollector(t, s), newCollector(t, s)
		name := func(c *apptest.Client, name string) apptest.Answer {
			return patch(t, c, apptest.Body{"firstName": name})
		}
		name(ben, "Mei Lin").Want(t, http.StatusOK, nil)
		setHandle(t, ann, "mei-lin").Want(t, http.StatusOK, nil)
		name(ben, "Mei Lin").Want(t, http.StatusOK, nil) // as it was before
		for _, twin := range []string{"MeiLin", "mei-l1n", "Méi Lîn", "@mei-lin", "МЕI LIN"} {
			if r := name(ben, twin).Refused(t, http.StatusUnprocessableEntity, "invalid"); !strings.Contains(r.Fields["firstName"], "another user's handle") {
				t.Errorf("%q is refused with %+v", twin, r)
			}
		}
		name(ann, "Mei Lin").Want(t, http.StatusOK, nil)
		name(ben, "Mei Lina").Want(t, http.StatusOK, nil)
		setHandle(t, ann, nil).Want(t, http.StatusOK, nil)
		name(ben, "MeiLin").Want(t, http.StatusOK, nil)
	})
}

// Nobody can take the handles of deleted users, not even with the same wallet.
func TestHandlesOfDeletedUsersStayReserved(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		const day = 24 * time.Hour
		ann, ben := newCollector(t, s), newCollector(t, s)
		for _, handle := range []string{"expired", "mei-lin", "annabel"} {
			setHandle(t, ann, handle).Want(t, http.StatusOK, nil)
			clock.Advance(100 * day)
			ann.SignIn(t)
		}
		ann.Get(t, ann.RequestExport(t)).Want(t, http.StatusOK, nil)
		s.DeleteUser(t, ann)
		s.Audit(t)
		clock.Advance(2000 * day)
		ann.SignIn(t)
		ann.Deposit(t, 50)
		ann.Post(t, "/api/packs/demo-pack-1/open", apptest.Body{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
		ben.SignIn(t)
		for _, handle := range []string{"mei-lin", "annabel", "annabe1"} {
			setHandle(t, ann, handle).Refused(t, http.StatusConflict, "handle_taken")
			setHandle(t, ben, handle).Refused(t, http.StatusConflict, "handle_taken")
		}
		setHandle(t, ben, "expired").Want(t, http.StatusOK, nil)
		patch(t, ben, apptest.Body{"firstName": "Annabel"}).Want(t, http.StatusOK, nil)
		s.Audit(t)
	})
}

// Several users take handles that look alike at once: one of them gets it. Meanwhile others take it
// as their name; afterwards nobody can.
func TestHandleRaces(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		twins := []string{"mei-lin", "meilin", "rnei-l1n", "m-e-i-l-i-n"}
		var users, others []*apptest.Client
		for range twins {
			users, others = append(users, newCollector(t, s)), append(others, s.SignIn(t))
		}
		statuses, named := make([]int, len(users)), make([]int, len(users))
		var all sync.WaitGroup
		for n, c := range users {
			all.Go(func() { statuses[n] = setHandle(t, c, twins[n]).Status })
			all.Go(func() { named[n] = patch(t, others[n], apptest.Body{"firstName": "Mei Lin"}).Status })
		}
		all.Wait()
		slices.Sort(statuses)
		if !slices.Equal(statuses, []int{200, 409, 409, 409}) {
			t.Errorf("the handles were answered with %v", statuses)
		}
		for n, status := range named {
			if status != http.StatusOK && status != http.StatusUnprocessableEntity {
				t.Errorf("a name was answered with %d", status)
			}
			patch(t, others[n], apptest.Body{"firstName": "MeiLin"}).Refused(t, http.StatusUnprocessableEntity, "invalid")
		}
		s.Audit(t)
	})
}

// A user gives a handle up, is deleted or loses it to an admin, while another one wants it: it never
// gets free in between.
func TestHandlesAreNeverFreeInBetween(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := s.Admin(t)
		ben := newCollector(t, s)
		for handle, lose := range map[string]func(c *apptest.Client, id string){
			"given-up": func(c *apptest.Client, _ string) { setHandle(t, c, nil).Want(t, http.StatusOK, nil) },
			"removed": func(_ *apptest.Client, id string) {
				admin.Post(t, "/api/admin/users/"+id+"/profile", apptest.Body{"removeHandle": true, "lock": false, "reason": "An insult."}).Want(t, http.StatusOK, nil)
			},
			"erased": func(c *apptest.Client, _ string) { s.DeleteUser(t, c) },
		} {
			ann := newCollector(t, s)
			setHandle(t, ann, handle).Want(t, http.StatusOK, nil)
			id := profileOf(t, ann).ID
			ctx, stop := context.WithCancel(t.Context())
			var all sync.WaitGroup
			for range 2 {
				all.Go(func() {
					for ctx.Err() == nil {
						if status := setHandle(t, ben, handle).Status; status != http.StatusConflict {
							t.Errorf("taking %s is answered with %d", handle, status)
						}
					}
				})
			}
			lose(ann, id)
			stop()
			all.Wait()
			setHandle(t, ben, handle).Refused(t, http.StatusConflict, "handle_taken")
		}
		s.Audit(t)
	})
}

package admin_test

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"kaibao/internal/admin"
	"kaibao/internal/app/apptest"
	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/identity"
)

type user struct {
	ID, WalletAddress, FirstName, Role string
	BalanceCents, Sessions             int64
}

func TestFindPromoteAndSignOutUsers(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin, second, ann, ben := s.Admin(t), s.Admin(t), s.SignIn(t), s.SignIn(t)
		ann.Call(t, http.MethodPatch, "/api/auth/user", apptest.Body{"firstName": "Ann_%"}).Want(t, http.StatusOK, nil)
		ann.Deposit(t, 55)
		ann.Post(t, "/api/packs/demo-pack-1/open", apptest.Body{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
		ann.Call(t, http.MethodPatch, "/api/auth/user", apptest.Body{"handle": "mei-lin"}).Want(t, http.StatusOK, nil)
		find := func(query string) []user { return apptest.Get[[]user](t, admin, "/api/admin/users"+query) }
		// Addresses never have an underscore.
		for query, want := range map[string]int{
			"": 4, "?role=admin": 2, "?role=user": 2, "?search=" + ben.Address[:8]: 1, "?search=nn_%25": 1, "?search=%25": 1, "?search=NN_": 1, "?search=ann": 1, "?search=nobody": 0,
			"?search=mei-": 1, "?search=%40Mei-Lin": 1, "?search=https://kaibao.example/u/mei-lin": 1, "?search=meilin": 0,
		} {
			if got := find(query); len(got) != want {
				t.Errorf("%q finds %+v, want %d", query, got, want)
			}
		}
		id := find("?search=" + ben.Address)[0].ID
		if got := find("?search=" + id); len(got) != 1 || got[0].WalletAddress != ben.Address {
			t.Errorf("the id %s finds %+v, want %s", id, got, ben.Address)
		}
		file := admin.Get(t, "/api/admin/users?format=csv&search=ann_")
		if file.Status != http.StatusOK {
			t.Fatalf("the file: %d", file.Status)
		}
		if rows := strings.Split(string(file.Body), "\n"); len(rows) != 3 || !strings.Contains(rows[1], ann.Address+",Ann_%,mei-lin,user,30.00,1") {
			t.Errorf("the file is %q", rows)
		}
		found := find("?search=ann_")[0]
		if found.BalanceCents != 3000 || found.Sessions != 1 || found.WalletAddress != ann.Address || found.Role != "user" {
			t.Errorf("Ann is shown as %+v", found)
		}
		path := "/api/admin/users/" + found.ID
		ben.Post(t, path+"/role", apptest.Body{"role": "admin", "reason": "me"}).Refused(t, http.StatusForbidden, "forbidden")
		admin.Post(t, path+"/role", apptest.Body{"role": "admin", "reason": " "}).Refused(t, http.StatusUnprocessableEntity, "invalid")
		admin.Post(t, "/api/admin/users/nobody/role", apptest.Body{"role": "admin", "reason": "who"}).Refused(t, http.StatusNotFound, "not_found")
		var now user
		makeAdmin(t, admin, second, found)
		own := find("?search=" + admin.Address)[0]
		admin.Post(t, "/api/admin/users/"+own.ID+"/role", apptest.Body{"role": "user", "reason": "mistake"}).Refused(t, http.StatusConflict, "conflict")
		ann.Post(t, "/api/admin/users/"+own.ID+"/role", apptest.Body{"role": "user", "reason": "left"}).Want(t, http.StatusOK, nil)
		// The existing session has lost the role.
		admin.Get(t, "/api/admin/users").Refused(t, http.StatusForbidden, "forbidden")
		ann.Post(t, path+"/sign-out", apptest.Body{"reason": "lost a phone"}).Want(t, http.StatusOK, &now)
		if now.Sessions != 0 {
			t.Errorf("Ann has %d sessions", now.Sessions)
		}
		ann.Get(t, "/api/wallet").Refused(t, http.StatusUnauthorized, "unauthenticated")
		s.Audit(t)
	})
}

// Two admins who demote each other concurrently don't both succeed.
func TestLastAdminKeepsTheRole(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for range 10 {
			admins := []*apptest.Client{s.Admin(t), s.Admin(t)}
			ids := make([]string, len(admins))
			for i, c := range admins {
				ids[i] = apptest.Get[[]user](t, c, "/api/admin/users?search="+c.Address)[0].ID
			}
			statuses := make([]int, len(admins))
			var all sync.WaitGroup
			for i, c := range admins {
				all.Go(func() {
					statuses[i] = c.Post(t, "/api/admin/users/"+ids[1-i]+"/role", apptest.Body{"role": "user", "reason": "left"}).Status
				})
			}
			all.Wait()
			var left []string
			err := s.DB.InTx(t.Context(), func(tx *db.Tx) (err error) {
				left, err = identity.LockAdmins(tx)
				return err
			})
			if err != nil || len(left) != 1 {
				t.Fatalf("%v answered, %d admins are left: %v", statuses, len(left), err)
			}
			last := admins[slices.Index(ids, left[0])]
			err = s.DB.InTx(t.Context(), func(tx *db.Tx) error {
				return admin.SetRoleByCommand(tx, last.Address, "user", "kaibao admin revoke")
			})
			if apperr.As(err).Code != apperr.Conflict {
				t.Errorf("the last admin was revoked: %v", err)
			}
			// Start the next round without admins.
			err = s.DB.InTx(t.Context(), func(tx *db.Tx) error { return identity.SetRole(tx, last.Address, "user") })
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}

// One admin can't create another, who could approve any request.
func TestPromotionNeedsASecondAdmin(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin, second, ann := s.Admin(t), s.Admin(t), s.SignIn(t)
		found := apptest.Get[[]user](t, admin, "/api/admin/users?search="+ann.Address)[0]
		path := "/api/admin/users/" + found.ID + "/role"
		var asked struct {
			user
			Approval struct{ ID, Kind, Subject string }
		}
		admin.Post(t, path, apptest.Body{"role": "admin", "reason": "joined us"}).Want(t, http.StatusOK, &asked)
		if asked.Role != "user" || asked.Approval.Kind != "promote" || asked.Approval.Subject != "user "+found.ID {
			t.Errorf("got the request %+v", asked)
		}
		admin.Post(t, path, apptest.Body{"role": "admin", "reason": "again"}).Refused(t, http.StatusConflict, "request_waiting")
		approve := apptest.Body{"decision": "approve", "reason": "I know them."}
		for _, c := range []*apptest.Client{ann, admin} {
			c.Post(t, "/api/admin/approvals/"+asked.Approval.ID, approve).Refused(t, http.StatusForbidden, "forbidden")
		}
		ann.Get(t, "/api/admin/users").Refused(t, http.StatusForbidden, "forbidden")
		second.Post(t, "/api/admin/approvals/"+asked.Approval.ID, approve).Want(t, http.StatusOK, nil)
		ann.Get(t, "/api/admin/users").Want(t, http.StatusOK, nil)
		var again user
		admin.Post(t, path, apptest.Body{"role": "admin", "reason": "is one"}).Want(t, http.StatusOK, &again)
		if again.Role != "admin" {
			t.Errorf("promoting an admin again returned %+v", again)
		}
		steps := apptest.Get[[]struct{ Act, WalletAddress, Reason string }](t, admin, "/api/admin/audit?act=set-role&subject=user+"+ann.Address)
		if len(steps) != 3 || steps[1].WalletAddress != admin.Address || steps[1].Reason != "joined us" {
			t.Errorf("the admin log has %+v", steps)
		}
		s.Audit(t)
	})
}

// makeAdmin has one admin request a promotion and another approve it.
func makeAdmin(t *testing.T, asks, approves *apptest.Client, who user) {
	t.Helper()
	var asked struct{ Approval struct{ ID string } }
	asks.Post(t, "/api/admin/users/"+who.ID+"/role", apptest.Body{"role": "admin", "reason": "joined us"}).Want(t, http.StatusOK, &asked)
	approves.Post(t, "/api/admin/approvals/"+asked.Approval.ID, apptest.Body{"decision": "approve", "reason": "I know them."}).Want(t, http.StatusOK, nil)
}

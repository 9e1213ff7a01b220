package moderation_test

import (
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/ledger"
	"kaibao/internal/moderation"
)

type body = apptest.Body

// collector is a user with points and entries.
type collector struct {
	*apptest.Client
	id      string
	entries []string
}

// newCollector signs a user in who has opened a pack of five and has 75 points left.
func newCollector(t *testing.T, s *apptest.Server) *collector {
	t.Helper()
	c := &collector{Client: s.SignIn(t)}
	c.id = apptest.Get[struct{ ID string }](t, c.Client, "/api/auth/user").ID
	c.Deposit(t, 100)
	var opened struct {
		Items []struct{ InventoryID string }
	}
	c.Post(t, "/api/packs/demo-pack-1/open", body{"clientSeed": "x"}).Want(t, http.StatusOK, &opened)
	for _, i := range opened.Items {
		c.entries = append(c.entries, i.InventoryID)
	}
	return c
}

func (c *collector) list(t *testing.T, entry string, cents int64) apptest.Answer {
	t.Helper()
	return c.Post(t, "/api/marketplace/list", body{"inventoryId": entry, "priceCents": cents, "confirmedCents": cents})
}

func (c *collector) bid(t *testing.T, entry string, cents int64) apptest.Answer {
	t.Helper()
	return c.Post(t, "/api/bids", body{"scope": body{"inventoryId": entry}, "priceCents": cents, "confirmedCents": cents})
}

func (c *collector) wantWallet(t *testing.T, balance, held int64) {
	t.Helper()
	w := apptest.Get[struct{ BalanceCents, HeldCents int64 }](t, c.Client, "/api/wallet")
	if w.BalanceCents != balance || w.HeldCents != held {
		t.Errorf("the balance is %d with %d held, want %d and %d", w.BalanceCents, w.HeldCents, balance, held)
	}
}

func path(c *collector, act string) string { return "/api/admin/users/" + c.id + "/" + act }

func freeze(t *testing.T, admin *apptest.Client, c *collector) {
	t.Helper()
	admin.Post(t, path(c, "freeze"), body{"reason": "A stolen card."}).Want(t, http.StatusOK, nil)
}

func unfreeze(t *testing.T, admin *apptest.Client, c *collector) {
	t.Helper()
	var answer struct{ Frozen bool }
	admin.Post(t, path(c, "unfreeze"), body{"reason": "It was a mistake."}).Want(t, http.StatusOK, &answer)
	if answer.Frozen {
		t.Error("the account is still frozen")
	}
}

// Freezing ends everything that others could fill, returns the money of bids, and lets the user read.
func TestFreezingEndsAllOffers(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin, ann, ben := s.Admin(t), newCollector(t, s), newCollector(t, s)
		ann.list(t, ann.entries[0], 900).Want(t, http.StatusOK, nil)
		var own, countered struct{ ID string }
		ann.bid(t, ben.entries[0], 500).Want(t, http.StatusOK, &own)
		ben.bid(t, ann.entries[1], 100).Want(t, http.StatusOK, &countered)
		ann.Post(t, "/api/bids/"+countered.ID+"/counter", body{"inventoryId": ann.entries[1], "priceCents": 300, "confirmedCents": 300}).Want(t, http.StatusOK, nil)
		ann.wantWallet(t, 7000, 500)

		freeze(t, admin, ann)
		ann.wantWallet(t, 7500, 0)
		bids := apptest.Get[[]struct{ ID, State string }](t, ann.Client, "/api/bids")
		if len(bids) != 1 || bids[0].State != "frozen" {
			t.Errorf("the frozen user's bids are %+v", bids)
		}
		profile := apptest.Get[struct {
			Frozen *struct{ Reason, Since string }
		}](t, ann.Client, "/api/auth/user")
		if profile.Frozen == nil || profile.Frozen.Reason != "A stolen card." || profile.Frozen.Since == "" {
			t.Errorf("the user sees %+v", profile.Frozen)
		}
		ben.Post(t, "/api/marketplace/buy", body{"inventoryId": ann.entries[0]}).Refused(t, http.StatusConflict, "not_listed")
		ben.Post(t, "/api/bids/"+own.ID+"/accept", body{"inventoryId": ben.entries[0], "expectedPriceCents": 500, "confirmedCents": 500}).Refused(t, http.StatusConflict, "bid_ended")
		ben.Post(t, "/api/bids/"+countered.ID+"/accept-counter", body{"expectedPriceCents": 300}).Refused(t, http.StatusNotFound, "not_found")
		ann.list(t, ann.entries[2], 900).Refused(t, http.StatusForbidden, "account_frozen")
		s.Audit(t)

		admin.Post(t, path(ann, "freeze"), body{"reason": "Again."}).Refused(t, http.StatusConflict, "conflict")
		unfreeze(t, admin, ann)
		admin.Post(t, path(ann, "unfreeze"), body{"reason": "Again."}).Refused(t, http.StatusConflict, "conflict")
		ann.list(t, ann.entries[2], 900).Want(t, http.StatusOK, nil)
		ann.SignIn(t) // a new session works as well
		s.Audit(t)
		s.VerifyLog(t)
	})
}

// Whatever a user and their trading partners do while the account is being frozen, afterwards it has
// no offers, and the books hold.
func TestFreezingRacesWithTrades(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := s.Admin(t)
		for range 8 {
			ann, ben := newCollector(t, s), newCollector(t, s)
			ann.list(t, ann.entries[0], 900).Want(t, http.StatusOK, nil)
			var all sync.WaitGroup
			for _, do := range []func(){
				func() { freeze(t, admin, ann) },
				func() { ann.list(t, ann.entries[1], 800) },
				func() { ann.bid(t, ben.entries[0], 300) },
				func() { ben.Post(t, "/api/marketplace/buy", body{"inventoryId": ann.entries[0]}) },
				func() { ben.bid(t, ann.entries[2], 100) },
				func() { ann.Post(t, "/api/packs/demo-pack-1/open", body{"clientSeed": "y"}) },
				func() { ann.Post(t, "/api/inventory/sell-back", body{"inventoryIds": ann.entries[3:4]}) },
			} {
				all.Go(do)
			}
			all.Wait()
			if open := apptest.Get[[]struct{ ID string }](t, ann.Client, "/api/bids?state=open"); len(open) != 0 {
				t.Errorf("the frozen account has the open bids %+v", open)
			}
			s.Audit(t)
		}
	})
}

// An act that was admitted before the freeze is refused under the account's lock.
func TestFrozenAccountIsRefusedUnderItsLock(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, ben := newCollector(t, s), newCollector(t, s)
		ann.Vault(t, ann.entries[4])
		claim := ann.Sign(t, apptest.Home, ann.entries[4])
		ann.bid(t, ben.entries[0], 300).Want(t, http.StatusOK, nil)
		var fill struct{ ID string }
		ben.bid(t, ann.entries[1], 100).Want(t, http.StatusOK, &fill)
		// Only the account is frozen, so that each act passes the check of its session.
		if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE accounts SET frozen_at = 1 WHERE user_id = $1`, ann.id)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		for name, answer := range map[string]apptest.Answer{
			"open":       ann.Post(t, "/api/packs/demo-pack-1/open", body{"clientSeed": "y"}),
			"list":       ann.list(t, ann.entries[0], 900),
			"bid":        ann.bid(t, ben.entries[1], 300),
			"accept":     ann.Post(t, "/api/bids/"+fill.ID+"/accept", body{"inventoryId": ann.entries[1], "expectedPriceCents": 100, "confirmedCents": 100}),
			"counter":    ann.Post(t, "/api/bids/"+fill.ID+"/counter", body{"inventoryId": ann.entries[1], "priceCents": 300, "confirmedCents": 300}),
			"sell back":  ann.Post(t, "/api/inventory/sell-back", body{"inventoryIds": ann.entries[2:3]}),
			"quick sell": ann.Post(t, "/api/inventory/quick-sell", body{"inventoryIds": ann.entries[3:4], "minPayoutCents": 1}),
			"claim":      ann.Post(t, "/api/redemptions", claim),
			"deposit":    ann.Post(t, "/api/wallet/deposit/manual", body{"amount": 5}),
			"top up":     ann.Post(t, "/api/wallet/deposits", body{"amountCents": 500}),
			"profile":    ann.Call(t, http.MethodPatch, "/api/auth/user", body{"firstName": "Ann"}),
		} {
			var refusal struct{ Code string }
			if err := answer.Read(&refusal); err != nil || refusal.Code != "account_frozen" {
				t.Errorf("%s: %d %s, want account_frozen", name, answer.Status, answer.Body)
			}
		}
	})
}

// The time in which an account is frozen doesn't count against the price floors of its pulls.
func TestFloorsLastLongerByTheTimeFrozen(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		admin, ann := s.Admin(t), newCollector(t, s)
		floorEnd := func() time.Time {
			e := apptest.Get[struct{ SellBackUntil *time.Time }](t, ann.Client, "/api/inventory/"+ann.entries[0])
			if e.SellBackUntil == nil {
				t.Fatal("the entry has no floor")
			}
			return *e.SellBackUntil
		}
		floorsAdd := func() int64 {
			clock.Advance(time.Minute) // the books change once a minute
			return apptest.Get[struct{ Exposure struct{ ByFloorCents int64 } }](t, s.NewClient(t), "/api/books").Exposure.ByFloorCents
		}
		entry := apptest.Get[struct{ Item struct{ ID string } }](t, ann.Client, "/api/inventory/"+ann.entries[0])
		s.SetValue(t, admin, entry.Item.ID, 100)
		if floorsAdd() == 0 {
			t.Fatal("the floor isn't in the exposure")
		}
		before := floorEnd()
		clock.Advance(time.Hour)
		freeze(t, admin, ann)
		clock.Advance(25 * time.Hour)
		unfreeze(t, s.Admin(t), ann)
		ann.SignIn(t)
		if got := floorEnd(); !got.Equal(before.Add(25 * time.Hour)) {
			t.Errorf("the floor ends at %s, want 25 h later than %s", got, before)
		}
		if floorsAdd() == 0 {
			t.Error("the extended floor isn't in the exposure")
		}
		events := apptest.Get[struct{ Events []struct{ Kind string } }](t, ann.Client, "/api/inventory/"+ann.entries[0]).Events
		if len(events) != 1 || events[0].Kind != "pulled" {
			t.Errorf("the public history shows %+v", events)
		}
		ann.Post(t, "/api/inventory/sell-back", body{"inventoryIds": ann.entries[:1]}).Want(t, http.StatusOK, nil)
		s.Audit(t)
	})
}

// A claim that isn't packed waits until its owner is unfrozen; a packed one goes on.
func TestClaimsOfFrozenAccounts(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin, ann := s.Admin(t), newCollector(t, s)
		ann.Vault(t, ann.entries[:2]...)
		packed, waiting := ann.Claim(t, ann.entries[0]), ann.Claim(t, ann.entries[1])
		admin.Step(t, "pack", packed).Want(t, http.StatusOK, nil)
		freeze(t, admin, ann)
		admin.Step(t, "ship", packed).Want(t, http.StatusOK, nil)
		admin.Step(t, "pack", waiting).Refused(t, http.StatusConflict, "conflict")
		ann.Post(t, "/api/redemptions/"+waiting+"/cancel", body{}).Refused(t, http.StatusForbidden, "account_frozen")
		unfreeze(t, admin, ann)
		admin.Step(t, "pack", waiting).Want(t, http.StatusOK, nil)
		s.Audit(t)
	})
}

func TestUnfreezingMuchNeedsASecondAdmin(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin, second, ann := s.Admin(t), s.Admin(t), newCollector(t, s)
		ann.Deposit(t, 600)
		freeze(t, admin, ann)
		var answer struct {
			Frozen   bool
			Approval *struct{ ID, Kind string }
		}
		admin.Post(t, path(ann, "unfreeze"), body{"reason": "It was a mistake."}).Want(t, http.StatusOK, &answer)
		if !answer.Frozen || answer.Approval == nil || answer.Approval.Kind != "unfreeze" {
			t.Fatalf("unfreezing 600 points returned %+v", answer)
		}
		ann.bid(t, ann.entries[0], 300).Refused(t, http.StatusForbidden, "account_frozen")
		decision := body{"decision": "approve", "reason": "I checked."}
		admin.Post(t, "/api/admin/approvals/"+answer.Approval.ID, decision).Refused(t, http.StatusForbidden, "forbidden")
		second.Post(t, "/api/admin/approvals/"+answer.Approval.ID, decision).Want(t, http.StatusOK, nil)
		ann.list(t, ann.entries[0], 900).Want(t, http.StatusOK, nil)
		s.Audit(t)
	})
}

func TestAdminsAreNotFrozen(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin, second, ann := s.Admin(t), newCollector(t, s), newCollector(t, s)
		s.Promote(t, second.Client)
		admin.Post(t, path(second, "freeze"), body{"reason": "A coup."}).Refused(t, http.StatusConflict, "conflict")
		freeze(t, admin, ann)
		var asked struct{ Approval struct{ ID string } }
		admin.Post(t, path(ann, "role"), body{"role": "admin", "reason": "A friend."}).Want(t, http.StatusOK, &asked)
		second.Post(t, "/api/admin/approvals/"+asked.Approval.ID, body{"decision": "approve", "reason": "Mine, too."}).Refused(t, http.StatusConflict, "conflict")
		ann.Post(t, path(ann, "unfreeze"), body{"reason": "Please."}).Refused(t, http.StatusForbidden, "forbidden")
		s.Audit(t)
	})
}

// An admin's removal of a name and picture lasts while the profile is locked.
func TestRemovedNamesAndPictures(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin, ann := s.Admin(t), newCollector(t, s)
		rename := func(name string) apptest.Answer {
			return ann.Call(t, http.MethodPatch, "/api/auth/user", body{"firstName": name, "profileImageUrl": "https://example.com/a.png"})
		}
		rename("Rude").Want(t, http.StatusOK, nil)
		admin.Post(t, path(ann, "profile"), body{"removeName": true, "removePicture": true, "lock": true, "reason": "An insult."}).Want(t, http.StatusOK, nil)
		profile := apptest.Get[struct{ FirstName, ProfileImageURL, ProfileLockReason string }](t, ann.Client, "/api/auth/user")
		if profile.FirstName != "" || profile.ProfileImageURL != "" || profile.ProfileLockReason != "An insult." {
			t.Errorf("the profile is %+v", profile)
		}
		rename("Rude").Refused(t, http.StatusForbidden, "forbidden")
		admin.Post(t, path(ann, "profile"), body{"lock": false, "reason": "They apologized."}).Want(t, http.StatusOK, nil)
		rename("Kind").Want(t, http.StatusOK, nil)
		logged := string(admin.Get(t, "/api/admin/audit?act=edit-user-profile").Body)
		if !strings.Contains(logged, "Rude") || !strings.Contains(logged, "An insult.") {
			t.Errorf("the admin log has %s", logged)
		}
		s.Audit(t)
	})
}

// An admin removes a handle, which nobody can take then, and hides a user's pages.
func TestRemovedHandlesAndHiddenPages(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		type profile struct {
			FirstName, Handle, ProfileLockReason string
			Public, PagesHidden                  bool
		}
		admin, ann, ben := s.Admin(t), newCollector(t, s), newCollector(t, s)
		own := func() profile { return apptest.Get[profile](t, ann.Client, "/api/auth/user") }
		edit := func(change body) (answer struct {
			Handle              string
			PagesHidden, Locked bool
		}) {
			t.Helper()
			change["reason"] = "An insult."
			admin.Post(t, path(ann, "profile"), change).Want(t, http.StatusOK, &answer)
			return answer
		}
		ann.Call(t, http.MethodPatch, "/api/auth/user", body{"firstName": "Ann", "handle": "mei-lin", "public": true}).Want(t, http.StatusOK, nil)
		admin.Post(t, "/api/admin/users/"+apptest.Get[struct{ ID string }](t, admin, "/api/auth/user").ID+"/profile", body{"pagesHidden": false, "reason": "My own."}).Refused(t, http.StatusForbidden, "own_interest")
		if a := edit(body{"pagesHidden": true}); !a.PagesHidden || a.Handle != "mei-lin" || a.Locked {
			t.Errorf("hiding pages answers %+v", a)
		}
		if p := own(); !p.PagesHidden || !p.Public {
			t.Errorf("with hidden pages: %+v", p)
		}
		if shown := apptest.Get[struct {
			Handle              string
			Public, PagesHidden bool
		}](t, admin, "/api/admin/users/"+ann.id); shown.Handle != "mei-lin" || !shown.Public || !shown.PagesHidden {
			t.Errorf("admins see %+v", shown)
		}
		edit(body{"lock": true})
		if a := edit(body{"pagesHidden": false}); a.PagesHidden || !a.Locked {
			t.Errorf("showing pages answers %+v", a)
		}
		edit(body{"lock": false})
		if a := edit(body{"removeHandle": true}); a.Handle != "" || a.Locked {
			t.Errorf("removing the handle answers %+v", a)
		}
		if p := own(); p.Handle != "" || p.Public || p.PagesHidden || p.FirstName != "Ann" || p.ProfileLockReason != "" {
			t.Errorf("after all: %+v", p)
		}
		edit(body{"removeHandle": true}) // there is none
		ben.Call(t, http.MethodPatch, "/api/auth/user", body{"handle": "meilin"}).Refused(t, http.StatusConflict, "handle_taken")
		if logged := string(admin.Get(t, "/api/admin/audit?act=edit-user-profile").Body); strings.Count(logged, `"pagesHidden":true`) < 2 || !strings.Contains(logged, `"handle":"mei-lin"`) {
			t.Errorf("the admin log has %s", logged)
		}
		s.Audit(t)
	})
}

// An approval to unfreeze ends the freeze that it was asked for, and no later one.
func TestApprovalUnfreezesOnlyItsFreeze(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin, second, ann := s.Admin(t), s.Admin(t), newCollector(t, s)
		ann.Deposit(t, 600)
		freeze(t, admin, ann)
		var asked struct{ Approval struct{ ID string } }
		admin.Post(t, path(ann, "unfreeze"), body{"reason": "It was a mistake."}).Want(t, http.StatusOK, &asked)
		admin.Post(t, path(ann, "debit"), body{"amountCents": 400_00, "reason": "A wrong credit."}).Want(t, http.StatusOK, nil)
		unfreeze(t, second, ann)
		freeze(t, second, ann)
		second.Post(t, "/api/admin/approvals/"+asked.Approval.ID, body{"decision": "approve", "reason": "I checked."}).Refused(t, http.StatusConflict, "conflict")
		ann.list(t, ann.entries[0], 900).Refused(t, http.StatusForbidden, "account_frozen")
		s.Audit(t)
	})
}

// A frozen user can still protect themselves.
func TestFrozenUsersCanLimitThemselves(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin, ann := s.Admin(t), newCollector(t, s)
		freeze(t, admin, ann)
		ann.Call(t, http.MethodPut, "/api/limits", body{"limits": []body{{"limit": "loss-day", "cents": 100}}}).Want(t, http.StatusOK, nil)
		ann.Post(t, "/api/limits/exclusion", body{"forGood": false}).Want(t, http.StatusOK, nil)
		unfreeze(t, admin, ann)
		ann.Post(t, "/api/packs/demo-pack-1/open", body{"clientSeed": "y"}).Refused(t, http.StatusForbidden, "excluded")
		s.Audit(t)
	})
}

// A freeze delays a deletion that the user asked for, and the user can cancel it meanwhile.
func TestFreezeDelaysDeletion(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann := newCollector(t, s)
		due := func() time.Time {
			return apptest.Get[struct{ Deletion struct{ DueAt time.Time } }](t, ann.Client, "/api/account/data").Deletion.DueAt
		}
		ann.Post(t, "/api/account/delete", ann.SignAccount(t, "deletion")).Want(t, http.StatusOK, nil)
		before := due()
		freeze(t, s.Admin(t), ann)
		clock.Advance(20 * 24 * time.Hour)
		unfreeze(t, s.Admin(t), ann)
		ann.SignIn(t)
		if got := due(); !got.Equal(before.Add(20 * 24 * time.Hour)) {
			t.Errorf("the deletion is due at %s, want 20 days after %s", got, before)
		}
		freeze(t, s.Admin(t), ann)
		ann.Call(t, http.MethodDelete, "/api/account/delete", nil).Want(t, http.StatusNoContent, nil)
		s.Audit(t)
	})
}

// The audit finds points of a deleted user, however they got there.
func TestAuditFindsPointsOfDeletedUsers(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		id, undo := s.DeleteUser(t, s.SignIn(t)), errors.New("undo")
		err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := ledger.Move(tx, ledger.Transfer{Debit: ledger.Sandbox, Credit: ledger.Account(id), Amount: 5, Kind: ledger.KindGrant, Ref: tx.NewID()})
			if err != nil {
				return err
			}
			found, err := moderation.Audit(tx)
			if len(found) != 1 || found[0].Row != "account "+id || !strings.Contains(found[0].Detail, "has a balance of 5") {
				t.Errorf("the audit finds %+v", found)
			}
			return errors.Join(err, undo)
		})
		if !errors.Is(err, undo) {
			t.Fatal(err)
		}
		s.Audit(t)
	})
}

package opening_test

import (
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/audit"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/packs"
	"kaibao/internal/policy"
	"kaibao/internal/protocol"
)

// adminPack is a pack as shown to admins.
type adminPack struct {
	ID, PublishingSince string
	Announced           *struct{ ManifestHash string }
}

// packForAdmin returns a pack as shown to admins.
func packForAdmin(t *testing.T, admin *apptest.Client, id string) adminPack {
	t.Helper()
	for _, p := range apptest.Get[[]adminPack](t, admin, "/api/admin/packs") {
		if p.ID == id {
			return p
		}
	}
	t.Fatalf("there is no pack %s", id)
	return adminPack{}
}

// announced waits until a pack's publication is announced, and returns the manifest.
func announced(t *testing.T, admin *apptest.Client, id string) (manifest string) {
	t.Helper()
	var p adminPack
	apptest.Until(t, "the publication is announced", func() bool {
		p = packForAdmin(t, admin, id)
		return p.PublishingSince == ""
	})
	if p.Announced == nil {
		t.Fatalf("pack %s has no announced manifest", id)
	}
	return string(admin.Get(t, "/api/fairness/manifests/"+p.Announced.ManifestHash).Body)
}

// edit edits a pack. Its publication must wait.
func edit(t *testing.T, admin *apptest.Client, pack string, change apptest.Body) {
	t.Helper()
	var edited adminPack
	admin.Call(t, http.MethodPatch, "/api/admin/packs/"+pack, change).Want(t, http.StatusOK, &edited)
	if edited.PublishingSince == "" || edited.Announced != nil {
		t.Errorf("the edit %v returned %+v, want a publication that waits", change, edited)
	}
}

// While orders of a limited pack are pending, edits are answered at once and the pack takes no orders. The
// last edit is announced once the last order is drawn or refunded, also by another node.
func TestPublicationWaitsForPendingOrders(t *testing.T) {
	for name, end := range map[string]func(*testing.T, *apptest.Server, *dbtest.Clock, *apptest.Client) *apptest.Server{
		"refunded": func(_ *testing.T, s *apptest.Server, clock *dbtest.Clock, _ *apptest.Client) *apptest.Server {
			clock.Advance(24 * time.Hour)
			return s
		},
		"drawn by another node": func(t *testing.T, s *apptest.Server, _ *dbtest.Clock, c *apptest.Client) *apptest.Server {
			s.Stop()
			next := apptest.Start(t, s.Config)
			c.Base = next.URL
			steer(t, c, "punctual")
			return next
		},
	} {
		t.Run(name, func(t *testing.T) {
			apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
				limitToys(t, s, clock)
				c, other, admin := s.SignIn(t), s.SignIn(t), s.Admin(t)
				c.Deposit(t, 900)
				other.Deposit(t, 450)
				first, second := order(t, c, "8", "first"), order(t, c, "8", "second")
				steer(t, c, "silent")

				edit(t, admin, "8", apptest.Body{"name": "Second edition"})
				edit(t, admin, "8", apptest.Body{"name": "Third edition"})
				other.Post(t, "/api/packs/8/open", apptest.Body{"clientSeed": "x", "sealed": true}).Refused(t, http.StatusServiceUnavailable, "publishing")
				change := func(body apptest.Body) apptest.Answer {
					return admin.Call(t, http.MethodPatch, "/api/admin/packs/8", body)
				}
				change(apptest.Body{"priceCents": 40000}).Refused(t, http.StatusConflict, "margin")
				change(apptest.Body{"acceptedLossCents": policy.MaxAcceptedLoss}).Refused(t, http.StatusConflict, "conflict")
				s.Audit(t)

				s = end(t, s, clock, c)
				c.SignIn(t)
				admin.Base = s.URL
				admin.SignIn(t)
				for _, o := range []sealedResult{first, second} {
					if got := settled(t, c, o.OpenID); (got.State == "void") != (name == "refunded") {
						t.Errorf("the order is %s, want it %s", got.State, name)
					}
				}
				if manifest := announced(t, admin, "8"); !strings.Contains(manifest, "Third edition") {
					t.Errorf("the manifest is %s, want that of the last edit", manifest)
				}
				steer(t, c, "punctual")
				c.SignIn(t)
				c.Deposit(t, 450)
				if again := settled(t, c, order(t, c, "8", "third").OpenID); again.State != "open" {
					t.Errorf("an order after the announcement is %s, want open", again.State)
				}
				s.VerifyLog(t)
				s.Audit(t)
			})
		})
	}
}

// quoteValue returns an item's quote value in cents.
func quoteValue(t *testing.T, s *apptest.Server, item string) (cents int64) {
	t.Helper()
	if err := s.DB.Read(t.Context(), func(tx *db.Tx) error {
		values, err := catalogue.QuoteValues(tx, []string{item})
		cents = int64(values[item])
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return cents
}

// breachesWithoutWait returns what the audit of packs would find if no publication waited.
func breachesWithoutWait(t *testing.T, s *apptest.Server) (found []audit.Breach) {
	t.Helper()
	undo := errors.New("undo")
	if err := s.DB.InTx(t.Context(), func(tx *db.Tx) (err error) {
		if _, err := tx.Exec(`UPDATE packs SET publishing_since = NULL`); err != nil {
			return err
		}
		found, err = packs.Audit(tx)
		return cmp.Or(err, undo)
	}); !errors.Is(err, undo) {
		t.Fatal(err)
	}
	return found
}

// An item of two packs gets another value while orders of one of them are pending. The other pack is
// announced at once. A higher value counts when both are, with the notice of the later one; a lower one
// counts at once. A restock waits with the publication.
func TestValuesWaitForPublication(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		admin, c := s.Admin(t), s.SignIn(t)
		limited := sealedPack(t, admin, "sealed")
		var scarce, made struct{ ID string }
		admin.Post(t, "/api/admin/items", apptest.Body{"name": "Scarce card", "series": "Scarce", "rarity": "Common", "baseValueCents": 500}).Want(t, http.StatusOK, &scarce)
		restock := func(count int) apptest.Answer {
			return admin.Call(t, http.MethodPatch, "/api/admin/items/"+scarce.ID, apptest.Body{"restock": apptest.Body{"count": count, "packId": limited}})
		}
		admin.Call(t, http.MethodPatch, "/api/admin/packs/"+limited, apptest.Body{"series": []string{"Sealed", "Scarce"}}).Want(t, http.StatusOK, nil)
		both := apptest.Get[[]struct{ ID string }](t, admin, "/api/items?series=Sealed")[0].ID
		admin.Post(t, "/api/admin/packs", apptest.Body{"name": "Instant pack", "priceCents": 1000, "series": []string{"Sealed"},
			"lootTableJson": apptest.Body{"itemsPerPack": 1, "rarities": apptest.Body{"Common": 1}}}).Want(t, http.StatusOK, &made)
		admin.Call(t, http.MethodPatch, "/api/admin/items/"+scarce.ID, apptest.Body{"isActive": false}).Want(t, http.StatusOK, nil)
		clock.Advance(3 * s.Config.ManifestDelay)
		admin.Call(t, http.MethodPatch, "/api/admin/items/"+scarce.ID, apptest.Body{"isActive": true, "restock": apptest.Body{"count": 5, "packId": limited}}).Want(t, http.StatusOK, nil)
		clock.Advance(3 * s.Config.ManifestDelay)
		run(t, clock)
		c.Deposit(t, 20)
		pending := order(t, c, limited, "x")
		steer(t, c, "silent")

		s.SetValue(t, admin, both, 600)
		if waits := packForAdmin(t, admin, limited); waits.PublishingSince == "" {
			t.Errorf("pack %+v is published with a pending order, want that it waits", waits)
		}
		if other := packForAdmin(t, admin, made.ID); other.PublishingSince != "" || other.Announced == nil {
			t.Errorf("pack %+v waits, want it announced", other)
		}
		var restocked struct{ Stock struct{ Left, Waiting int64 } }
		restock(3).Want(t, http.StatusOK, &restocked)
		if restocked.Stock.Left != 5 || restocked.Stock.Waiting != 3 {
			t.Errorf("the stock is %+v, want 5 cards and 3 that wait", restocked.Stock)
		}
		restock(-9).Refused(t, http.StatusUnprocessableEntity, "invalid")
		admin.Call(t, http.MethodPatch, "/api/admin/packs/"+limited, apptest.Body{"series": []string{"Scarce"}}).Refused(t, http.StatusConflict, "conflict")
		var page struct {
			Values []struct{ CountsFrom string }
		}
		c.Get(t, "/api/items/"+both).Want(t, http.StatusOK, &page)
		if page.Values[0].CountsFrom != "" || quoteValue(t, s, both) != 500 {
			t.Errorf("the quote value is %d and the raise counts from %q, want 500 and no time yet", quoteValue(t, s, both), page.Values[0].CountsFrom)
		}
		s.Audit(t)
		for rule, row := range map[string]string{
			"a restock may wait only for a publication that waits, too": "restock of " + scarce.ID,
			"a value may wait only for a publication that waits, too":   "value of " + both,
		} {
			if !slices.ContainsFunc(breachesWithoutWait(t, s), func(b audit.Breach) bool { return b.Rule == rule && b.Row == row }) {
				t.Errorf("the audit doesn't report %s if the publication doesn't wait", row)
			}
		}
		clock.Advance(3 * s.Config.ManifestDelay)
		if got := quoteValue(t, s, both); got != 500 {
			t.Errorf("the quote value is %d before the announcement, want 500", got)
		}

		steer(t, c, "punctual")
		settled(t, c, pending.OpenID)
		if manifest := announced(t, admin, limited); !strings.Contains(manifest, both+" 600") {
			t.Errorf("the manifest is %s, want the item worth 600", manifest)
		}
		if left := queryInt(t, s, `SELECT remaining FROM stock WHERE item_id = $1`, scarce.ID); left != 8 && left != 7 {
			t.Errorf("%d cards are left, want 8, or 7 if the order drew one", left)
		}
		if got := quoteValue(t, s, both); got != 500 {
			t.Errorf("the quote value is %d during the notice, want 500", got)
		}
		clock.Advance(2*s.Config.ManifestDelay + time.Minute)
		if got := quoteValue(t, s, both); got != 600 {
			t.Errorf("the quote value is %d after the notice, want 600", got)
		}
		s.VerifyLog(t)
		s.Audit(t)

		pending = order(t, c, limited, "y")
		steer(t, c, "silent")
		s.SetValue(t, admin, both, 400)
		if got := quoteValue(t, s, both); got != 400 {
			t.Errorf("the quote value is %d after a fall, want 400 at once", got)
		}
		steer(t, c, "punctual")
		settled(t, c, pending.OpenID)
		announced(t, admin, limited)
		s.VerifyLog(t)
		s.Audit(t)
	})
}

// Cards that an admin removes while an order is pending can still be drawn. The publication removes those
// that are left.
func TestPendingOrderDrawsRemovedCard(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		limitToys(t, s, clock)
		admin, c := s.Admin(t), s.SignIn(t)
		c.Deposit(t, 450)
		var toys map[string]int64
		if err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) { toys, err = packs.Stock(tx, "8"); return err }); err != nil {
			t.Fatal(err)
		}
		pending := order(t, c, "8", "x")
		steer(t, c, "silent")
		for toy := range toys {
			admin.Call(t, http.MethodPatch, "/api/admin/items/"+toy, apptest.Body{"restock": apptest.Body{"count": -1}}).Want(t, http.StatusOK, nil)
		}
		steer(t, c, "punctual")
		if opened := settled(t, c, pending.OpenID); len(opened.Items) != 1 {
			t.Errorf("the order drew %d cards, want 1", len(opened.Items))
		}
		if manifest := announced(t, admin, "8"); strings.Count(manifest, "\ncard ") != len(toys) {
			t.Errorf("the manifest is %s, want all %d toys", manifest, len(toys))
		}
		if left := queryInt(t, s, `SELECT SUM(remaining) FROM stock`); left != 0 {
			t.Errorf("%d cards are left, want none", left)
		}
		s.VerifyLog(t)
		s.Audit(t)
	})
}

// An admin who brings a card back with a stock, and takes the stock back while the publication waits,
// doesn't make the card unlimited.
func TestUndoneRestockKeepsCardLimited(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		admin, c := s.Admin(t), s.SignIn(t)
		c.Deposit(t, 450)
		var toy struct{ ID string }
		admin.Post(t, "/api/admin/items", apptest.Body{"name": "New toy", "series": "Labubu Deluxe Collection", "rarity": "Rare", "baseValueCents": 20500}).Want(t, http.StatusOK, &toy)
		change := func(body apptest.Body) {
			t.Helper()
			admin.Call(t, http.MethodPatch, "/api/admin/items/"+toy.ID, body).Want(t, http.StatusOK, nil)
		}
		change(apptest.Body{"isActive": false})
		clock.Advance(3 * s.Config.ManifestDelay)
		run(t, clock)
		pending := order(t, c, "8", "x")
		steer(t, c, "silent")

		change(apptest.Body{"isActive": true, "restock": apptest.Body{"count": 5, "packId": "8"}})
		change(apptest.Body{"restock": apptest.Body{"count": -5}})
		steer(t, c, "punctual")
		settled(t, c, pending.OpenID)

		m, err := protocol.ParseManifest([]byte(announced(t, admin, "8")))
		if err != nil {
			t.Fatal(err)
		}
		stock := map[string]int64{}
		for _, tier := range m.Tiers {
			for _, card := range tier.Cards {
				stock[card.ID] = card.Stock
			}
		}
		if left, ok := stock[toy.ID]; !ok || left != 0 {
			t.Errorf("the manifest has %d of the card (%v), want it with none", left, ok)
		}
		s.VerifyLog(t)
		s.Audit(t)
	})
}

package app_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
)

type payload = map[string]any

// sampleBodies returns a valid body for every call that has one, by path.
func sampleBodies(entry string) map[string]payload {
	home := payload{"name": "Ann", "line1": "1600 Pennsylvania Ave", "line2": "West Wing", "district": "", "city": "Washington", "region": "DC",
		"postalCode": "20500", "country": "US", "phone": "+1 202 456 1111"}
	return map[string]payload{
		"/api/auth/challenge": {"address": "11111111111111111111111111111111"},
		"/api/auth/verify":    {"address": "11111111111111111111111111111111", "signature": "1", "signedMessage": "AA==", "confirmedAge": 18, "guardianConsents": true},
		"/api/auth/user": {"firstName": "Twin", "profileImageUrl": "https://pictures.example/1.png", "acceptsGifts": true,
			"handle": "", "public": false, "language": "en", "showcase": []string{}},
		"/api/admin/items": {"name": "2026 Set #1 Somebody PSA 9.5", "series": "Test", "rarity": "Rare", "grade": 9.5,
			"imageUrl": "https://pictures.example/1.png", "baseValueCents": 1234},
		"/api/admin/items/{id}": {"name": "2026 Set #1 Somebody PSA 9", "series": "Test", "rarity": "Rare", "grade": 9, "certType": "PSA",
			"certNumber": "0000123456", "imageUrl": "", "isActive": true, "baseValueCents": 650, "source": "An auction", "reason": "It was sold.",
			"restock": payload{"count": 1, "packId": "8"}},
		"/api/admin/packs/{id}": {"name": "Twins", "nameZh": "双胞胎", "priceCents": 2500, "coverImageUrl": "", "supply": 5, "isActive": false,
			"series": []string{"Pokemon"}, "acceptedLossCents": 100,
			"lootTableJson": payload{"itemsPerPack": 1, "rarities": payload{"$5-15": 1}}},
		"/api/admin/packs/preview": {"packId": "1", "name": "Twins", "nameZh": "双胞胎", "priceCents": 2500, "coverImageUrl": "", "supply": 5,
			"series": []string{"Pokemon"}, "acceptedLossCents": 100,
			"lootTableJson": payload{"itemsPerPack": 1, "rarities": payload{"$5-15": 1}}},
		"/api/admin/catalogue/import": {"format": "csv", "text": "id,name,series,rarity,baseValueCents\ntwin-1,2026 Twin,Test,Rare,4e3\n",
			"reason": "A list came.", "dryRun": false, "skipBad": true},
		"/api/admin/rates":          {"listing": 450, "bid": 150, "counter": 450, "effectiveAt": "2026-12-24T00:00:00Z", "reason": "It is Christmas."},
		"/api/admin/approvals/{id}": {"decision": "refuse", "reason": "Too much."},
		"/api/admin/packs": {"name": "Twins", "nameZh": "双胞胎", "priceCents": 2500, "coverImageUrl": "", "supply": 5, "isActive": false,
			"series": []string{"Pokemon"}, "acceptedLossCents": 100,
			"lootTableJson": payload{"itemsPerPack": 1, "rarities": payload{"Common": 1}}},
		"/api/inventory/vault": {"inventoryId": entry, "itemId": "pkm-001", "itemName": "a", "rarity": "Rare", "value": 1, "series": "a",
			"packId": "1", "packName": "a"},
		"/api/alerts/read":                 {"upTo": entry},
		"/api/watchlist":                   {"itemId": "pkm-001", "belowCents": 500},
		"/api/saved-searches":              {"name": "Twins", "query": "series=Pokemon&grade=9", "alert": true},
		"/api/inventory/quotes":            {"inventoryIds": []string{entry}},
		"/api/inventory/sell-back":         {"inventoryIds": []string{entry}, "minPayoutCents": 1},
		"/api/redemptions/challenge":       {"inventoryIds": []string{entry}, "address": home},
		"/api/redemptions":                 {"inventoryIds": []string{entry}, "address": home, "addressSalt": strings.Repeat("0", 32), "signature": "1", "signedMessage": "AA=="},
		"/api/gifts/challenge":             {"inventoryIds": []string{entry}, "secretHash": strings.Repeat("0", 64)},
		"/api/gifts":                       {"inventoryIds": []string{entry}, "secretHash": strings.Repeat("0", 64), "signature": "1", "signedMessage": "AA=="},
		"/api/gifts/{id}/view":             {"secret": strings.Repeat("0", 32)},
		"/api/gifts/{id}/accept":           {"secret": strings.Repeat("0", 32)},
		"/api/gifts/{id}/refuse":           {"blockGiver": true},
		"/api/pulls/{openId}":              {"shared": true, "language": "zh"},
		"/api/admin/redemptions/open":      {"claims": []string{entry}},
		"/api/admin/redemptions/step":      {"act": "pack", "claims": []payload{{"id": entry, "carrier": "dhl", "tracking": "JD01"}}, "reason": "It is packed."},
		"/api/marketplace/list":            {"inventoryId": entry, "priceCents": 100, "confirmedCents": 100},
		"/api/marketplace/reprice":         {"inventoryId": entry, "priceCents": 100, "confirmedCents": 100},
		"/api/marketplace/delist":          {"inventoryId": entry},
		"/api/marketplace/list-many":       {"lines": []payload{{"inventoryId": entry, "priceCents": 100, "confirmedCents": 100}}},
		"/api/marketplace/reprice-many":    {"lines": []payload{{"inventoryId": entry, "priceCents": 100, "confirmedCents": 100}}},
		"/api/marketplace/delist-many":     {"lines": []payload{{"inventoryId": entry}}},
		"/api/marketplace/cart":            {"lines": []payload{{"inventoryId": entry, "expectedPriceCents": 100}}, "partial": true},
		"/api/inventory/quick-sell":        {"inventoryIds": []string{entry}, "minPayoutCents": 1},
		"/api/inventory/{id}":              {"lowestBidCents": 100},
		"/api/bids":                        {"scope": payload{"itemId": "pkm-001"}, "priceCents": 100, "quantity": 1, "expiresAt": time.Now().Add(time.Hour).UTC(), "confirmedCents": 100},
		"/api/bids/{id}":                   {"priceCents": 100, "quantity": 1, "expiresAt": time.Now().Add(time.Hour).UTC(), "confirmedCents": 100},
		"/api/bids/{id}/accept":            {"inventoryId": entry, "expectedPriceCents": 100, "confirmedCents": 100},
		"/api/bids/{id}/counter":           {"inventoryId": entry, "priceCents": 100, "confirmedCents": 100},
		"/api/bids/{id}/accept-counter":    {"expectedPriceCents": 100},
		"/api/marketplace/buy":             {"inventoryId": entry, "expectedPriceCents": 100},
		"/api/packs/{id}/open":             {"clientSeed": "seed", "commitment": strings.Repeat("0", 64), "manifest": ""},
		"/api/limits":                      {"limits": []payload{{"limit": "loss-day", "cents": 500}}, "realityMinutes": 60},
		"/api/limits/confirm":              {"limit": "loss-day"},
		"/api/limits/time-out":             {"days": 1},
		"/api/limits/exclusion":            {"forGood": false},
		"/api/wallet/deposits":             {"amountCents": 500},
		"/api/wallet/deposit/helio":        {"amount": 5, "paymentId": entry, "transactionId": strings.Repeat("1", 64)},
		"/api/account/challenge":           {"purpose": "export"},
		"/api/account/delete":              {"signature": "1", "signedMessage": "AA=="},
		"/api/account/export":              {"signature": "1", "signedMessage": "AA=="},
		"/api/admin/users/{id}/role":       {"role": "user", "reason": "left"},
		"/api/admin/users/{id}/sign-out":   {"reason": "lost a phone"},
		"/api/admin/users/{id}/notes":      {"text": "They called."},
		"/api/admin/users/{id}/freeze":     {"reason": "a stolen card"},
		"/api/admin/users/{id}/unfreeze":   {"reason": "a mistake"},
		"/api/admin/users/{id}/profile":    {"removeName": true, "removePicture": true, "removeHandle": true, "pagesHidden": true, "lock": false, "reason": "an insult"},
		"/api/admin/users/{id}/debit":      {"amountCents": 500, "reason": "a wrong credit"},
		"/api/admin/deposits/{id}/resolve": {"action": "credit", "reason": "It came."},
		"/api/wallet/deposit/manual":       {"amount": 5, "walletAddress": "", "reason": "a prize"},
	}
}

// outOfBounds returns a value that violates a limit of the schema, if it has one.
func (d fieldSchema) outOfBounds() (value any, bounded bool) {
	switch {
	case d.Minimum != nil:
		return *d.Minimum - 1, true
	case d.Maximum != nil:
		return *d.Maximum + 1, true
	case d.MaxLength != nil:
		return strings.Repeat("x", *d.MaxLength+1), true
	case d.MinLength != nil:
		return "", true
	case d.MaxItems != nil:
		return make([]string, *d.MaxItems+1), true
	case d.Pattern != "", d.Enum != nil, d.OneOf != nil:
		return "!", true
	}
	return nil, false
}

// invalidBody is a body that must be refused, with the reason.
type invalidBody struct{ why, body string }

// invalidBodies returns invalid variations of the sample for every field at every depth: out of
// bounds, duplicated, or under a similar name.
func (o operation) invalidBodies(sample payload) []invalidBody {
	return o.invalidFields(o.resolve(*o.body), sample, "%s")
}

// invalidFields varies the fields of an object. template is the body's text with a placeholder for
// the object.
func (o operation) invalidFields(schema fieldSchema, object payload, template string) (bodies []invalidBody) {
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		field := o.resolve(schema.Properties[name])
		valid := jsonText(object[name])
		bad, others := valid, without(object, name)
		if value, bounded := field.outOfBounds(); bounded {
			bad = jsonText(value)
			bodies = append(bodies, invalidBody{name + " out of bounds", fmt.Sprintf(template, jsonObject(others, member(name, bad)))})
		}
		for _, second := range []string{valid, bad} {
			bodies = append(bodies, invalidBody{name + " twice", fmt.Sprintf(template, jsonObject(others, member(name, valid), member(name, second)))})
		}
		for _, similar := range similarNames(name) {
			bodies = append(bodies,
				invalidBody{"for " + name + " only " + similar, fmt.Sprintf(template, jsonObject(others, member(similar, bad)))},
				invalidBody{name + " and " + similar, fmt.Sprintf(template, jsonObject(others, member(name, valid), member(similar, bad)))},
				invalidBody{similar + " and " + name, fmt.Sprintf(template, jsonObject(others, member(similar, bad), member(name, valid)))})
		}
		if inner, ok := object[name].(payload); ok {
			outer := strings.ReplaceAll(jsonObject(others), "%", "%%")
			bodies = append(bodies, o.invalidFields(field, inner, fmt.Sprintf(template, outer[:len(outer)-1]+","+jsonText(name)+":%s}"))...)
		}
	}
	return bodies
}

// similarNames returns names that a lenient JSON decoder would accept for the name.
func similarNames(name string) []string {
	all := []string{strings.ToUpper(name), strings.ToUpper(name[:1]) + name[1:]}
	if folded := strings.NewReplacer("s", "ſ", "k", "\u212a").Replace(name); folded != name {
		all = append(all, folded)
	}
	return slices.Compact(all)
}

func without(object payload, name string) payload {
	rest := maps.Clone(object)
	delete(rest, name)
	return rest
}

func member(name, value string) string { return jsonText(name) + ":" + value }

func jsonObject(object payload, more ...string) string {
	var members []string
	for _, name := range slices.Sorted(maps.Keys(object)) {
		members = append(members, member(name, jsonText(object[name])))
	}
	return "{" + strings.Join(append(members, more...), ",") + "}"
}

func jsonText(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// rowCounts counts the rows of each table that a call could write.
func rowCounts(t *testing.T, s *apptest.Server) map[string]int {
	t.Helper()
	rows := map[string]int{}
	err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
		for _, table := range []string{
			"transfers", "packs", "items", "inventory", "inventory WHERE vaulted OR state <> 'held'", "openings", "publications", "claims", "claim_challenges",
			"idempotency", "admin_acts", "approvals", "challenges", "users WHERE first_name <> ''",
		} {
			rows[table], err = db.One(tx, db.Column[int], `SELECT COUNT(*) FROM `+table)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// No limit can be bypassed with duplicate fields or similar names.
func TestLimitsCannotBeBypassed(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.Admin(t)
		c.Deposit(t, 100)
		var pulled struct {
			Items []struct{ InventoryID string }
		}
		c.Post(t, "/api/packs/1/open", payload{"clientSeed": "seed"}).Want(t, http.StatusOK, &pulled)
		bodies, before := sampleBodies(pulled.Items[0].InventoryID), rowCounts(t, s)
		withBody := slices.DeleteFunc(operations(t, c), func(o operation) bool { return o.body == nil })
		for _, o := range withBody {
			sample, ok := bodies[o.path]
			if !ok {
				t.Errorf("%s %s has no sample", o.method, o.path)
			}
			for _, a := range o.invalidBodies(sample) {
				if answer := c.Call(t, o.method, o.fillPath(func(string) string { return "1" }), a.body); answer.Status != http.StatusUnprocessableEntity {
					t.Errorf("%s %s: %s: %d %s to %s", o.method, o.path, a.why, answer.Status, answer.Body, a.body)
				}
			}
		}
		if after := rowCounts(t, s); !maps.Equal(after, before) {
			t.Errorf("the row counts changed to %v, before %v", after, before)
		}
		// The unchanged samples are accepted, so the invalid bodies were refused for their
		// variations.
		for _, o := range withBody {
			answer := c.Call(t, o.method, o.fillPath(func(string) string { return "1" }), bodies[o.path])
			if answer.Status == http.StatusUnprocessableEntity || answer.Status == http.StatusBadRequest || answer.Status >= 500 {
				t.Errorf("%s %s: its sample is refused: %d %s", o.method, o.path, answer.Status, answer.Body)
			}
		}
		s.Audit(t)
	})
}

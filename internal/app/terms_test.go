package app

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"kaibao/internal/policy"
	"kaibao/internal/protocol"
)

// bounds are a schema's limits on a number, text or list.
type bounds struct {
	Minimum, Maximum, MaxLength, MinItems, MaxItems *float64
	Default                                         any
}

func from(least, most int64) bounds { return bounds{Minimum: bound(least), Maximum: bound(most)} }
func longest(most int) bounds       { return bounds{MaxLength: bound(most)} }
func bound[N int | int64](n N) *float64 {
	return new(float64(n))
}

// agreed are the limits that struct tags must declare, as policy defines them. A key is one call's
// field, or a name that means the same in all calls.
var agreed = map[string]bounds{
	"limit":                       {Minimum: bound(1), Maximum: bound(policy.LargestPage), Default: float64(policy.PageSize)},
	"cursor":                      longest(policy.LongestCursor),
	"page":                        from(1, policy.LastPage),
	"days":                        {Minimum: bound(1), Maximum: bound(policy.MostDays), Default: float64(7)},
	"GET /api/activity itemId":    longest(policy.LongestID),
	"GET /api/activity/me itemId": longest(policy.LongestID),
	"search":                      longest(policy.LongestSearch),
	"actor":                       longest(policy.LongestSearch),
	"act":                         longest(policy.LongestSearch),
	"subject":                     longest(policy.LongestSearch),
	"minPrice":                    from(0, policy.HighestFilter),
	"maxPrice":                    from(0, policy.HighestFilter),
	"grade":                       from(policy.LeastGrade, policy.MostGrade),
	"clientSeed":                  longest(128), // protocol limit
	"reason":                      longest(policy.LongestReason),
	"source":                      longest(policy.LongestSource),
	"series":                      longest(policy.LongestSeries),
	"imageUrl":                    longest(policy.LongestPicture),
	"coverImageUrl":               longest(policy.LongestPicture),
	"baseValueCents":              from(1, int64(policy.HighestPrice)),
	"amountCents":                 from(int64(policy.LeastDeposit), int64(policy.MostDeposit)),
	"priceCents":                  from(1, int64(policy.HighestPrice)),
	"inventoryIds":                {MinItems: bound(1), MaxItems: bound(policy.MostSoldBack)},
	"POST /api/inventory/quotes inventoryIds": {MinItems: bound(1), MaxItems: bound(policy.MostQuoted)},
	"minPayoutCents":                               from(1, int64(policy.HighestPayout)),
	"expectedPriceCents":                           from(1, int64(policy.HighestPrice)),
	"confirmedCents":                               from(1, int64(policy.HighestPrice)),
	"lowestBidCents":                               from(1, int64(policy.HighestPrice)),
	"ignoreColumns":                                {MaxItems: bound(1000)}, // more suggest a wrong file
	"lines":                                        {MinItems: bound(1), MaxItems: bound(policy.MostSoldBack)},
	"POST /api/marketplace/cart lines":             {MinItems: bound(1), MaxItems: bound(policy.MostInCart)},
	"pegPercent":                                   from(int64(protocol.MinPeg), int64(protocol.MaxPeg)),
	"capCents":                                     from(int64(policy.LeastBid), int64(policy.HighestPrice)),
	"quantity":                                     from(1, policy.MostBidFor),
	"listing":                                      from(0, int64(policy.HighestRate)),
	"bid":                                          from(0, int64(policy.HighestRate)),
	"counter":                                      from(0, int64(policy.HighestRate)),
	"POST /api/bids priceCents":                    from(int64(policy.LeastBid), int64(policy.HighestPrice)),
	"PUT /api/bids/{id} priceCents":                from(int64(policy.LeastBid), int64(policy.HighestPrice)),
	"POST /api/bids confirmedCents":                from(int64(policy.LeastBid), int64(policy.HighestPrice)),
	"PUT /api/bids/{id} confirmedCents":            from(int64(policy.LeastBid), int64(policy.HighestPrice)),
	"POST /api/packs/{id}/checkout id":             longest(policy.LongestID),
	"POST /api/admin/items name":                   longest(policy.LongestItemName),
	"POST /api/admin/packs name":                   longest(policy.LongestPackName),
	"POST /api/admin/packs priceCents":             from(1, int64(policy.HighestPackPrice)),
	"POST /api/admin/packs supply":                 from(-1, policy.MostSupply),
	"POST /api/admin/packs series":                 {MaxItems: bound(policy.MostSeries)},
	"POST /api/redemptions inventoryIds":           {MinItems: bound(1), MaxItems: bound(policy.MostClaimed)},
	"POST /api/redemptions/challenge inventoryIds": {MinItems: bound(1), MaxItems: bound(policy.MostClaimed)},
	"POST /api/redemptions name":                   longest(policy.LongestLine),
	"POST /api/redemptions/challenge name":         longest(policy.LongestLine),
	"nameZh":                                       longest(policy.LongestPackName),
	"line1":                                        longest(policy.LongestLine),
	"line2":                                        longest(policy.LongestLine),
	"district":                                     longest(policy.LongestLine),
	"city":                                         longest(policy.LongestLine),
	"region":                                       longest(policy.LongestLine),
	"postalCode":                                   longest(policy.LongestLine),
	"phone":                                        longest(policy.LongestLine),
	"signature":                                    longest(100), // length of a Solana signature
	"belowCents":                                   from(1, int64(policy.HighestPrice)),
	"query":                                        longest(policy.LongestQuery),
	"POST /api/saved-searches name":                longest(policy.LongestSearchName),
	"claims":                                       {MinItems: bound(1), MaxItems: bound(policy.MostStepped)},
	"confirmedAge":                                 from(1, 120), // human age
	"realityMinutes":                               from(0, policy.MostReality),
	"POST /api/limits/time-out days":               from(policy.LeastTimeOut, policy.MostTimeOut),
	"limits":                                       {MaxItems: bound(6)}, // the number of limits
	"POST /api/admin/packs acceptedLossCents":         from(1, int64(policy.HighestAcceptedLoss)),
	"POST /api/admin/packs itemsPerPack":              from(1, policy.MostItemsPerPack),
	"PATCH /api/admin/items/{id} name":                longest(policy.LongestItemName),
	"PATCH /api/admin/items/{id} count":               from(-policy.MostRestock, policy.MostRestock),
	"POST /api/admin/packs/preview name":              longest(policy.LongestPackName),
	"POST /api/admin/packs/preview priceCents":        from(1, int64(policy.HighestPackPrice)),
	"POST /api/admin/packs/preview supply":            from(-1, policy.MostSupply),
	"POST /api/admin/packs/preview series":            {MaxItems: bound(policy.MostSeries)},
	"POST /api/admin/packs/preview acceptedLossCents": from(0, int64(policy.HighestAcceptedLoss)),
	"POST /api/admin/packs/preview itemsPerPack":      from(1, policy.MostItemsPerPack),
	"PATCH /api/admin/packs/{id} name":                longest(policy.LongestPackName),
	"PATCH /api/admin/packs/{id} priceCents":          from(1, int64(policy.HighestPackPrice)),
	"PATCH /api/admin/packs/{id} supply":              from(-1, policy.MostSupply),
	"PATCH /api/admin/packs/{id} series":              {MaxItems: bound(policy.MostSeries)},
	"PATCH /api/admin/packs/{id} acceptedLossCents":   from(0, int64(policy.HighestAcceptedLoss)),
	"PATCH /api/admin/packs/{id} itemsPerPack":        from(1, policy.MostItemsPerPack),
}

// schema is the part of a schema that has limits.
type schema struct {
	bounds
	Ref        string `json:"$ref"`
	Properties map[string]schema
}

type document struct {
	Paths map[string]map[string]struct {
		Parameters []struct {
			Name   string
			Schema schema
		}
		RequestBody struct {
			Content map[string]struct{ Schema schema }
		}
	}
	Components struct{ Schemas map[string]schema }
}

// fields calls see for every field of a schema that has limits.
func (d *document) fields(name string, s schema, see func(name string, b bounds)) {
	if s.Ref != "" {
		s = d.Components.Schemas[s.Ref[len("#/components/schemas/"):]]
	}
	if s.bounds != (bounds{}) && s.bounds != (bounds{Default: s.Default}) {
		see(name, s.bounds)
	}
	for name, inner := range s.Properties {
		d.fields(name, inner, see)
	}
}

// Struct tags can't refer to constants. This test ensures that the limits in the contract match the
// policy.
func TestContractLimitsMatchPolicy(t *testing.T) {
	text, err := json.Marshal(edge(t).Huma.OpenAPI())
	if err != nil {
		t.Fatal(err)
	}
	var d document
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	unused := maps.Clone(agreed)
	for path, calls := range d.Paths {
		for method, call := range calls {
			see := func(name string, got bounds) {
				key := strings.ToUpper(method) + " " + path + " " + name
				want, ok := agreed[key]
				if !ok {
					key = name
					want, ok = agreed[key]
				}
				delete(unused, key)
				if !ok || !reflect.DeepEqual(got, want) {
					t.Errorf("%s %s: the limits of %s are not those of the policy", method, path, name)
				}
			}
			for _, p := range call.Parameters {
				d.fields(p.Name, p.Schema, see)
			}
			for _, content := range call.RequestBody.Content {
				d.fields("", content.Schema, see)
			}
		}
	}
	if len(unused) > 0 {
		t.Errorf("no call has the fields %v", slices.Sorted(maps.Keys(unused)))
	}
}

func TestDefaultManifestDelayMatchesPolicy(t *testing.T) {
	setting, _ := reflect.TypeFor[Config]().FieldByName("ManifestDelay")
	if got, err := time.ParseDuration(setting.Tag.Get("default")); err != nil || got != policy.OrdinaryNotice {
		t.Errorf("the default delay is %v, %v; the policy has %s", got, err, policy.OrdinaryNotice)
	}
}

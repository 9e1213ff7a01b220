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

func between(least, most int64) bounds { return bounds{Minimum: ptr(least), Maximum: ptr(most)} }
func maxLength(most int) bounds        { return bounds{MaxLength: ptr(most)} }
func ptr[N int | int64](n N) *float64 {
	return new(float64(n))
}

// policyLimits are the limits that struct tags must declare, as policy defines them. A key is one
// call's field, or a name that means the same in all calls.
var policyLimits = map[string]bounds{
	"limit":                       {Minimum: ptr(1), Maximum: ptr(policy.LargestPage), Default: float64(policy.PageSize)},
	"cursor":                      maxLength(policy.LongestCursor),
	"page":                        between(1, policy.LastPage),
	"days":                        {Minimum: ptr(1), Maximum: ptr(policy.MostDays), Default: float64(7)},
	"user":                        maxLength(policy.LongestID),
	"id":                          maxLength(policy.LongestID),
	"GET /api/admin/search q":     maxLength(policy.LongestAdminSearch),
	"text":                        maxLength(policy.LongestNote),
	"GET /api/activity itemId":    maxLength(policy.LongestID),
	"GET /api/activity/me itemId": maxLength(policy.LongestID),
	"search":                      maxLength(policy.LongestSearch),
	"actor":                       maxLength(policy.LongestSearch),
	"act":                         maxLength(policy.LongestSearch),
	"subject":                     maxLength(policy.LongestSearch),
	"minPrice":                    between(0, policy.HighestFilter),
	"maxPrice":                    between(0, policy.HighestFilter),
	"grade":                       between(policy.LeastGrade, policy.MostGrade),
	"clientSeed":                  maxLength(128), // protocol limit
	"reason":                      maxLength(policy.LongestReason),
	"source":                      maxLength(policy.LongestSource),
	"series":                      maxLength(policy.LongestSeries),
	"imageUrl":                    maxLength(policy.LongestItemPictureURL),
	"coverImageUrl":               maxLength(policy.LongestItemPictureURL),
	"baseValueCents":              between(1, int64(policy.HighestPrice)),
	"amountCents":                 between(int64(policy.LeastDeposit), int64(policy.MostDeposit)),
	"priceCents":                  between(1, int64(policy.HighestPrice)),
	"inventoryIds":                {MinItems: ptr(1), MaxItems: ptr(policy.MostSoldBack)},
	"POST /api/inventory/quotes inventoryIds": {MinItems: ptr(1), MaxItems: ptr(policy.MostQuoted)},
	"minPayoutCents":                               between(1, int64(policy.HighestPayout)),
	"expectedPriceCents":                           between(1, int64(policy.HighestPrice)),
	"confirmedCents":                               between(1, int64(policy.HighestPrice)),
	"lowestBidCents":                               between(1, int64(policy.HighestPrice)),
	"ignoreColumns":                                {MaxItems: ptr(1000)}, // more suggest a wrong file
	"lines":                                        {MinItems: ptr(1), MaxItems: ptr(policy.MostSoldBack)},
	"POST /api/marketplace/cart lines":             {MinItems: ptr(1), MaxItems: ptr(policy.MostInCart)},
	"pegPercent":                                   between(int64(protocol.MinPeg), int64(protocol.MaxPeg)),
	"capCents":                                     between(int64(policy.LeastBid), int64(policy.HighestPrice)),
	"quantity":                                     between(1, policy.MostBidQuantity),
	"listing":                                      between(0, int64(policy.HighestRate)),
	"bid":                                          between(0, int64(policy.HighestRate)),
	"counter":                                      between(0, int64(policy.HighestRate)),
	"POST /api/bids priceCents":                    between(int64(policy.LeastBid), int64(policy.HighestPrice)),
	"PUT /api/bids/{id} priceCents":                between(int64(policy.LeastBid), int64(policy.HighestPrice)),
	"POST /api/bids confirmedCents":                between(int64(policy.LeastBid), int64(policy.HighestPrice)),
	"PUT /api/bids/{id} confirmedCents":            between(int64(policy.LeastBid), int64(policy.HighestPrice)),
	"POST /api/packs/{id}/checkout id":             maxLength(policy.LongestID),
	"POST /api/admin/items name":                   maxLength(policy.LongestItemName),
	"POST /api/admin/packs name":                   maxLength(policy.LongestPackName),
	"POST /api/admin/packs priceCents":             between(1, int64(policy.HighestPackPrice)),
	"POST /api/admin/packs supply":                 between(-1, policy.MostSupply),
	"POST /api/admin/packs series":                 {MaxItems: ptr(policy.MostSeries)},
	"POST /api/redemptions inventoryIds":           {MinItems: ptr(1), MaxItems: ptr(policy.MostClaimed)},
	"POST /api/redemptions/challenge inventoryIds": {MinItems: ptr(1), MaxItems: ptr(policy.MostClaimed)},
	"POST /api/redemptions name":                   maxLength(policy.LongestLine),
	"POST /api/redemptions/challenge name":         maxLength(policy.LongestLine),
	"nameZh":                                       maxLength(policy.LongestPackName),
	"line1":                                        maxLength(policy.LongestLine),
	"line2":                                        maxLength(policy.LongestLine),
	"district":                                     maxLength(policy.LongestLine),
	"city":                                         maxLength(policy.LongestLine),
	"region":                                       maxLength(policy.LongestLine),
	"postalCode":                                   maxLength(policy.LongestLine),
	"phone":                                        maxLength(policy.LongestLine),
	"signature":                                    maxLength(100), // length of a Solana signature
	"belowCents":                                   between(1, int64(policy.HighestPrice)),
	"query":                                        maxLength(policy.LongestQuery),
	"POST /api/saved-searches name":                maxLength(policy.LongestSearchName),
	"claims":                                       {MinItems: ptr(1), MaxItems: ptr(policy.MostStepped)},
	"confirmedAge":                                 between(1, 120), // human age
	"realityMinutes":                               between(0, policy.MostReality),
	"POST /api/limits/time-out days":               between(policy.LeastTimeOut, policy.MostTimeOut),
	"limits":                                       {MaxItems: ptr(6)}, // the number of limits
	"POST /api/admin/packs acceptedLossCents":         between(1, int64(policy.HighestAcceptedLoss)),
	"POST /api/admin/packs itemsPerPack":              between(1, policy.MostItemsPerPack),
	"PATCH /api/admin/items/{id} name":                maxLength(policy.LongestItemName),
	"PATCH /api/admin/items/{id} count":               between(-policy.MostRestock, policy.MostRestock),
	"POST /api/admin/packs/preview name":              maxLength(policy.LongestPackName),
	"POST /api/admin/packs/preview priceCents":        between(1, int64(policy.HighestPackPrice)),
	"POST /api/admin/packs/preview supply":            between(-1, policy.MostSupply),
	"POST /api/admin/packs/preview series":            {MaxItems: ptr(policy.MostSeries)},
	"POST /api/admin/packs/preview acceptedLossCents": between(0, int64(policy.HighestAcceptedLoss)),
	"POST /api/admin/packs/preview itemsPerPack":      between(1, policy.MostItemsPerPack),
	"PATCH /api/admin/packs/{id} name":                maxLength(policy.LongestPackName),
	"PATCH /api/admin/packs/{id} priceCents":          between(1, int64(policy.HighestPackPrice)),
	"PATCH /api/admin/packs/{id} supply":              between(-1, policy.MostSupply),
	"PATCH /api/admin/packs/{id} series":              {MaxItems: ptr(policy.MostSeries)},
	"PATCH /api/admin/packs/{id} acceptedLossCents":   between(0, int64(policy.HighestAcceptedLoss)),
	"PATCH /api/admin/packs/{id} itemsPerPack":        between(1, policy.MostItemsPerPack),
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

// fields calls visit for every field of a schema that has limits.
func (d *document) fields(name string, s schema, visit func(name string, b bounds)) {
	if s.Ref != "" {
		s = d.Components.Schemas[s.Ref[len("#/components/schemas/"):]]
	}
	if s.bounds != (bounds{}) && s.bounds != (bounds{Default: s.Default}) {
		visit(name, s.bounds)
	}
	for name, inner := range s.Properties {
		d.fields(name, inner, visit)
	}
}

// Struct tags can't refer to constants. This test ensures that the limits in the contract match the
// policy.
func TestContractLimitsMatchPolicy(t *testing.T) {
	text, err := json.Marshal(newTestAPI(t).Huma.OpenAPI())
	if err != nil {
		t.Fatal(err)
	}
	var d document
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	unused := maps.Clone(policyLimits)
	for path, calls := range d.Paths {
		for method, call := range calls {
			check := func(name string, got bounds) {
				key := strings.ToUpper(method) + " " + path + " " + name
				want, ok := policyLimits[key]
				if !ok {
					key = name
					want, ok = policyLimits[key]
				}
				delete(unused, key)
				if !ok || !reflect.DeepEqual(got, want) {
					t.Errorf("%s %s: the limits of %s are not those of the policy", method, path, name)
				}
			}
			for _, p := range call.Parameters {
				d.fields(p.Name, p.Schema, check)
			}
			for _, content := range call.RequestBody.Content {
				d.fields("", content.Schema, check)
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

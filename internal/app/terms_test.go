package app

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"kaibao/internal/fair"
	"kaibao/internal/terms"
)

// bounds are what a schema says of a number, a text or a list.
type bounds struct {
	Minimum, Maximum, MaxLength, MinItems, MaxItems *float64
	Default                                         any
}

func from(least, most int64) bounds { return bounds{Minimum: bound(least), Maximum: bound(most)} }
func longest(most int) bounds       { return bounds{MaxLength: bound(most)} }
func bound[N int | int64](n N) *float64 {
	return new(float64(n))
}

// agreed are the bounds of what callers send, which struct tags say and terms
// holds: of one call's field, or of a name that means the same everywhere.
var agreed = map[string]bounds{
	"limit":                       {Minimum: bound(1), Maximum: bound(terms.LargestPage), Default: float64(terms.PageSize)},
	"cursor":                      longest(terms.LongestCursor),
	"page":                        from(1, terms.LastPage),
	"days":                        {Minimum: bound(1), Maximum: bound(terms.MostDays), Default: float64(7)},
	"GET /api/activity itemId":    longest(terms.LongestID),
	"GET /api/activity/me itemId": longest(terms.LongestID),
	"search":                      longest(terms.LongestSearch),
	"actor":                       longest(terms.LongestSearch),
	"act":                         longest(terms.LongestSearch),
	"subject":                     longest(terms.LongestSearch),
	"minPrice":                    from(0, terms.HighestFilter),
	"maxPrice":                    from(0, terms.HighestFilter),
	"grade":                       from(terms.LeastGrade, terms.MostGrade),
	"clientSeed":                  longest(128), // of the protocol
	"reason":                      longest(terms.LongestReason),
	"source":                      longest(terms.LongestSource),
	"series":                      longest(terms.LongestSeries),
	"imageUrl":                    longest(terms.LongestPicture),
	"coverImageUrl":               longest(terms.LongestPicture),
	"baseValueCents":              from(1, int64(terms.HighestPrice)),
	"amountCents":                 from(int64(terms.LeastDeposit), int64(terms.MostDeposit)),
	"priceCents":                  from(1, int64(terms.HighestPrice)),
	"inventoryIds":                {MinItems: bound(1), MaxItems: bound(terms.MostSoldBack)},
	"POST /api/inventory/quotes inventoryIds": {MinItems: bound(1), MaxItems: bound(terms.MostQuoted)},
	"minPayoutCents":                               from(1, int64(terms.HighestPayout)),
	"expectedPriceCents":                           from(1, int64(terms.HighestPrice)),
	"confirmedCents":                               from(1, int64(terms.HighestPrice)),
	"lowestBidCents":                               from(1, int64(terms.HighestPrice)),
	"ignoreColumns":                                {MaxItems: bound(1000)}, // more are another kind of file
	"lines":                                        {MinItems: bound(1), MaxItems: bound(terms.MostSoldBack)},
	"POST /api/marketplace/cart lines":             {MinItems: bound(1), MaxItems: bound(terms.MostInCart)},
	"pegPercent":                                   from(int64(fair.LeastPeg), int64(fair.MostPeg)),
	"capCents":                                     from(int64(terms.LeastBid), int64(terms.HighestPrice)),
	"quantity":                                     from(1, terms.MostBidFor),
	"listing":                                      from(0, int64(terms.HighestRate)),
	"bid":                                          from(0, int64(terms.HighestRate)),
	"counter":                                      from(0, int64(terms.HighestRate)),
	"POST /api/bids priceCents":                    from(int64(terms.LeastBid), int64(terms.HighestPrice)),
	"PUT /api/bids/{id} priceCents":                from(int64(terms.LeastBid), int64(terms.HighestPrice)),
	"POST /api/bids confirmedCents":                from(int64(terms.LeastBid), int64(terms.HighestPrice)),
	"PUT /api/bids/{id} confirmedCents":            from(int64(terms.LeastBid), int64(terms.HighestPrice)),
	"POST /api/packs/{id}/checkout id":             longest(terms.LongestID),
	"POST /api/admin/items name":                   longest(terms.LongestItemName),
	"POST /api/admin/packs name":                   longest(terms.LongestPackName),
	"POST /api/admin/packs priceCents":             from(1, int64(terms.HighestPackPrice)),
	"POST /api/admin/packs supply":                 from(-1, terms.MostSupply),
	"POST /api/admin/packs series":                 {MaxItems: bound(terms.MostSeries)},
	"POST /api/redemptions inventoryIds":           {MinItems: bound(1), MaxItems: bound(terms.MostClaimed)},
	"POST /api/redemptions/challenge inventoryIds": {MinItems: bound(1), MaxItems: bound(terms.MostClaimed)},
	"POST /api/redemptions name":                   longest(terms.LongestLine),
	"POST /api/redemptions/challenge name":         longest(terms.LongestLine),
	"line1":                                        longest(terms.LongestLine),
	"line2":                                        longest(terms.LongestLine),
	"district":                                     longest(terms.LongestLine),
	"city":                                         longest(terms.LongestLine),
	"region":                                       longest(terms.LongestLine),
	"postalCode":                                   longest(terms.LongestLine),
	"phone":                                        longest(terms.LongestLine),
	"signature":                                    longest(100), // of the chain
	"belowCents":                                   from(1, int64(terms.HighestPrice)),
	"query":                                        longest(terms.LongestQuery),
	"POST /api/saved-searches name":                longest(terms.LongestSearchName),
	"claims":                                       {MinItems: bound(1), MaxItems: bound(terms.MostStepped)},
	"confirmedAge":                                 from(1, 120), // of a human
	"realityMinutes":                               from(0, terms.MostReality),
	"POST /api/limits/time-out days":               from(terms.LeastTimeOut, terms.MostTimeOut),
	"limits":                                       {MaxItems: bound(6)}, // as there are
	"POST /api/admin/packs acceptedLossCents":         from(1, int64(terms.HighestAcceptedLoss)),
	"POST /api/admin/packs itemsPerPack":              from(1, terms.MostItemsPerPack),
	"PATCH /api/admin/items/{id} name":                longest(terms.LongestItemName),
	"PATCH /api/admin/items/{id} count":               from(-terms.MostRestock, terms.MostRestock),
	"POST /api/admin/packs/preview name":              longest(terms.LongestPackName),
	"POST /api/admin/packs/preview priceCents":        from(1, int64(terms.HighestPackPrice)),
	"POST /api/admin/packs/preview supply":            from(-1, terms.MostSupply),
	"POST /api/admin/packs/preview series":            {MaxItems: bound(terms.MostSeries)},
	"POST /api/admin/packs/preview acceptedLossCents": from(0, int64(terms.HighestAcceptedLoss)),
	"POST /api/admin/packs/preview itemsPerPack":      from(1, terms.MostItemsPerPack),
	"PATCH /api/admin/packs/{id} name":                longest(terms.LongestPackName),
	"PATCH /api/admin/packs/{id} priceCents":          from(1, int64(terms.HighestPackPrice)),
	"PATCH /api/admin/packs/{id} supply":              from(-1, terms.MostSupply),
	"PATCH /api/admin/packs/{id} series":              {MaxItems: bound(terms.MostSeries)},
	"PATCH /api/admin/packs/{id} acceptedLossCents":   from(0, int64(terms.HighestAcceptedLoss)),
	"PATCH /api/admin/packs/{id} itemsPerPack":        from(1, terms.MostItemsPerPack),
}

// schema is as much of one as bounds need.
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

// fields calls see with every bounded field of a schema.
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

// A struct tag cannot name a constant. So that no bound is another than the terms
// say, the contract is compared with them.
func TestTheContractBoundsWhatTheTermsBound(t *testing.T) {
	text, err := json.Marshal(edge(t).API.OpenAPI())
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
					t.Errorf("%s %s bounds %s otherwise than the terms do, or they say nothing of it", method, path, name)
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
		t.Errorf("no call bounds %v", slices.Sorted(maps.Keys(unused)))
	}
}

func TestTheOrdinaryNoticeIsTheSettingsDefault(t *testing.T) {
	setting, _ := reflect.TypeFor[Config]().FieldByName("ManifestDelay")
	if got, err := time.ParseDuration(setting.Tag.Get("default")); err != nil || got != terms.OrdinaryNotice {
		t.Errorf("odds are announced for %v by default, %v; the terms say %s", got, err, terms.OrdinaryNotice)
	}
}

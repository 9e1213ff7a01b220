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
	"limit":                       {Minimum: ptr(1), Maximum: ptr(policy.MaxPageSize), Default: float64(policy.PageSize)},
	"cursor":                      maxLength(policy.MaxCursorLength),
	"page":                        between(1, policy.MaxPageNumber),
	"days":                        {Minimum: ptr(1), Maximum: ptr(policy.MaxTopPullDays), Default: float64(7)},
	"user":                        maxLength(policy.MaxIDLength),
	"id":                          maxLength(policy.MaxIDLength),
	"GET /api/admin/search q":     maxLength(policy.MaxAdminSearchLength),
	"text":                        maxLength(policy.MaxNoteLength),
	"GET /api/activity itemId":    maxLength(policy.MaxIDLength),
	"GET /api/pulls/top packId":   maxLength(policy.MaxIDLength),
	"GET /api/activity/me itemId": maxLength(policy.MaxIDLength),
	"search":                      maxLength(policy.MaxSearchLength),
	"actor":                       maxLength(policy.MaxSearchLength),
	"act":                         maxLength(policy.MaxSearchLength),
	"subject":                     maxLength(policy.MaxSearchLength),
	"minPrice":                    between(0, policy.MaxPriceFilter),
	"maxPrice":                    between(0, policy.MaxPriceFilter),
	"grade":                       between(policy.MinGrade, policy.MaxGrade),
	"clientSeed":                  maxLength(128), // protocol limit
	"reason":                      maxLength(policy.MaxReasonLength),
	"source":                      maxLength(policy.MaxSourceLength),
	"series":                      maxLength(policy.MaxSeriesLength),
	"set":                         maxLength(policy.MaxSetLength),
	"setNumber":                   maxLength(policy.MaxSetNumberLength),
	"imageUrl":                    maxLength(policy.MaxItemPictureURLLength),
	"coverImageUrl":               maxLength(policy.MaxItemPictureURLLength),
	"baseValueCents":              between(1, int64(policy.MaxPrice)),
	"amountCents":                 between(int64(policy.MinDeposit), int64(policy.MaxDeposit)),
	"priceCents":                  between(1, int64(policy.MaxPrice)),
	"inventoryIds":                {MinItems: ptr(1), MaxItems: ptr(policy.MaxSoldBack)},
	"POST /api/inventory/quotes inventoryIds": {MinItems: ptr(1), MaxItems: ptr(policy.MaxQuotes)},
	"minPayoutCents":                               between(1, int64(policy.MaxPayout)),
	"expectedPriceCents":                           between(1, int64(policy.MaxPrice)),
	"confirmedCents":                               between(1, int64(policy.MaxPrice)),
	"lowestBidCents":                               between(1, int64(policy.MaxPrice)),
	"ignoreColumns":                                {MaxItems: ptr(1000)}, // more suggest a wrong file
	"lines":                                        {MinItems: ptr(1), MaxItems: ptr(policy.MaxSoldBack)},
	"POST /api/marketplace/cart lines":             {MinItems: ptr(1), MaxItems: ptr(policy.MaxCartSize)},
	"pegPercent":                                   between(int64(protocol.MinPeg), int64(protocol.MaxPeg)),
	"capCents":                                     between(int64(policy.MinBid), int64(policy.MaxPrice)),
	"quantity":                                     between(1, policy.MaxBidQuantity),
	"listing":                                      between(0, int64(policy.MaxRate)),
	"bid":                                          between(0, int64(policy.MaxRate)),
	"counter":                                      between(0, int64(policy.MaxRate)),
	"POST /api/bids priceCents":                    between(int64(policy.MinBid), int64(policy.MaxPrice)),
	"PUT /api/bids/{id} priceCents":                between(int64(policy.MinBid), int64(policy.MaxPrice)),
	"POST /api/bids confirmedCents":                between(int64(policy.MinBid), int64(policy.MaxPrice)),
	"PUT /api/bids/{id} confirmedCents":            between(int64(policy.MinBid), int64(policy.MaxPrice)),
	"POST /api/packs/{id}/checkout id":             maxLength(policy.MaxIDLength),
	"POST /api/admin/items name":                   maxLength(policy.MaxItemNameLength),
	"POST /api/admin/packs name":                   maxLength(policy.MaxPackNameLength),
	"POST /api/admin/packs priceCents":             between(1, int64(policy.MaxPackPrice)),
	"POST /api/admin/packs supply":                 between(-1, policy.MaxSupply),
	"POST /api/admin/packs series":                 {MaxItems: ptr(policy.MaxSeriesPerPack)},
	"POST /api/redemptions inventoryIds":           {MinItems: ptr(1), MaxItems: ptr(policy.MaxClaimItems)},
	"POST /api/redemptions/challenge inventoryIds": {MinItems: ptr(1), MaxItems: ptr(policy.MaxClaimItems)},
	"POST /api/gifts inventoryIds":                 {MinItems: ptr(1), MaxItems: ptr(policy.MaxGiftItems)},
	"POST /api/gifts/challenge inventoryIds":       {MinItems: ptr(1), MaxItems: ptr(policy.MaxGiftItems)},
	"POST /api/gifts walletAddress":                maxLength(policy.MaxIDLength),
	"POST /api/gifts/challenge walletAddress":      maxLength(policy.MaxIDLength),
	"POST /api/redemptions name":                   maxLength(policy.MaxAddressLineLength),
	"POST /api/redemptions/challenge name":         maxLength(policy.MaxAddressLineLength),
	"nameZh":                                       maxLength(policy.MaxPackNameLength),
	"line1":                                        maxLength(policy.MaxAddressLineLength),
	"line2":                                        maxLength(policy.MaxAddressLineLength),
	"district":                                     maxLength(policy.MaxAddressLineLength),
	"city":                                         maxLength(policy.MaxAddressLineLength),
	"region":                                       maxLength(policy.MaxAddressLineLength),
	"postalCode":                                   maxLength(policy.MaxAddressLineLength),
	"phone":                                        maxLength(policy.MaxAddressLineLength),
	"signature":                                    maxLength(100), // length of a Solana signature
	"belowCents":                                   between(1, int64(policy.MaxPrice)),
	"query":                                        maxLength(policy.MaxQueryLength),
	"POST /api/saved-searches name":                maxLength(policy.MaxSearchNameLength),
	"claims":                                       {MinItems: ptr(1), MaxItems: ptr(policy.MaxClaimsPerAct)},
	"confirmedAge":                                 between(1, 120), // human age
	"realityMinutes":                               between(0, policy.MaxRealityMinutes),
	"POST /api/limits/time-out days":               between(policy.MinTimeOutDays, policy.MaxTimeOutDays),
	"limits":                                       {MaxItems: ptr(6)}, // the number of limits
	"showcase":                                     {MaxItems: ptr(policy.MaxShowcase)},
	"POST /api/admin/packs acceptedLossCents":      between(1, int64(policy.MaxAcceptedLoss)),
	"POST /api/admin/packs itemsPerPack":           between(1, policy.MaxItemsPerPack),
	"PATCH /api/admin/items/{id} name":             maxLength(policy.MaxItemNameLength),
	"PATCH /api/admin/items/{id} count":            between(-policy.MaxRestock, policy.MaxRestock),
	"POST /api/admin/packs/preview name":           maxLength(policy.MaxPackNameLength),
	"POST /api/admin/packs/preview priceCents":     between(1, int64(policy.MaxPackPrice)),
	"POST /api/admin/packs/preview supply":         between(-1, policy.MaxSupply),
	"POST /api/admin/packs/preview series":         {MaxItems: ptr(policy.MaxSeriesPerPack)},
	"POST /api/admin/packs/preview acceptedLossCents": between(0, int64(policy.MaxAcceptedLoss)),
	"POST /api/admin/packs/preview itemsPerPack":      between(1, policy.MaxItemsPerPack),
	"PATCH /api/admin/packs/{id} name":                maxLength(policy.MaxPackNameLength),
	"PATCH /api/admin/packs/{id} priceCents":          between(1, int64(policy.MaxPackPrice)),
	"PATCH /api/admin/packs/{id} supply":              between(-1, policy.MaxSupply),
	"PATCH /api/admin/packs/{id} series":              {MaxItems: ptr(policy.MaxSeriesPerPack)},
	"PATCH /api/admin/packs/{id} acceptedLossCents":   between(0, int64(policy.MaxAcceptedLoss)),
	"PATCH /api/admin/packs/{id} itemsPerPack":        between(1, policy.MaxItemsPerPack),
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

package redemptions

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/Boostport/address"

	"kaibao/internal/httpkit"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// Shipping is where items are sent, for what, and by whom.
type Shipping struct {
	rates    map[string]ShippingRate // by country
	carriers map[string]Carrier
}

// ShippingRate is what a parcel to a country costs, beside the insurance.
type ShippingRate struct {
	Country     string      `json:"country" doc:"ISO 3166 alpha-2."`
	ParcelCents money.Cents `json:"parcelCents"`
	ItemCents   money.Cents `json:"itemCents" doc:"For each item in it."`
}

// Carrier is who brings parcels.
type Carrier struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	TrackingURL string `json:"trackingUrl" doc:"With {number} where the parcel's goes."`
}

//go:embed shipping.json
var ordinary []byte

// LoadShipping reads the table of a file, or the one that comes with the program.
func LoadShipping(path string) (Shipping, error) {
	text := ordinary
	if path != "" {
		var err error
		text, err = os.ReadFile(path)
		if err != nil {
			return Shipping{}, fmt.Errorf("shipping table: %w", err)
		}
	}
	s, err := parseShipping(text)
	if err != nil {
		return Shipping{}, fmt.Errorf("shipping table %s: %w", path, err)
	}
	return s, nil
}

func parseShipping(text []byte) (Shipping, error) {
	var table struct {
		Zones []struct {
			Countries              []string
			ParcelCents, ItemCents money.Cents
		}
		Carriers []Carrier
	}
	read := json.NewDecoder(bytes.NewReader(text))
	read.DisallowUnknownFields()
	if err := read.Decode(&table); err != nil {
		return Shipping{}, err
	}
	s := Shipping{map[string]ShippingRate{}, map[string]Carrier{}}
	for _, zone := range table.Zones {
		if zone.ParcelCents < 0 || zone.ItemCents < 0 || max(zone.ParcelCents, zone.ItemCents) > policy.HighestPrice {
			return s, fmt.Errorf("the zone of %v: no price", zone.Countries)
		}
		for _, country := range zone.Countries {
			if _, twice := s.rates[country]; twice || !known(country) {
				return s, fmt.Errorf("country %q is not known, or named twice", country)
			}
			s.rates[country] = ShippingRate{country, zone.ParcelCents, zone.ItemCents}
		}
	}
	for _, c := range table.Carriers {
		if u, err := url.Parse(c.TrackingURL); err != nil || u.Scheme != "https" || !httpkit.IsID(c.ID) || c.Name == "" {
			return s, fmt.Errorf("carrier %q needs an id of small letters, a name and an https address", c.ID)
		}
		s.carriers[c.ID] = c
	}
	return s, nil
}

// Only leaves out all countries but some, without any none; each must be one where parcels
// go.
func (s Shipping) Only(countries []string) (Shipping, error) {
	if len(countries) == 0 {
		return s, nil
	}
	only := Shipping{map[string]ShippingRate{}, s.carriers}
	for _, c := range countries {
		rate, ships := s.rates[c]
		if !ships {
			return s, fmt.Errorf("the house's rules allow sending to %s, for which the shipping table has no price", c)
		}
		only.rates[c] = rate
	}
	return only, nil
}

// known tells whether the library has a country; ZZ are its defaults.
func known(country string) bool {
	return country != "ZZ" && !errors.Is(address.Validate(address.Address{Country: country}), address.ErrInvalidCountryCode)
}

// Price is what sending some items of a value together costs.
func (r ShippingRate) Price(items int, value money.Cents) money.Cents {
	return r.ParcelCents + money.Cents(items)*r.ItemCents + policy.Insurance(value)
}

// Rates lists where items are sent, by country.
func (s Shipping) Rates() []ShippingRate {
	return slices.SortedFunc(maps.Values(s.rates), func(a, b ShippingRate) int { return strings.Compare(a.Country, b.Country) })
}

// Carriers lists who brings them, by id.
func (s Shipping) Carriers() []Carrier {
	return slices.SortedFunc(maps.Values(s.carriers), func(a, b Carrier) int { return strings.Compare(a.ID, b.ID) })
}

// track is where a parcel can be followed; empty for a carrier that is not in the table
// any more.
func (s Shipping) track(carrier, number string) string {
	return strings.ReplaceAll(s.carriers[carrier].TrackingURL, "{number}", url.QueryEscape(number))
}

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

	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// ShippingTable has the countries Kaibao ships to with their prices, and the carriers.
type ShippingTable struct {
	rates    map[string]ShippingRate // by country
	carriers map[string]Carrier
}

// ShippingRate is the price of a parcel to a country, without insurance.
type ShippingRate struct {
	Country     string      `json:"country" doc:"ISO 3166 alpha-2."`
	ParcelCents money.Cents `json:"parcelCents"`
	ItemCents   money.Cents `json:"itemCents" doc:"Price for each item."`
}

// Carrier is a parcel service.
type Carrier struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	TrackingURL string `json:"trackingUrl" doc:"{number} is replaced by the tracking number."`
}

//go:embed shipping.json
var builtInTable []byte

// LoadShipping reads the shipping table at path, or the built-in one if path is empty.
func LoadShipping(path string) (ShippingTable, error) {
	text := builtInTable
	if path != "" {
		var err error
		text, err = os.ReadFile(path)
		if err != nil {
			return ShippingTable{}, fmt.Errorf("shipping table: %w", err)
		}
	}
	s, err := parseShipping(text)
	if err != nil {
		return ShippingTable{}, fmt.Errorf("shipping table %s: %w", path, err)
	}
	return s, nil
}

func parseShipping(text []byte) (ShippingTable, error) {
	var table struct {
		Zones []struct {
			Countries              []string
			ParcelCents, ItemCents money.Cents
		}
		Carriers []Carrier
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&table); err != nil {
		return ShippingTable{}, err
	}
	s := ShippingTable{map[string]ShippingRate{}, map[string]Carrier{}}
	for _, zone := range table.Zones {
		if zone.ParcelCents < 0 || zone.ItemCents < 0 || max(zone.ParcelCents, zone.ItemCents) > policy.MaxPrice {
			return s, fmt.Errorf("the prices of zone %v must be from 0 to %s", zone.Countries, policy.MaxPrice)
		}
		for _, country := range zone.Countries {
			if !isKnownCountry(country) {
				return s, fmt.Errorf("country %q is unknown", country)
			}
			if _, duplicate := s.rates[country]; duplicate {
				return s, fmt.Errorf("country %q is listed twice", country)
			}
			s.rates[country] = ShippingRate{country, zone.ParcelCents, zone.ItemCents}
		}
	}
	for _, c := range table.Carriers {
		if u, err := url.Parse(c.TrackingURL); err != nil || u.Scheme != "https" || !db.IsID(c.ID) || c.Name == "" {
			return s, fmt.Errorf("carrier %q needs a valid id, a name and a trackingUrl that starts with https", c.ID)
		}
		s.carriers[c.ID] = c
	}
	return s, nil
}

// Restrict returns the table for the given countries only, or for all its countries if none are
// given. It fails if the table lacks one of them.
func (s ShippingTable) Restrict(countries []string) (ShippingTable, error) {
	if len(countries) == 0 {
		return s, nil
	}
	restricted := ShippingTable{map[string]ShippingRate{}, s.carriers}
	for _, c := range countries {
		rate, ships := s.rates[c]
		if !ships {
			return s, fmt.Errorf("the house rules allow shipping to %s, but the shipping table has no price for it", c)
		}
		restricted.rates[c] = rate
	}
	return restricted, nil
}

// isKnownCountry reports whether the address library knows a country. ZZ is the code of its defaults.
func isKnownCountry(country string) bool {
	return country != "ZZ" && !errors.Is(address.Validate(address.Address{Country: country}), address.ErrInvalidCountryCode)
}

// Price returns the cost of shipping items with a total value, including insurance.
func (r ShippingRate) Price(items int, value money.Cents) money.Cents {
	return r.ParcelCents + money.Cents(items)*r.ItemCents + policy.Insurance(value)
}

// Rates returns the rates sorted by country.
func (s ShippingTable) Rates() []ShippingRate {
	return slices.SortedFunc(maps.Values(s.rates), func(a, b ShippingRate) int { return strings.Compare(a.Country, b.Country) })
}

// Carriers returns the carriers sorted by id.
func (s ShippingTable) Carriers() []Carrier {
	return slices.SortedFunc(maps.Values(s.carriers), func(a, b Carrier) int { return strings.Compare(a.ID, b.ID) })
}

// trackingURL returns the tracking URL of a parcel, or an empty string if the carrier is no longer
// in the table.
func (s ShippingTable) trackingURL(carrier, number string) string {
	return strings.ReplaceAll(s.carriers[carrier].TrackingURL, "{number}", url.QueryEscape(number))
}

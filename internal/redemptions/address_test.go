package redemptions

import (
	"html"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/Boostport/address"

	"kaibao/internal/apperr"
	"kaibao/internal/money"
)

// Valid addresses of twenty countries, each with a change that makes one field invalid.
var addresses = []struct {
	good  Address
	spoil func(*Address)
	wrong string
}{
	{Address{Line1: "长安街1号", City: "安庆市", Region: "34", PostalCode: "246000", Country: "CN"}, func(a *Address) { a.City = "Berlin" }, "city"},
	{Address{Line1: "1 Peking Road", Region: "Kowloon", Country: "HK"}, func(a *Address) { a.Region = "" }, "region"},
	{Address{Line1: "1600 Pennsylvania Ave", City: "Washington", Region: "DC", PostalCode: "20500", Country: "US"}, func(a *Address) { a.PostalCode = "90210" }, "postalCode"},
	{Address{Line1: "24 Sussex Drive", City: "Ottawa", Region: "ON", PostalCode: "K1M 1M4", Country: "CA"}, func(a *Address) { a.Region = "XX" }, "region"},
	{Address{Line1: "Unter den Linden 77", City: "Berlin", PostalCode: "10117", Country: "DE"}, func(a *Address) { a.PostalCode = "1011" }, "postalCode"},
	{Address{Line1: "10 Downing Street", City: "London", PostalCode: "sw1a 2aa", Country: "GB"}, func(a *Address) { a.PostalCode = "10117" }, "postalCode"},
	{Address{Line1: "55 Rue du Faubourg", City: "Paris", PostalCode: "75008", Country: "FR"}, func(a *Address) { a.City = "" }, "city"},
	{Address{Line1: "1-1 Chiyoda", Region: "13", PostalCode: "100-0001", Country: "JP"}, func(a *Address) { a.City = "Tokyo" }, "city"},
	{Address{Line1: "1 Cheongwadae-ro", City: "북구", Region: "26", PostalCode: "46500", Country: "KR"}, func(a *Address) { a.PostalCode = "465" }, "postalCode"},
	{Address{Line1: "1 Orchard Road", PostalCode: "238801", Country: "SG"}, func(a *Address) { a.PostalCode = "" }, "postalCode"},
	{Address{Line1: "Via del Corso 1", City: "Roma", Region: "RM", PostalCode: "00186", Country: "IT"}, func(a *Address) { a.Region = "" }, "region"},
	{Address{Line1: "Calle Mayor 1", City: "Madrid", Region: "M", PostalCode: "28013", Country: "ES"}, func(a *Address) { a.Line1 = " " }, "line1"},
	{Address{Line1: "Dam 1", City: "Amsterdam", PostalCode: "1012 JS", Country: "NL"}, func(a *Address) { a.PostalCode = "12 JS" }, "postalCode"},
	{Address{Line1: "Bahnhofstrasse 1", City: "Zürich", PostalCode: "8001", Country: "CH"}, func(a *Address) { a.Region = "ZH" }, "region"},
	{Address{Line1: "Kärntner Straße 1", City: "Wien", PostalCode: "1010", Country: "AT"}, func(a *Address) { a.District = "Innere Stadt" }, "district"},
	{Address{Line1: "Drottninggatan 1", City: "Stockholm", PostalCode: "111 51", Country: "SE"}, func(a *Address) { a.Phone = "call me" }, "phone"},
	{Address{Line1: "Karl Johans gate 1", City: "Oslo", PostalCode: "0154", Country: "NO"}, func(a *Address) { a.Name = "\x07" }, "name"},
	{Address{Line1: "1 George Street", City: "Sydney", Region: "NSW", PostalCode: "2000", Country: "AU"}, func(a *Address) { a.PostalCode = "3000" }, "postalCode"},
	{Address{Line1: "1 Queen Street", City: "Auckland", PostalCode: "1010", Country: "NZ"}, func(a *Address) { a.Country = "ZZ" }, "country"},
	{Address{Line1: "Rua Augusta 1", City: "São Paulo", Region: "SP", PostalCode: "01305-000", Country: "BR"}, func(a *Address) { a.City = "Acrelândia" }, "city"},
	{Address{Line1: strings.Repeat("x", 100), City: "Warszawa", PostalCode: "00-001", Country: "PL"}, func(a *Address) { a.Line1 += "x" }, "line1"},
}

func TestAddressesOfTwentyCountries(t *testing.T) {
	for _, c := range addresses {
		c.good.Name = "Ann  Collector "
		checked, err := c.good.validate()
		if err != nil || checked.Name != "Ann Collector" || strings.ContainsAny(checked.PostalCode, "swa") {
			t.Errorf("%+v is normalized to %+v, %v", c.good, checked, err)
			continue
		}
		if label := checked.Label(); len(label) < 3 || !slices.ContainsFunc(label, func(line string) bool { return strings.EqualFold(line, "Ann Collector") }) {
			t.Errorf("%s: label %q", checked.Country, label)
		}
		bad := c.good
		c.spoil(&bad)
		_, err = bad.validate()
		if fields := slices.Collect(maps.Keys(apperr.As(err).Fields)); err == nil || !slices.Equal(fields, []string{"address." + c.wrong}) {
			t.Errorf("%s with an invalid %s: validate returns %v", bad.Country, c.wrong, err)
		}
	}
}

// Labels equal the library's, except for capitals, separators before missing parts, and HTML
// escapes.
func TestLabelMatchesLibrary(t *testing.T) {
	s, err := LoadShipping("")
	if err != nil {
		t.Fatal(err)
	}
	compare := func(a Address) {
		var want []string
		text := html.UnescapeString(address.PostalLabelFormatter{Output: address.StringOutputter{}}.Format(a.libraryAddress(), ""))
		for line := range strings.Lines(text) {
			line = strings.Trim(line, " ,-/\n")
			if line != "" {
				want = append(want, line)
			}
		}
		label := a.Label()
		// Compare in upper case, because Turkish has two lower-case forms of i.
		got, libraryLabel := strings.ToUpper(strings.Join(label[:len(label)-1], "\n")), strings.ToUpper(strings.Join(want, "\n"))
		if got != libraryLabel {
			t.Errorf("%+v: label %q, the library has %q", a, got, libraryLabel)
		}
	}
	for _, c := range addresses {
		c.good.Name = "Ann Collector"
		compare(c.good)
	}
	for _, rate := range s.Rates() {
		data := address.GetCountry(rate.Country)
		a := Address{Name: "Ann", Line1: "1", Line2: "2", PostalCode: "3", Country: rate.Country}
		compare(a)
		if slices.Contains([]string{"CL", "IN", "MX"}, rate.Country) {
			continue // the library shortens their regions; we write them out
		}
		for _, region := range data.AdministrativeAreas[data.DefaultLanguage] {
			a.Region, a.City, a.District = region.ID, "Town", "Part"
			compare(a)
			if len(region.Localities) > 0 {
				a.City = region.Localities[0].ID
				compare(a)
			}
		}
	}
}

func TestLabelKeepsSpecialCharacters(t *testing.T) {
	a := Address{Name: "Ann O'Neil & <Co>", Line1: "1600 Pennsylvania Ave", City: "Washington", Region: "DC", PostalCode: "20500", Country: "US"}
	if want := []string{"Ann O'Neil & <Co>", "1600 Pennsylvania Ave", "WASHINGTON, DC 20500", "UNITED STATES"}; !slices.Equal(a.Label(), want) {
		t.Errorf("label %q, want %q", a.Label(), want)
	}
}

// A form requires the same fields as Address.validate.
func TestFormMatchesValidation(t *testing.T) {
	s, err := LoadShipping("")
	if err != nil {
		t.Fatal(err)
	}
	for _, rate := range s.Rates() {
		for _, language := range []string{"en", "zh"} {
			form := newAddressForm(rate.Country, language, "", "")
			_, err := Address{Country: rate.Country}.validate()
			var required []string
			for _, f := range form.Fields {
				if f.Required {
					required = append(required, "address."+f.Name)
				}
			}
			slices.Sort(required)
			if missing := slices.Sorted(maps.Keys(apperr.As(err).Fields)); !slices.Equal(missing, required) {
				t.Errorf("%s: the form requires %v, validate requires %v", rate.Country, required, missing)
			}
		}
	}
	china := newAddressForm("CN", "zh", "34", "安庆市")
	fields := map[string]AddressField{}
	for _, f := range china.Fields {
		fields[f.Name] = f
	}
	if len(fields["region"].Options) != 31 || len(fields["city"].Options) == 0 || len(fields["district"].Options) == 0 || fields["city"].Within != "region" {
		t.Errorf("the form of China is %+v", fields)
	}
	if first := fields["region"].Options[0].Name; !strings.ContainsAny(first, "省市区") {
		t.Errorf("the first region in Chinese is %s", first)
	}
}

func TestShippingTableValidation(t *testing.T) {
	for problem, text := range map[string]string{
		"unknown country": `{"zones": [{"countries": ["ZZ"]}]}`,
		"listed twice":    `{"zones": [{"countries": ["DE"]}, {"countries": ["DE"]}]}`,
		"negative price":  `{"zones": [{"countries": ["DE"], "parcelCents": -1}]}`,
		"unknown field":   `{"zones": [{"countries": ["DE"], "cents": 1}]}`,
		"not https":       `{"carriers": [{"id": "x", "name": "X", "trackingUrl": "http://x.example/{number}"}]}`,
		"not JSON":        `{`,
	} {
		if _, err := parseShipping([]byte(text)); err == nil {
			t.Errorf("a table is accepted in spite of: %s", problem)
		}
	}
	rate := ShippingRate{ParcelCents: 1000, ItemCents: 100}
	for value, price := range map[int64]int64{0: 1200, 500_00: 1200, 500_49: 1200, 500_50: 1201, 1500_00: 2200} {
		if got := rate.Price(2, money.Cents(value)); int64(got) != price {
			t.Errorf("shipping two items of %d costs %d, want %d", value, got, price)
		}
	}
}

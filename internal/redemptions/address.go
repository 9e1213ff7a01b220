package redemptions

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/Boostport/address"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"kaibao/internal/apperr"
	"kaibao/internal/policy"
)

// Address is the postal address of a claim.
type Address struct {
	Name       string `json:"name" minLength:"1" maxLength:"100"`
	Line1      string `json:"line1" minLength:"1" maxLength:"100"`
	Line2      string `json:"line2,omitempty" maxLength:"100"`
	District   string `json:"district,omitempty" maxLength:"100"`
	City       string `json:"city,omitempty" maxLength:"100"`
	Region     string `json:"region,omitempty" maxLength:"100" doc:"An id of GET /api/redemptions/address-form where it lists some."`
	PostalCode string `json:"postalCode,omitempty" maxLength:"100"`
	Country    string `json:"country" pattern:"^[A-Z]{2}$" doc:"ISO 3166 alpha-2."`
	Phone      string `json:"phone,omitempty" maxLength:"100"`
}

// names maps the library's fields to those of the API.
var names = map[address.Field]string{
	address.Name: "name", address.StreetAddress: "line1", address.DependentLocality: "district", address.Locality: "city",
	address.AdministrativeArea: "region", address.PostCode: "postalCode",
}

var phones = regexp.MustCompile(`^\+?\(?[0-9][0-9 ()./-]{4,30}(?: ext\. [0-9]{1,8})?$`)

// fields returns pointers to the fields of an address, by name.
func (a *Address) fields() map[string]*string {
	return map[string]*string{
		"name": &a.Name, "line1": &a.Line1, "line2": &a.Line2, "district": &a.District, "city": &a.City, "region": &a.Region,
		"postalCode": &a.PostalCode, "country": &a.Country, "phone": &a.Phone,
	}
}

// check returns the address in the form that is stored and signed, or refuses every field that is
// invalid for its country. It removes extra spaces and invisible characters, and normalizes the
// post code and phone number. It is idempotent.
func (a Address) check() (Address, error) {
	wrong := map[string]string{}
	for name, text := range a.fields() {
		*text = visible(*text)
		switch {
		case apperr.Short(name, *text, policy.LongestLine) != nil:
			wrong[name] = fmt.Sprintf("must have at most %d characters", policy.LongestLine)
		case strings.ContainsFunc(*text, func(r rune) bool { return !unicode.IsPrint(r) && !joins(r) }):
			wrong[name] = "has characters that cannot be printed"
		}
	}
	a.PostalCode, a.Phone = postCode(a.PostalCode, a.Country), phone(a.Phone)
	for _, required := range []string{"name", "line1"} {
		if *a.fields()[required] == "" {
			wrong[required] = "is required"
		}
	}
	if a.Phone != "" && !phones.MatchString(a.Phone) {
		wrong["phone"] = "must be a telephone number"
	}
	a.byCountry(wrong)
	if len(wrong) == 0 {
		return a, nil
	}
	fields := map[string]string{}
	for name, why := range wrong {
		fields["address."+name] = why
	}
	return a, apperr.New(apperr.Invalid, "This address cannot be sent to: "+strings.Join(slices.Sorted(maps.Keys(wrong)), ", ")+".").WithFields(fields)
}

// spelling has the post code and phone number as typed, if they differ from the checked address.
type spelling struct {
	PostalCode string `json:"postalCode,omitempty"`
	Phone      string `json:"phone,omitempty"`
}

// spelled returns the original spelling of a checked address.
func (a Address) spelled(typed Address) (s spelling) {
	if text := visible(typed.PostalCode); text != a.PostalCode {
		s.PostalCode = text
	}
	if text := visible(typed.Phone); text != a.Phone {
		s.Phone = text
	}
	return s
}

// as returns the address in its original spelling.
func (a Address) as(s spelling) Address {
	a.PostalCode, a.Phone = cmp.Or(s.PostalCode, a.PostalCode), cmp.Or(s.Phone, a.Phone)
	return a
}

// byCountry adds the library's errors.
func (a Address) byCountry(wrong map[string]string) {
	if !known(a.Country) {
		wrong["country"] = "is not one that is known"
		return
	}
	err := address.Validate(a.postal())
	if missing, ok := errors.AsType[address.ErrMissingRequiredFields](err); ok {
		for _, f := range missing.Fields {
			wrong[names[f]] = "is required"
		}
	}
	if extra, ok := errors.AsType[address.ErrUnsupportedFields](err); ok {
		for _, f := range extra.Fields {
			wrong[names[f]] = "is not used in this country"
		}
	}
	for why, name := range map[error]string{
		address.ErrInvalidAdministrativeArea: "region", address.ErrInvalidLocality: "city",
		address.ErrInvalidDependentLocality: "district", address.ErrInvalidPostCode: "postalCode",
	} {
		if errors.Is(err, why) {
			wrong[name] = "is not one of this country"
		}
	}
}

// postal converts the address for the library.
func (a Address) postal() address.Address {
	p := address.Address{
		Country: a.Country, Name: a.Name, StreetAddress: []string{a.Line1}, DependentLocality: a.District,
		Locality: a.City, AdministrativeArea: a.Region, PostCode: a.PostalCode,
	}
	if a.Line2 != "" {
		p.StreetAddress = append(p.StreetAddress, a.Line2)
	}
	return p
}

// Label returns the lines of the address label in the country's format. Sorting fields are in
// capitals, as the Universal Postal Union asks. The library's own formatter returns escaped HTML
// even for plain text, such as O&#39;Neil.
func (a Address) Label() []string {
	data := address.GetCountry(a.Country)
	areas := data.AdministrativeAreas[data.DefaultLanguage]
	region := a.Region
	if !slices.Contains(coded, a.Country) {
		region = nameOf(region, regions(areas))
	}
	text := strings.NewReplacer(
		"%n", "\n", "%N", a.Name, "%O", "", "%A", a.Line1+"\n"+a.Line2, "%X", "", "%Z", a.PostalCode,
		"%D", nameOf(a.District, districts(areas, a.Region, a.City)),
		"%C", strings.ToUpper(nameOf(a.City, cities(areas, a.Region))), "%S", strings.ToUpper(region),
	).Replace(data.Format)
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.Trim(line, " ,-/\n")
		if line != "" {
			lines = append(lines, line)
		}
	}
	return append(lines, strings.ToUpper(display.English.Regions().Name(language.MustParseRegion(a.Country))))
}

// coded lists the countries whose labels show the region's id, such as CA. In Hong Kong the id is
// in the language in which it was chosen.
var coded = []string{"AU", "BR", "CA", "ES", "HK", "IT", "US"}

// nameOf returns the name of the option with an id, or the id if there is none.
func nameOf(id string, options []AddressOption) string {
	for _, o := range options {
		if o.ID == id {
			return o.Name
		}
	}
	return id
}

// hash returns the hash of the address for the signed message. The salt prevents finding the
// address by brute force.
func (a Address) hash(salt []byte) (string, error) {
	text, err := json.Marshal(a)
	sum := sha256.Sum256(slices.Concat([]byte("kaibao-address/v1\n"), salt, text))
	return hex.EncodeToString(sum[:]), err
}

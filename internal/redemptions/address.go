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
	"kaibao/internal/db"
	"kaibao/internal/policy"
)

// Address is the postal address of a claim.
type Address struct {
	Name       string `json:"name" minLength:"1" maxLength:"100"`
	Line1      string `json:"line1" minLength:"1" maxLength:"100"`
	Line2      string `json:"line2,omitempty" maxLength:"100"`
	District   string `json:"district,omitempty" maxLength:"100"`
	City       string `json:"city,omitempty" maxLength:"100"`
	Region     string `json:"region,omitempty" maxLength:"100" doc:"An id from GET /api/redemptions/address-form, if the country has a list."`
	PostalCode string `json:"postalCode,omitempty" maxLength:"100"`
	Country    string `json:"country" pattern:"^[A-Z]{2}$" doc:"ISO 3166 alpha-2."`
	Phone      string `json:"phone,omitempty" maxLength:"100"`
}

// fieldNames maps the address library's fields to the API's field names.
var fieldNames = map[address.Field]string{
	address.Name: "name", address.StreetAddress: "line1", address.DependentLocality: "district", address.Locality: "city",
	address.AdministrativeArea: "region", address.PostCode: "postalCode",
}

var phonePattern = regexp.MustCompile(`^\+?\(?[0-9][0-9 ()./-]{4,30}(?: ext\. [0-9]{1,8})?$`)

// fieldsByName returns pointers to the fields of an address, by name.
func (a *Address) fieldsByName() map[string]*string {
	return map[string]*string{
		"name": &a.Name, "line1": &a.Line1, "line2": &a.Line2, "district": &a.District, "city": &a.City, "region": &a.Region,
		"postalCode": &a.PostalCode, "country": &a.Country, "phone": &a.Phone,
	}
}

// validate returns the address in the form that is stored and signed, or refuses every field that is
// invalid for its country. It removes extra spaces and invisible characters, and normalizes the
// post code and phone number. It is idempotent.
func (a Address) validate() (Address, error) {
	problems := map[string]string{}
	for name, text := range a.fieldsByName() {
		*text = stripInvisible(*text)
		switch {
		case apperr.CheckMaxLength(name, *text, policy.MaxAddressLineLength) != nil:
			problems[name] = fmt.Sprintf("must have at most %d characters", policy.MaxAddressLineLength)
		case strings.ContainsFunc(*text, func(r rune) bool { return !unicode.IsPrint(r) && !isJoiner(r) }):
			problems[name] = "has unprintable characters"
		}
	}
	a.PostalCode, a.Phone = normalizePostCode(a.PostalCode, a.Country), normalizePhone(a.Phone)
	for _, required := range []string{"name", "line1"} {
		if *a.fieldsByName()[required] == "" {
			problems[required] = "is required"
		}
	}
	if a.Phone != "" && !phonePattern.MatchString(a.Phone) {
		problems["phone"] = "must be a phone number"
	}
	a.validateForCountry(problems)
	if len(problems) == 0 {
		return a, nil
	}
	fields := map[string]string{}
	for name, problem := range problems {
		fields["address."+name] = problem
	}
	return a, apperr.New(apperr.Invalid, "We can't ship to this address. Check these fields: "+strings.Join(slices.Sorted(maps.Keys(problems)), ", ")+".").WithFields(fields)
}

// originalSpelling has the post code and phone number as typed, if they differ from the normalized address.
type originalSpelling struct {
	PostalCode string `json:"postalCode,omitempty"`
	Phone      string `json:"phone,omitempty"`
}

// newOriginalSpelling returns the spelling of a typed address that was normalized.
func newOriginalSpelling(typed, normalized Address) (s originalSpelling) {
	if text := stripInvisible(typed.PostalCode); text != normalized.PostalCode {
		s.PostalCode = text
	}
	if text := stripInvisible(typed.Phone); text != normalized.Phone {
		s.Phone = text
	}
	return s
}

// withSpelling returns the address in its original spelling.
func (a Address) withSpelling(s originalSpelling) Address {
	a.PostalCode, a.Phone = cmp.Or(s.PostalCode, a.PostalCode), cmp.Or(s.Phone, a.Phone)
	return a
}

// validateForCountry adds the errors that the address library finds, by field name.
func (a Address) validateForCountry(problems map[string]string) {
	if !isKnownCountry(a.Country) {
		problems["country"] = "is not a known country"
		return
	}
	err := address.Validate(a.libraryAddress())
	if missing, ok := errors.AsType[address.ErrMissingRequiredFields](err); ok {
		for _, f := range missing.Fields {
			problems[fieldNames[f]] = "is required"
		}
	}
	if extra, ok := errors.AsType[address.ErrUnsupportedFields](err); ok {
		for _, f := range extra.Fields {
			problems[fieldNames[f]] = "is not used in this country"
		}
	}
	for libraryErr, name := range map[error]string{
		address.ErrInvalidAdministrativeArea: "region", address.ErrInvalidLocality: "city",
		address.ErrInvalidDependentLocality: "district", address.ErrInvalidPostCode: "postalCode",
	} {
		if errors.Is(err, libraryErr) {
			problems[name] = "is not valid for this country"
		}
	}
}

// libraryAddress returns the address in the format of the address library.
func (a Address) libraryAddress() address.Address {
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
	if !slices.Contains(regionCodeCountries, a.Country) {
		region = optionName(region, regionOptions(areas))
	}
	text := strings.NewReplacer(
		"%n", "\n", "%N", a.Name, "%O", "", "%A", a.Line1+"\n"+a.Line2, "%X", "", "%Z", a.PostalCode,
		"%D", optionName(a.District, districtOptions(areas, a.Region, a.City)),
		"%C", strings.ToUpper(optionName(a.City, cityOptions(areas, a.Region))), "%S", strings.ToUpper(region),
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

// regionCodeCountries lists the countries whose labels show the region's id, such as CA. In Hong Kong the id is
// in the language in which it was chosen.
var regionCodeCountries = []string{"AU", "BR", "CA", "ES", "HK", "IT", "US"}

// optionName returns the name of the option with an id, or the id if there is none.
func optionName(id string, options []AddressOption) string {
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

// PersonalAddresses returns a user's shipping addresses by claim, for the export of their data.
func (s *Service) PersonalAddresses(tx *db.Tx, user string) (map[string]Delivery, error) {
	claims, err := claimsOf(tx, user)
	if err != nil || len(claims) == 0 {
		return map[string]Delivery{}, err
	}
	return s.loadDeliveries(tx, claims)
}

package redemptions

import (
	"cmp"
	"slices"

	"github.com/Boostport/address"
)

// AddressForm describes the address fields of a country.
type AddressForm struct {
	Country string         `json:"country"`
	Fields  []AddressField `json:"fields" nullable:"false" doc:"In display order. Fields that aren't listed aren't used in this country."`
}

// AddressField is one field of an address.
type AddressField struct {
	Name     string          `json:"name" enum:"name,line1,line2,district,city,region,postalCode,phone"`
	Kind     string          `json:"kind" doc:"The local name of the field, such as Prefecture or ZipCode; empty if it is the same everywhere."`
	Required bool            `json:"required"`
	Pattern  string          `json:"pattern,omitempty" doc:"Pattern of valid values in uppercase."`
	Options  []AddressOption `json:"options,omitempty" doc:"Allowed values by id. Options of a city depend on the region, and those of a district on the city."`
	Within   string          `json:"within,omitempty" enum:"region,city" doc:"The field that the options depend on."`
}

// AddressOption is an allowed value of a field.
type AddressOption struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// formFields lists the fields in the order in which forms show them. The region comes before the city
// because a country's cities may depend on it.
var formFields = []address.Field{
	address.Name, address.StreetAddress, address.AdministrativeArea, address.Locality, address.DependentLocality, address.PostCode,
}

// newAddressForm returns the address form of a country, in the given language if the library has it. region
// and city are the values chosen so far.
func newAddressForm(country, language, region, city string) AddressForm {
	data := address.GetCountry(country)
	form := AddressForm{Country: country}
	areas := areasInLanguage(data, language)
	for _, f := range formFields {
		required := f == address.Name || slices.Contains(data.Required, f)
		if !required && !slices.Contains(data.Allowed, f) {
			continue
		}
		field := AddressField{Name: fieldNames[f], Required: required}
		switch f {
		case address.AdministrativeArea:
			field.Kind, field.Options = data.AdministrativeAreaNameType.String(), regionOptions(areas)
		case address.Locality:
			field.Kind, field.Options, field.Within = data.LocalityNameType.String(), cityOptions(areas, region), parentField(areas, "region")
		case address.DependentLocality:
			field.Kind, field.Options, field.Within = data.DependentLocalityNameType.String(), districtOptions(areas, region, city), parentField(areas, "city")
		case address.PostCode:
			field.Kind, field.Pattern = data.PostCodeNameType.String(), data.PostCodeRegex.Regex
		}
		form.Fields = append(form.Fields, field)
		if f == address.StreetAddress {
			form.Fields = append(form.Fields, AddressField{Name: "line2"})
		}
	}
	form.Fields = append(form.Fields, AddressField{Name: "phone", Pattern: phonePattern.String()})
	return form
}

// areasInLanguage returns a country's regions with their names in the given language (for Chinese, in
// simplified or else traditional characters), else in English, else in the local language.
func areasInLanguage(data address.CountryData, language string) []address.AdministrativeAreaData {
	for _, l := range []string{language, "zh-Hant", "en", data.DefaultLanguage} {
		if l == "zh-Hant" && language != "zh" {
			continue
		}
		if areas := data.AdministrativeAreas[l]; len(areas) > 0 {
			return areas
		}
	}
	return nil
}

// parentField returns the field that a field's options depend on, or an empty string.
func parentField(areas []address.AdministrativeAreaData, field string) string {
	for _, a := range areas {
		for _, l := range a.Localities {
			if field == "region" || len(l.DependentLocalities) > 0 {
				return field
			}
		}
	}
	return ""
}

func regionOptions(areas []address.AdministrativeAreaData) []AddressOption {
	var all []AddressOption
	for _, a := range areas {
		all = append(all, AddressOption{a.ID, cmp.Or(a.Name, a.ID)})
	}
	return all
}

func cityOptions(areas []address.AdministrativeAreaData, region string) []AddressOption {
	var all []AddressOption
	for _, a := range areas {
		for _, l := range a.Localities {
			if a.ID == region {
				all = append(all, AddressOption{l.ID, cmp.Or(l.Name, l.ID)})
			}
		}
	}
	return all
}

func districtOptions(areas []address.AdministrativeAreaData, region, city string) []AddressOption {
	var all []AddressOption
	for _, a := range areas {
		for _, l := range a.Localities {
			for _, d := range l.DependentLocalities {
				if a.ID == region && l.ID == city {
					all = append(all, AddressOption{d.ID, cmp.Or(d.Name, d.ID)})
				}
			}
		}
	}
	return all
}

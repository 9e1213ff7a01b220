package catalogue

import (
	"strings"

	"kaibao/internal/httpapi"
)

// Change is an admin's change to an item other than its value; omitted fields keep their value.
type Change struct {
	Name       *string                         `json:"name,omitempty" maxLength:"200" doc:"Must not be a number or a price. If it contains a grader or a grade, they must match the item's."`
	Series     *string                         `json:"series,omitempty" maxLength:"64"`
	Rarity     *string                         `json:"rarity,omitempty" enum:"Common,Rare,Epic,Legendary,Mythic,Grail"`
	Grade      httpapi.NullableUpdate[float64] `json:"grade,omitempty" minimum:"1" maximum:"10" multipleOf:"0.5" doc:"null for an ungraded item."`
	Grader     *string                         `json:"certType,omitempty" enum:"PSA,CGC," doc:"Empty removes the certificate, including certNumber."`
	CertNumber *string                         `json:"certNumber,omitempty" pattern:"^([0-9]{8,15})?$" patternDescription:"8 to 15 digits" doc:"Empty removes it."`
	Set        *string                         `json:"set,omitempty" maxLength:"64" doc:"The set within the series. Empty removes it, including setNumber."`
	SetNumber  *string                         `json:"setNumber,omitempty" maxLength:"20" doc:"Number in the set, as printed on the card. Empty removes it."`
	ImageURL   *string                         `json:"imageUrl,omitempty" maxLength:"2000" doc:"Empty for a generated picture."`
	IsActive   *bool                           `json:"isActive,omitempty" doc:"false retires the item: new manifests don't draw it, and its owners keep it."`
}

// Apply returns the item after the change.
func (c Change) Apply(before Item) Item {
	after := before
	for _, field := range []struct{ to, from *string }{
		{&after.Name, c.Name}, {&after.Series, c.Series}, {&after.Rarity, c.Rarity},
		{&after.Grader, c.Grader}, {&after.CertNumber, c.CertNumber}, {&after.Set, c.Set}, {&after.SetNumber, c.SetNumber},
		{&after.ImageURL, c.ImageURL},
	} {
		if field.from != nil {
			*field.to = strings.TrimSpace(*field.from)
		}
	}
	if after.Set == "" && c.SetNumber == nil {
		after.SetNumber = ""
	}
	if c.Grade.Given {
		after.GradeTenths = tenths(c.Grade.Value)
	}
	if c.IsActive != nil {
		after.Active = *c.IsActive
	}
	return after
}

// DrawDiffers reports whether packs draw the item differently than before.
func (i Item) DrawDiffers(before Item) bool {
	return i.BaseValue != before.BaseValue || i.Rarity != before.Rarity || i.Series != before.Series || i.Active != before.Active
}

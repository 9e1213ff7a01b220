package catalogue

import (
	"strings"

	"kaibao/internal/httpkit"
)

// Change is an admin's change to an item other than its value; omitted fields keep their value.
type Change struct {
	Name       *string                   `json:"name,omitempty" maxLength:"200" doc:"Not a number or a price. A grader and a grade in it must be those of the item."`
	Series     *string                   `json:"series,omitempty" maxLength:"64"`
	Rarity     *string                   `json:"rarity,omitempty" enum:"Common,Rare,Epic,Legendary,Mythic,Grail"`
	Grade      httpkit.Replaced[float64] `json:"grade,omitempty" minimum:"1" maximum:"10" multipleOf:"0.5" doc:"null = it is not graded."`
	Grader     *string                   `json:"certType,omitempty" enum:"PSA,CGC," doc:"Empty = it has no certificate, nor a certNumber."`
	CertNumber *string                   `json:"certNumber,omitempty" pattern:"^([0-9]{8,15})?$" patternDescription:"8 to 15 digits" doc:"Empty = none."`
	ImageURL   *string                   `json:"imageUrl,omitempty" maxLength:"2000" doc:"Empty = the picture is drawn."`
	IsActive   *bool                     `json:"isActive,omitempty" doc:"false retires it: no manifest made from now on draws it, and whoever owns one keeps it."`
}

// Of returns the item after the change.
func (c Change) Of(before Item) Item {
	after := before
	for _, field := range []struct{ to, from *string }{
		{&after.Name, c.Name}, {&after.Series, c.Series}, {&after.Rarity, c.Rarity},
		{&after.Grader, c.Grader}, {&after.CertNumber, c.CertNumber}, {&after.ImageURL, c.ImageURL},
	} {
		if field.from != nil {
			*field.to = strings.TrimSpace(*field.from)
		}
	}
	if c.Grade.Given {
		after.GradeTenths = tenths(c.Grade.Value)
	}
	if c.IsActive != nil {
		after.Active = *c.IsActive
	}
	return after
}

// DrawnOtherwise reports whether packs draw the item differently than before.
func (i Item) DrawnOtherwise(before Item) bool {
	return i.BaseValue != before.BaseValue || i.Rarity != before.Rarity || i.Series != before.Series || i.Active != before.Active
}

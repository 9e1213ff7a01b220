package catalogue

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"kaibao/internal/db"
	"kaibao/internal/fault"
	"kaibao/internal/httpkit"
	"kaibao/internal/money"
	"kaibao/internal/picture"
	"kaibao/internal/terms"
)

type itemInput struct {
	httpkit.Idempotent
	Body struct {
		Name           string      `json:"name" maxLength:"200" doc:"Not a number or a price. A grader and a grade in it must be those given."`
		Series         string      `json:"series" maxLength:"64"`
		Rarity         string      `json:"rarity" enum:"Common,Rare,Epic,Legendary,Mythic,Grail"`
		Grade          *float64    `json:"grade,omitempty" nullable:"true" minimum:"1" maximum:"10" multipleOf:"0.5" doc:"Without it the item is not graded."`
		Grader         string      `json:"certType,omitempty" enum:"PSA,CGC" doc:"Who graded it; with a certNumber."`
		CertNumber     string      `json:"certNumber,omitempty" pattern:"^[0-9]{8,15}$" patternDescription:"8 to 15 digits" doc:"What the grader printed on the label; with a certType."`
		ImageURL       string      `json:"imageUrl,omitempty" maxLength:"2000" doc:"Without it the picture is drawn."`
		BaseValueCents money.Cents `json:"baseValueCents" minimum:"1" maximum:"100000000"`
	}
}

// check refuses what the call's schema refuses, whoever asks.
func (in *itemInput) check() error {
	b := in.Body
	if !slices.Contains(Rarities, b.Rarity) {
		return fault.InvalidField("rarity", "must be one of "+strings.Join(Rarities, ", "))
	}
	if b.Grade != nil && (*b.Grade < terms.LeastGrade || *b.Grade > terms.MostGrade || *b.Grade*2 != math.Trunc(*b.Grade*2)) {
		return fault.InvalidField("grade", fmt.Sprintf("must be from %d to %d, in steps of 0.5", terms.LeastGrade, terms.MostGrade))
	}
	return cmp.Or(
		fault.Short("name", b.Name, terms.LongestItemName), fault.Short("series", b.Series, terms.LongestSeries), fault.Short("imageUrl", b.ImageURL, terms.LongestPicture),
		fault.Within("baseValueCents", int64(b.BaseValueCents), 1, int64(terms.HighestPrice)))
}

// create adds an item. Packs made from now on can hold it; a published manifest
// stays as it is.
func create(tx *db.Tx, caller httpkit.Principal, in *itemInput) (ItemView, error) {
	if err := in.check(); err != nil {
		return ItemView{}, err
	}
	item := in.item()
	if err := item.check(); err != nil {
		return ItemView{}, err
	}
	item.ID = tx.NewID()
	return item.View(), Add(tx, item, caller.UserID)
}

// item is what was asked for.
func (in *itemInput) item() Item {
	b := in.Body
	item := Item{
		Name: strings.TrimSpace(b.Name), Series: strings.TrimSpace(b.Series), Rarity: b.Rarity,
		Grader: b.Grader, CertNumber: b.CertNumber, ImageURL: b.ImageURL, BaseValue: b.BaseValueCents, Active: true,
	}
	if b.Grade != nil {
		item.GradeTenths = int64(math.Round(*b.Grade * 10))
	}
	return item
}

// check refuses an item that says nothing, or contradicts itself.
func (i Item) check() error {
	refused := fault.Fields{}
	if !IsName(i.Name) {
		refused["name"] = "must be a name, not a number or a price"
	}
	if !IsName(i.Series) {
		refused["series"] = "must be a name, not a number or a price"
	}
	if why := picture.Refusal(i.ImageURL); why != "" {
		refused["imageUrl"] = why
	}
	checkCertificate(i, refused)
	checkVerdict(i, refused)
	return refused.Err()
}

package catalogue

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"kaibao/internal/action"
	"kaibao/internal/adminlog"
	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/imageproxy"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

type itemInput struct {
	action.Idempotent
	Body struct {
		Name           string      `json:"name" maxLength:"200" doc:"Must not be a number or a price. If it contains a grader or a grade, they must match the fields."`
		Series         string      `json:"series" maxLength:"64"`
		Rarity         string      `json:"rarity" enum:"Common,Rare,Epic,Legendary,Mythic,Grail"`
		Grade          *float64    `json:"grade,omitempty" nullable:"true" minimum:"1" maximum:"10" multipleOf:"0.5" doc:"Leave it out for an ungraded item."`
		Grader         string      `json:"certType,omitempty" enum:"PSA,CGC" doc:"Grader of the certificate. Requires certNumber."`
		CertNumber     string      `json:"certNumber,omitempty" pattern:"^[0-9]{8,15}$" patternDescription:"8 to 15 digits" doc:"Certificate number on the label. Requires certType."`
		Set            string      `json:"set,omitempty" maxLength:"64" doc:"The set within the series, such as 1999 Pokemon Base Set. Leave it out for a card without one."`
		SetNumber      string      `json:"setNumber,omitempty" maxLength:"20" doc:"Number in the set, as printed on the card. Requires set."`
		ImageURL       string      `json:"imageUrl,omitempty" maxLength:"2000" doc:"Leave it out for a generated picture."`
		BaseValueCents money.Cents `json:"baseValueCents" minimum:"1" maximum:"100000000"`
	}
}

// Check refuses an item with missing, contradictory or out-of-range fields. Creating, editing and
// importing items all use it.
func (i Item) Check() error {
	refused := i.InvalidFields()
	if !slices.Contains(Rarities, i.Rarity) {
		refused["rarity"] = "must be one of " + strings.Join(Rarities, ", ")
	}
	if i.GradeTenths != 0 && (i.GradeTenths < 10*policy.MinGrade || i.GradeTenths > 10*policy.MaxGrade || i.GradeTenths%5 != 0) {
		refused["grade"] = fmt.Sprintf("must be from %d to %d, in steps of 0.5", policy.MinGrade, policy.MaxGrade)
	}
	for _, err := range []error{
		apperr.CheckMaxLength("name", i.Name, policy.MaxItemNameLength), apperr.CheckMaxLength("series", i.Series, policy.MaxSeriesLength), apperr.CheckMaxLength("imageUrl", i.ImageURL, policy.MaxItemPictureURLLength),
		apperr.CheckMaxLength("set", i.Set, policy.MaxSetLength), apperr.CheckMaxLength("setNumber", i.SetNumber, policy.MaxSetNumberLength),
		apperr.CheckRange("baseValueCents", int64(i.BaseValue), 1, int64(policy.MaxPrice)),
	} {
		if err != nil {
			refused.Add(apperr.As(err).Fields)
		}
	}
	return refused.Err()
}

// create adds an item. Only manifests published from now on can contain it.
func create(tx *db.Tx, caller httpapi.Principal, in *itemInput) (ItemView, error) {
	item := in.item()
	if err := item.Check(); err != nil {
		return ItemView{}, err
	}
	if err := LockCertificates(tx); err != nil {
		return ItemView{}, err
	}
	if err := CheckCertificate(tx, Item{}, item); err != nil {
		return ItemView{}, err
	}
	item.ID = tx.NewID()
	in.Changed(adminlog.Change{Subject: Subject(item.ID), After: item.View()})
	return item.View(), Add(tx, item, caller.UserID)
}

// item converts the request to an item.
func (in *itemInput) item() Item {
	b := in.Body
	return Item{
		Name: strings.TrimSpace(b.Name), Series: strings.TrimSpace(b.Series), Rarity: b.Rarity, GradeTenths: tenths(b.Grade),
		Grader: b.Grader, CertNumber: b.CertNumber, Set: strings.TrimSpace(b.Set), SetNumber: strings.TrimSpace(b.SetNumber), ImageURL: strings.TrimSpace(b.ImageURL), BaseValue: b.BaseValueCents, Active: true,
	}
}

// tenths converts a grade to tenths: 0 for nil, and −1 for anything that is not a multiple of a
// half.
func tenths(grade *float64) int64 {
	switch {
	case grade == nil:
		return 0
	case *grade*2 != math.Trunc(*grade*2) || math.Abs(*grade) > policy.MaxGrade || *grade == 0:
		return -1
	}
	return int64(*grade * 10)
}

// extraText matches characters that no URL contains, and a price appended to one: a number as its
// fragment, or separated from the file name of a picture. Elsewhere a URL may contain commas, $ and
// digits.
var extraText = regexp.MustCompile(`[ \p{Cc}"<>]|(?i)(?:#|\.(?:avif|gif|jpe?g|png|svg|webp)[,;|$¥€£￥])(?:us)?[$¥€£￥]?[0-9][0-9.,]*(?:e[+]?[0-9]+)?(?:usd)?$`)

// InvalidFields returns the fields that are invalid or contradict others, each with the reason.
func (i Item) InvalidFields() apperr.Fields {
	refused := apperr.Fields{}
	if !IsName(i.Name) {
		refused["name"] = "must be a name, not a number or a price"
	}
	if !IsName(i.Series) {
		refused["series"] = "must be a name, not a number or a price"
	}
	for field, text := range map[string]string{"name": i.Name, "series": i.Series, "set": i.Set, "setNumber": i.SetNumber} {
		if why := damageIn(text); why != "" {
			refused[field] = why
		}
	}
	if why := imageproxy.Refusal(i.ImageURL); why != "" {
		refused["imageUrl"] = why
	} else if strings.ContainsRune(i.ImageURL, utf8.RuneError) {
		refused["imageUrl"] = "contains the replacement character (\ufffd): enter the address again"
	} else if extraText.MatchString(i.ImageURL) {
		refused["imageUrl"] = "must contain only an address, without a price or other text"
	}
	checkCertificate(i, refused)
	checkSet(i, refused)
	checkVerdict(i, refused)
	return refused
}

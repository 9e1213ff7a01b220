package catalogue

import (
	"strconv"

	"kaibao/internal/art"
	"kaibao/internal/imageproxy"
	"kaibao/internal/money"
)

// ItemFacts holds the fields that items have in most responses.
type ItemFacts struct {
	ID         string   `json:"id"`
	Name       string   `json:"name"`
	Series     string   `json:"series"`
	Rarity     string   `json:"rarity" enum:"Common,Rare,Epic,Legendary,Mythic,Grail"`
	Grade      *float64 `json:"grade" nullable:"true"`
	CertNumber string   `json:"certNumber"`
	Set        string   `json:"set,omitempty" doc:"The set within the series, such as 1999 Pokemon Base Set; absent without one."`
	SetNumber  string   `json:"setNumber,omitempty" doc:"Its number in the set, as printed on the card; absent without one."`
	ImageURL   string   `json:"imageUrl"`
}

// Facts returns the common fields.
func (i Item) Facts() ItemFacts {
	return ItemFacts{
		ID: i.ID, Name: i.Name, Series: i.Series, Rarity: i.Rarity, Grade: i.Grade(), CertNumber: i.CertNumber,
		Set: i.Set, SetNumber: i.SetNumber, ImageURL: i.Picture(),
	}
}

// ItemView is a catalogue item in the API.
type ItemView struct {
	ItemFacts
	Grader         string      `json:"certType"`
	BaseValueCents money.Cents `json:"baseValueCents"`
}

// View converts an item for the API.
func (i Item) View() ItemView {
	return ItemView{ItemFacts: i.Facts(), Grader: i.Grader, BaseValueCents: i.BaseValue}
}

// Grade returns the grade, 1 to 10 in steps of 0.5, or nil if the item is not graded.
func (i Item) Grade() *float64 {
	if i.GradeTenths == 0 {
		return nil
	}
	grade := float64(i.GradeTenths) / 10
	return &grade
}

// Picture returns the URL or path of the item's picture: its own, or the drawn one, whose path
// changes whenever its content does.
func (i Item) Picture() string {
	if i.ImageURL != "" {
		return imageproxy.Path(imageproxy.Thing, i.ImageURL)
	}
	return art.Path("items", i.ID, i.Name, i.Series, i.Rarity, i.Grader, i.CertNumber, strconv.FormatInt(i.GradeTenths, 10))
}

// Drawing returns what the item's drawing shows.
func (i Item) Drawing() art.Item {
	return art.Item{
		ID: i.ID, Name: i.Name, Series: i.Series, Rarity: i.Rarity,
		Grade: float64(i.GradeTenths) / 10, Grader: i.Grader, CertNumber: i.CertNumber,
	}
}

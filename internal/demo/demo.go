// Package demo fills an empty database with the packs and items of the demo. Package demo/gen
// generates them.
package demo

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"kaibao/internal/catalogue"
	"kaibao/internal/catalogue/bulk"
	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/packs"
)

//go:embed data
var data embed.FS

// itemEntry and packEntry are the JSON format of the demo data.
type itemEntry struct {
	ID         string      `json:"id"`
	Name       string      `json:"name"`
	Series     string      `json:"series"`
	Rarity     string      `json:"rarity"`
	Grade      float64     `json:"grade"`
	Grader     string      `json:"certType"`
	CertNumber string      `json:"certNumber"`
	Set        string      `json:"set"`
	SetNumber  string      `json:"setNumber"`
	BaseValue  money.Cents `json:"baseValueCents"`
}

type packEntry struct {
	ID             string      `json:"id"`
	Name           string      `json:"name"`
	NameZH         string      `json:"nameZh"`
	Description    packs.Text  `json:"description"`
	Series         []string    `json:"series"`
	Price          money.Cents `json:"priceCents"`
	ItemsPerPack   int64       `json:"itemsPerPack"`
	Supply         int64       `json:"supply"`
	ListedExpected money.Cents `json:"listedExpectedValueCents"`
	New            bool        `json:"isNew"`
	Demo           bool        `json:"isDemo"`
	OddsUnit       int64       `json:"oddsUnit"`
	AcceptedLoss   *int64      `json:"acceptedLossCents"`
	packs.Definition
}

// Seed fills an empty shop with the demo data and puts its packs on sale. It does nothing if the
// shop has any pack.
func Seed(tx *db.Tx, shop *packs.Service) error {
	existing, err := packs.All(tx)
	if err != nil || len(existing) > 0 {
		return err
	}
	items, entries, err := readData()
	if err != nil {
		return fmt.Errorf("read the demo data: %w", err)
	}
	all := make([]catalogue.Item, len(items))
	for n, i := range items {
		all[n] = i.item()
	}
	if err := bulk.Insert(tx, all); err != nil {
		return fmt.Errorf("seed the items: %w", err)
	}
	if err := bulk.InsertFirstValuations(tx, all, catalogue.FirstValuation("")); err != nil {
		return fmt.Errorf("seed the items' values: %w", err)
	}
	for _, p := range entries {
		if err := shop.Add(tx, p.pack()); err != nil {
			return fmt.Errorf("seed pack %s: %w", p.ID, err)
		}
		if err := shop.Activate(tx, p.ID, p.AcceptedLoss); err != nil {
			return fmt.Errorf("put pack %s on sale: %w", p.ID, err)
		}
	}
	return nil
}

func readData() (items []itemEntry, entries []packEntry, err error) {
	files, err := fs.Glob(data, "data/items/*.json")
	if err != nil {
		return nil, nil, err
	}
	for _, file := range files {
		var fileItems []itemEntry
		if err := readJSON(file, &fileItems); err != nil {
			return nil, nil, err
		}
		items = append(items, fileItems...)
	}
	err = readJSON("data/packs.json", &entries)
	return items, entries, err
}

func readJSON(file string, into any) error {
	text, err := data.ReadFile(file)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

func (e itemEntry) item() catalogue.Item {
	return catalogue.Item{
		ID: e.ID, Series: e.Series, Name: e.Name, Rarity: e.Rarity, GradeTenths: int64(math.Round(e.Grade * 10)),
		Grader: e.Grader, CertNumber: e.CertNumber, Set: e.Set, SetNumber: e.SetNumber, BaseValue: e.BaseValue, Active: true,
	}
}

func (e packEntry) pack() packs.Pack {
	return packs.Pack{
		ID: e.ID, Name: e.Name, NameZH: e.NameZH, DescriptionEN: e.Description.EN, DescriptionZH: e.Description.ZH,
		Series: slices.Clone(e.Series), Price: e.Price, ItemsPerPack: e.ItemsPerPack, Supply: e.Supply,
		New: e.New, HiddenFromStore: e.Demo, ListedExpectedValue: e.ListedExpected, OddsUnit: e.OddsUnit, Definition: e.Definition,
	}
}

package catalogue

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"kaibao/internal/db"
	"kaibao/internal/money"
)

//go:embed data
var demo embed.FS

// itemEntry and packEntry are the demo data's form.
type itemEntry struct {
	ID         string      `json:"id"`
	Name       string      `json:"name"`
	Series     string      `json:"series"`
	Rarity     string      `json:"rarity"`
	Grade      float64     `json:"grade"`
	CertType   string      `json:"certType"`
	CertNumber string      `json:"certNumber"`
	BaseValue  money.Cents `json:"baseValueCents"`
}

type packEntry struct {
	ID             string      `json:"id"`
	Name           string      `json:"name"`
	Description    Text        `json:"description"`
	Series         []string    `json:"series"`
	Price          money.Cents `json:"priceCents"`
	ItemsPerPack   int64       `json:"itemsPerPack"`
	Supply         int64       `json:"supply"`
	ListedExpected money.Cents `json:"listedExpectedValueCents"`
	New            bool        `json:"isNew"`
	Demo           bool        `json:"isDemo"`
	OddsUnit       int64       `json:"oddsUnit"`
	AcceptedLoss   *int64      `json:"acceptedLossCents"`
	Definition
}

// Seed fills an empty catalogue with the demo data and puts its packs on sale;
// a catalogue that holds any pack is left as it is.
func (c *Catalogue) Seed(tx *db.Tx) error {
	if filled, err := anyPack(tx); err != nil || filled {
		return err
	}
	items, packs, err := demoData()
	if err != nil {
		return fmt.Errorf("read the demo data: %w", err)
	}
	for _, i := range items {
		if err := insertItem(tx, i.item()); err != nil {
			return fmt.Errorf("seed item %s: %w", i.ID, err)
		}
	}
	for n, p := range packs {
		if err := c.seedPack(tx, p.pack(int64(n)), p.AcceptedLoss); err != nil {
			return fmt.Errorf("seed pack %s: %w", p.ID, err)
		}
	}
	return nil
}

func (c *Catalogue) seedPack(tx *db.Tx, p Pack, acceptedLoss *int64) error {
	if err := insertPack(tx, p); err != nil {
		return err
	}
	if n := p.Definition.Stock; n > 0 {
		for _, tier := range p.Definition.Tiers {
			for _, id := range tier.Items {
				if err := insertStock(tx, p.ID, id, n); err != nil {
					return err
				}
			}
		}
	}
	if err := c.Publish(tx, p.ID); err != nil {
		return err
	}
	return c.Activate(tx, p.ID, acceptedLoss)
}

func demoData() (items []itemEntry, packs []packEntry, err error) {
	files, err := fs.Glob(demo, "data/items/*.json")
	if err != nil {
		return nil, nil, err
	}
	for _, file := range files {
		var some []itemEntry
		if err := readJSON(file, &some); err != nil {
			return nil, nil, err
		}
		items = append(items, some...)
	}
	err = readJSON("data/packs.json", &packs)
	return items, packs, err
}

func readJSON(file string, into any) error {
	text, err := demo.ReadFile(file)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

func (e itemEntry) item() Item {
	return Item{
		ID: e.ID, Series: e.Series, Name: e.Name, Rarity: e.Rarity, GradeTenths: int64(math.Round(e.Grade * 10)),
		CertType: e.CertType, CertNumber: e.CertNumber, BaseValue: e.BaseValue, Active: true,
	}
}

func (e packEntry) pack(position int64) Pack {
	return Pack{
		ID: e.ID, Position: position, Name: e.Name, DescriptionEN: e.Description.EN, DescriptionZH: e.Description.ZH,
		Series: slices.Clone(e.Series), Price: e.Price, ItemsPerPack: e.ItemsPerPack, Supply: e.Supply,
		New: e.New, Demo: e.Demo, ListedExpected: e.ListedExpected, OddsUnit: e.OddsUnit, Definition: e.Definition,
	}
}

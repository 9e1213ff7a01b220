package catalogue

import (
	"encoding/json"
	"errors"
	"strings"
	"time"
	"unicode"

	"kaibao/internal/db"
	"kaibao/internal/fair"
	"kaibao/internal/fault"
	"kaibao/internal/money"
	"kaibao/internal/picture"
)

const itemColumns = `id, series, name, rarity, COALESCE(grade_tenths, 0), cert_type, cert_number, image_url, base_value_cents, is_active`

func scanItem(s db.Scanner) (i Item, err error) {
	return i, s.Scan(&i.ID, &i.Series, &i.Name, &i.Rarity, &i.GradeTenths, &i.CertType, &i.CertNumber,
		&i.ImageURL, &i.BaseValue, &i.Active)
}

func insertItem(tx *db.Tx, i Item) error {
	_, err := tx.Exec(`INSERT INTO items (id, series, name, search, rarity, grade_tenths, cert_type, cert_number, image_url,
		base_value_cents, is_active, created_at) VALUES ($1, $2, $3, $4, $5, NULLIF($6, 0), $7, $8, $9, $10, $11, $12)`,
		i.ID, i.Series, i.Name, Fold(i.Name), i.Rarity, i.GradeTenths, i.CertType, i.CertNumber, i.ImageURL,
		i.BaseValue, i.Active, db.Micros(tx.Now))
	if err != nil {
		return err
	}
	return picture.Register(tx, picture.Thing, i.ImageURL)
}

// FindItem reads an item, or db.ErrNoRow.
func FindItem(tx *db.Tx, id string) (Item, error) {
	return db.One(tx, scanItem, `SELECT `+itemColumns+` FROM items WHERE id = $1`, id)
}

// Items reads some items, by id.
func Items(tx *db.Tx, ids []string) (map[string]Item, error) {
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	rows, err := db.All(tx, scanItem, `SELECT `+itemColumns+` FROM items WHERE `+tx.InList("id", "$1"), string(list))
	items := make(map[string]Item, len(rows))
	for _, i := range rows {
		items[i.ID] = i
	}
	return items, err
}

// itemsOf lists the active items that a pack can hold, by id bytewise. What has a
// stock in another pack stands in that one alone.
func itemsOf(tx *db.Tx, p Pack) ([]Item, error) {
	return itemsIn(tx, p, `id NOT IN (SELECT item_id FROM stock WHERE pack_id <> $2)`)
}

// takenFrom lists what a pack cannot hold because it has a stock in another.
func takenFrom(tx *db.Tx, p Pack) ([]Item, error) {
	return itemsIn(tx, p, `id IN (SELECT item_id FROM stock WHERE pack_id <> $2)`)
}

func itemsIn(tx *db.Tx, p Pack, condition string) ([]Item, error) {
	series, err := json.Marshal(p.Series)
	if err != nil {
		return nil, err
	}
	return db.All(tx, scanItem, `SELECT `+itemColumns+` FROM items WHERE is_active
		AND ($1 = '[]' OR `+tx.InList("series", "$1")+`) AND `+condition+` ORDER BY `+tx.Bytewise("id"), string(series), p.ID)
}

// onSale is the shelf of the whole catalogue.
var onSale = Shelf[Item]{
	Item:  func(i Item) Item { return i },
	ID:    db.Text("i.id", func(i Item) string { return i.ID }),
	Price: db.Number("i.base_value_cents", func(i Item) money.Cents { return i.BaseValue }),
}

func selectItems(tx *db.Tx, page *db.Selection[Item]) ([]Item, error) {
	return page.Rows(tx, scanItem, `SELECT `+itemColumns+` FROM items i WHERE i.is_active`)
}

// countItems counts the catalogue, as the header of a list writes it.
func countItems(tx *db.Tx) (string, error) {
	return db.One(tx, db.Column[string], `SELECT COUNT(*) FROM items WHERE is_active`)
}

const packColumns = `id, position, name, description_en, description_zh, series, price_cents, cover_image_url, items_per_pack,
	supply, sold, is_active, is_new, is_demo, listed_expected_value_cents, odds_unit, definition, draw_seq, accepted_loss_cents,
	realised_loss_cents, paused`

func scanPack(s db.Scanner) (p Pack, err error) {
	var series, definition string
	err = s.Scan(&p.ID, &p.Position, &p.Name, &p.DescriptionEN, &p.DescriptionZH, &series, &p.Price, &p.CoverImageURL,
		&p.ItemsPerPack, &p.Supply, &p.Sold, &p.Active, &p.New, &p.Demo, &p.ListedExpected, &p.OddsUnit, &definition,
		&p.DrawSeq, &p.AcceptedLoss, &p.RealisedLoss, &p.Paused)
	if err != nil {
		return p, err
	}
	return p, errors.Join(json.Unmarshal([]byte(series), &p.Series), json.Unmarshal([]byte(definition), &p.Definition))
}

func insertPack(tx *db.Tx, p Pack) error {
	series, err := json.Marshal(p.Series)
	if err != nil {
		return err
	}
	definition, err := json.Marshal(p.Definition)
	if err != nil {
		return err
	}
	_, err = tx.Exec(`INSERT INTO packs (id, position, name, description_en, description_zh, series, price_cents, cover_image_url,
		items_per_pack, supply, is_active, is_new, is_demo, listed_expected_value_cents, odds_unit, definition, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, FALSE, $11, $12, $13, $14, $15, $16)`,
		p.ID, p.Position, p.Name, p.DescriptionEN, p.DescriptionZH, string(series), p.Price, p.CoverImageURL,
		p.ItemsPerPack, p.Supply, p.New, p.Demo, p.ListedExpected, p.OddsUnit, string(definition), db.Micros(tx.Now))
	if err != nil {
		return err
	}
	return picture.Register(tx, picture.Thing, p.CoverImageURL)
}

// nextPosition is the place behind the last pack of the store.
func nextPosition(tx *db.Tx) (int64, error) {
	return db.One(tx, db.Column[int64], `SELECT COALESCE(MAX(position), 0) + 1 FROM packs`)
}

func findPack(tx *db.Tx, id string) (Pack, error) {
	return db.One(tx, scanPack, `SELECT `+packColumns+` FROM packs WHERE id = $1`, id)
}

func lockPack(tx *db.Tx, id string) (Pack, error) {
	return db.One(tx, scanPack, `SELECT `+packColumns+` FROM packs WHERE id = $1`+tx.ForUpdate(), id)
}

func activePacks(tx *db.Tx) ([]Pack, error) {
	return db.All(tx, scanPack, `SELECT `+packColumns+` FROM packs WHERE is_active ORDER BY position, id`)
}

// AllPacks lists every pack, on sale or not, in the order of the store.
func AllPacks(tx *db.Tx) ([]Pack, error) {
	return db.All(tx, scanPack, `SELECT `+packColumns+` FROM packs ORDER BY position, id`)
}

func activate(tx *db.Tx, id string, acceptedLoss *int64) error {
	return tx.ExecOne(`UPDATE packs SET is_active = TRUE, paused = '', accepted_loss_cents = $2, realised_loss_cents = 0 WHERE id = $1`,
		id, acceptedLoss)
}

func updateSale(tx *db.Tx, p Pack) error {
	return tx.ExecOne(`UPDATE packs SET sold = $2, draw_seq = $3, realised_loss_cents = $4, paused = $5 WHERE id = $1`,
		p.ID, p.Sold, p.DrawSeq, p.RealisedLoss, p.Paused)
}

func nextDraw(tx *db.Tx, packID string) (int64, error) {
	return db.One(tx, db.Column[int64], `UPDATE packs SET draw_seq = draw_seq + 1 WHERE id = $1 RETURNING draw_seq`, packID)
}

func insertStock(tx *db.Tx, packID, itemID string, n int64) error {
	_, err := tx.Exec(`INSERT INTO stock (item_id, pack_id, remaining) VALUES ($1, $2, $3)`, itemID, packID, n)
	return err
}

func takeStock(tx *db.Tx, taken map[string]int64) error {
	rows := db.Rows{Columns: []string{"item_id", "taken"}}
	for item, n := range taken {
		rows.Add(item, n)
	}
	return tx.WriteRows(rows, `UPDATE stock SET remaining = remaining - v.taken FROM v WHERE stock.item_id = v.item_id`,
		errors.New("not all items have a stock"))
}

// Stock reads what is left of a pack's finite cards.
func Stock(tx *db.Tx, packID string) (fair.Stock, error) {
	type left struct {
		item string
		n    int64
	}
	scan := func(s db.Scanner) (l left, err error) { return l, s.Scan(&l.item, &l.n) }
	rows, err := db.All(tx, scan, `SELECT item_id, remaining FROM stock WHERE pack_id = $1`, packID)
	stock := fair.Stock{}
	for _, row := range rows {
		stock[row.item] = row.n
	}
	return stock, err
}

func insertPublication(tx *db.Tx, packID string, hash Hash, text string, effective time.Time) error {
	if _, err := tx.Exec(`INSERT INTO manifests (hash, pack_id, body) VALUES ($1, $2, $3) ON CONFLICT (hash) DO NOTHING`,
		hash[:], packID, text); err != nil {
		return err
	}
	_, err := tx.Exec(`INSERT INTO publications (pack_id, number, hash, published_at, effective_at)
		SELECT $1, COALESCE(MAX(number), 0) + 1, $2, $3, $4 FROM publications WHERE pack_id = $1`,
		packID, hash[:], db.Micros(tx.Now), db.Micros(effective))
	return err
}

func lastPublished(tx *db.Tx, packID string) (hash Hash, found bool, err error) {
	bytes, err := db.One(tx, db.Column[[]byte], `SELECT hash FROM publications WHERE pack_id = $1
		ORDER BY number DESC LIMIT 1`, packID)
	if errors.Is(err, db.ErrNoRow) {
		return Hash{}, false, nil
	}
	copy(hash[:], bytes)
	return hash, true, err
}

type publication struct {
	hash      Hash
	effective time.Time
}

func effectivePublications(tx *db.Tx, packID string) ([]publication, error) {
	scan := func(s db.Scanner) (p publication, err error) {
		var hash []byte
		var at int64
		err = s.Scan(&hash, &at)
		copy(p.hash[:], hash)
		p.effective = db.Time(at)
		return p, err
	}
	return db.All(tx, scan, `SELECT hash, effective_at FROM publications WHERE pack_id = $1 AND effective_at <= $2
		ORDER BY number DESC LIMIT 2`, packID, db.Micros(tx.Now))
}

// numbered is a publication with its place among those of its pack.
type numbered struct {
	publication
	pack      string
	number    int64
	published time.Time
}

func allPublications(tx *db.Tx) ([]numbered, error) {
	scan := func(s db.Scanner) (n numbered, err error) {
		var hash []byte
		var published, effective int64
		err = s.Scan(&n.pack, &n.number, &hash, &published, &effective)
		copy(n.hash[:], hash)
		n.published, n.effective = db.Time(published), db.Time(effective)
		return n, err
	}
	return db.All(tx, scan, `SELECT pack_id, number, hash, published_at, effective_at FROM publications ORDER BY pack_id, number`)
}

type storedManifest struct {
	hash       []byte
	pack, body string
}

func eachManifest(tx *db.Tx, see func(storedManifest) error) error {
	scan := func(s db.Scanner) (m storedManifest, err error) { return m, s.Scan(&m.hash, &m.pack, &m.body) }
	return db.Each(tx, scan, see, `SELECT hash, pack_id, body FROM manifests`)
}

func manifestText(tx *db.Tx, hash Hash) (string, error) {
	return db.One(tx, db.Column[string], `SELECT body FROM manifests WHERE hash = $1`, hash[:])
}

func anyPack(tx *db.Tx) (bool, error) {
	n, err := db.One(tx, db.Column[int64], `SELECT COUNT(*) FROM packs`)
	return n > 0, err
}

// missing turns the absence of a row into a refusal.
func missing(err error, what string) error {
	if errors.Is(err, db.ErrNoRow) {
		return fault.Missing(what)
	}
	return err
}

// orders are the ways through a shelf. What a call can ask for with SortBy, the SQL
// and the cursors follow from them.
func (s Shelf[R]) orders() []db.Order[R] {
	name := db.BytewiseText("i.name", func(row R) string { return s.Item(row).Name })
	grade := db.Number("COALESCE(i.grade_tenths, 0)", func(row R) int64 { return s.Item(row).GradeTenths })
	return []db.Order[R]{
		{Name: "", Keys: []db.Key[R]{s.ID}, Descending: s.NewestFirst},
		{Name: "price-low", Keys: []db.Key[R]{s.Price, s.ID}},
		{Name: "price-high", Keys: []db.Key[R]{s.Price, s.ID}, Descending: true},
		{Name: "name", Keys: []db.Key[R]{name, s.ID}},
		{Name: "grade", Keys: []db.Key[R]{grade, s.ID}, Descending: true},
	}
}

// narrow takes from a selection of the shelf what does not pass a filter, whose
// search has these words.
func (s Shelf[R]) narrow(page *db.Selection[R], f Filter, words []string) {
	if f.Series != "" {
		series, ok := Categories[strings.ToLower(f.Series)]
		if !ok {
			series = []string{f.Series}
		}
		marks := strings.TrimSuffix(strings.Repeat("?, ", len(series)), ", ")
		args := make([]any, len(series))
		for i, s := range series {
			args[i] = s
		}
		page.Where("i.series IN ("+marks+")", args...)
	}
	if f.Certification != "" {
		page.Where("i.cert_type = ?", f.Certification)
	}
	if f.Grade > 0 {
		page.Where("i.grade_tenths >= ?", f.Grade*10)
	}
	if f.MinPrice.Given {
		page.Where(s.Price.Column+" >= ?", f.MinPrice.Value*100)
	}
	if f.MaxPrice.Given {
		page.Where(s.Price.Column+" <= ?", f.MaxPrice.Value*100)
	}
	if strings.TrimSpace(f.Search) != "" && len(words) == 0 {
		page.Where("FALSE") // nothing that a name could hold was searched for
	}
	for _, word := range words {
		page.Where("i.search LIKE ?", pattern(word))
	}
}

// pattern matches where a word begins; in Chinese, which has no spaces, anywhere.
func pattern(word string) string {
	for _, r := range word {
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) {
			return "%" + word + "%"
		}
	}
	return "% " + word + "%"
}

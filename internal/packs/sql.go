package packs

import (
	"encoding/json"
	"errors"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/approval"
	"kaibao/internal/audit"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/imageproxy"
	"kaibao/internal/money"
	"kaibao/internal/policy"
	"kaibao/internal/protocol"
)

const packColumns = `id, position, name, name_zh, description_en, description_zh, series, price_cents, cover_image_url, items_per_pack,
	supply, sold, is_active, is_new, is_demo, listed_expected_value_cents, odds_unit, definition, draw_seq, accepted_loss_cents,
	realised_loss_cents, beyond_quotes_cents, publishing_since`

func scanPack(s db.Scanner) (p Pack, err error) {
	var series, definition string
	var publishing *int64
	err = s.Scan(&p.ID, &p.Position, &p.Name, &p.NameZH, &p.DescriptionEN, &p.DescriptionZH, &series, &p.Price, &p.CoverImageURL,
		&p.ItemsPerPack, &p.Supply, &p.Sold, &p.Active, &p.New, &p.HiddenFromStore, &p.ListedExpectedValue, &p.OddsUnit, &definition,
		&p.DrawSeq, &p.AcceptedLoss, &p.RealizedLoss, &p.PaidBeyondQuotes, &publishing)
	if err != nil {
		return p, err
	}
	if publishing != nil {
		p.PublishingSince = db.Time(*publishing)
	}
	return p, errors.Join(json.Unmarshal([]byte(series), &p.Series), json.Unmarshal([]byte(definition), &p.Definition))
}

// insertPack adds an inactive pack at the end of the store.
func insertPack(tx *db.Tx, p Pack) error {
	series, err := json.Marshal(p.Series)
	if err != nil {
		return err
	}
	definition, err := json.Marshal(p.Definition)
	if err != nil {
		return err
	}
	_, err = tx.Exec(`INSERT INTO packs (id, position, name, name_zh, description_en, description_zh, series, price_cents, cover_image_url,
		items_per_pack, supply, is_active, is_new, is_demo, listed_expected_value_cents, odds_unit, definition, accepted_loss_cents, created_at)
		SELECT $1, COALESCE(MAX(position), 0) + 1, $2, $3, $4, $5, $6, $7, $8, $9, $10, FALSE, $11, $12, $13, $14, $15, $16, $17 FROM packs`,
		p.ID, p.Name, p.NameZH, p.DescriptionEN, p.DescriptionZH, string(series), p.Price, p.CoverImageURL,
		p.ItemsPerPack, p.Supply, p.New, p.HiddenFromStore, p.ListedExpectedValue, p.OddsUnit, string(definition), p.AcceptedLoss, db.Micros(tx.Now))
	if err != nil {
		return err
	}
	return imageproxy.Register(tx, imageproxy.Thing, p.CoverImageURL)
}

func byID(tx *db.Tx, id string) (Pack, error) {
	return getPack(tx, `SELECT `+packColumns+` FROM packs WHERE id = $1`, id)
}

// lockPacks locks packs in the order of their ids.
func lockPacks(tx *db.Tx, ids []string) ([]Pack, error) {
	return db.All(tx, scanPack, `SELECT `+packColumns+` FROM packs WHERE `+tx.InList("id", "$1")+` ORDER BY `+tx.Bytewise("id")+tx.ForUpdate(), db.List(ids))
}

// hasCounters is Pack.HasCounters as an SQL condition.
const hasCounters = `(draw_seq > 0 OR supply <> -1 OR COALESCE(accepted_loss_cents, -1) <> -1)`

// queueLocked queues a read of a pack for opening. A pack with counters is locked for update. Any
// other is locked for share, so that a transaction that gives it counters waits for these opens and
// counts them. On SQLite the single writer is enough. The error is db.ErrNoRow if there is no such
// pack, or if it switched between the two meanwhile.
func queueLocked(tx *db.Tx, id string) db.Queued[Pack] {
	return db.Queue(tx, scanPack, `SELECT * FROM (SELECT `+packColumns+` FROM packs WHERE id = $1 AND NOT `+hasCounters+tx.ForShare()+`) AS kept
		UNION ALL SELECT * FROM (SELECT `+packColumns+` FROM packs WHERE id = $1 AND `+hasCounters+tx.ForUpdate()+`) AS locked`, id)
}

func lockPack(tx *db.Tx, id string) (Pack, error) {
	return getPack(tx, `SELECT `+packColumns+` FROM packs WHERE id = $1`+tx.ForUpdate(), id)
}

func getPack(tx *db.Tx, query, id string) (Pack, error) {
	p, err := db.One(tx, scanPack, query, id)
	if errors.Is(err, db.ErrNoRow) {
		err = apperr.Missing("Pack")
	}
	return p, err
}

func activePacks(tx *db.Tx) ([]Pack, error) {
	return db.All(tx, scanPack, `SELECT `+packColumns+` FROM packs WHERE is_active ORDER BY position, id`)
}

// All lists every pack, on sale or not, in the order of the store.
func All(tx *db.Tx) ([]Pack, error) {
	return db.All(tx, scanPack, `SELECT `+packColumns+` FROM packs ORDER BY position, id`)
}

// FirstPublished returns when the first pack was published, or db.ErrNoRow.
func FirstPublished(tx *db.Tx) (time.Time, error) {
	at, err := db.One(tx, db.Column[int64], `SELECT published_at FROM publications ORDER BY published_at LIMIT 1`)
	return db.Time(at), err
}

// updatePack saves the fields that an admin can edit, and the counters.
func updatePack(tx *db.Tx, p Pack) error {
	series, err := json.Marshal(p.Series)
	if err != nil {
		return err
	}
	definition, err := json.Marshal(p.Definition)
	if err != nil {
		return err
	}
	return tx.ExecOne(`UPDATE packs SET name = $2, series = $3, price_cents = $4, cover_image_url = $5, items_per_pack = $6, supply = $7,
		sold = $8, is_active = $9, definition = $10, accepted_loss_cents = $11, realised_loss_cents = $12, name_zh = $13 WHERE id = $1`,
		p.ID, p.Name, string(series), p.Price, p.CoverImageURL, p.ItemsPerPack, p.Supply, p.Sold, p.Active, string(definition),
		p.AcceptedLoss, p.RealizedLoss, p.NameZH)
}

// pastOpens counts a pack's opens and orders, and the loss of its draws: sell-back values of the drawn
// items, less the prices paid.
func pastOpens(tx *db.Tx, packID string) (sold int64, loss money.Cents, err error) {
	type sum struct {
		opens int64
		paid  money.Cents
	}
	scan := func(s db.Scanner) (r sum, err error) { return r, s.Scan(&r.opens, &r.paid) }
	opens, err := db.One(tx, scan, `SELECT COUNT(*), CAST(COALESCE(SUM(price_cents), 0) AS BIGINT) FROM openings WHERE pack_id = $1`, packID)
	if err != nil {
		return 0, 0, err
	}
	undrawn, err := db.One(tx, db.Column[int64], `SELECT COUNT(*) FROM orders WHERE pack_id = $1 AND state <> 'open'`, packID)
	if err != nil || opens.opens == 0 {
		return undrawn, 0, err
	}
	payback, err := db.One(tx, db.Column[money.Cents], `SELECT CAST(COALESCE(SUM(n.pulled_value_cents * $2 / 100), 0) AS BIGINT)
		FROM openings o JOIN inventory n ON n.opening_id = o.id WHERE o.pack_id = $1`, packID, int64(policy.SellBackPercent))
	return opens.opens + undrawn, payback - opens.paid, err
}

func saveCounters(tx *db.Tx, packs ...Pack) error {
	rows := db.Rows{Columns: []string{"id", "sold", "draw_seq", "realised", "beyond"}}
	for _, p := range packs {
		rows.Add(p.ID, p.Sold, p.DrawSeq, p.RealizedLoss, p.PaidBeyondQuotes)
	}
	return tx.WriteRows(rows, `UPDATE packs SET sold = v.sold, draw_seq = v.draw_seq, realised_loss_cents = v.realised,
		beyond_quotes_cents = v.beyond FROM v WHERE packs.id = v.id`, errors.New("not all packs were counted"))
}

func incrementDrawSeq(tx *db.Tx, packID string) (int64, error) {
	return db.One(tx, db.Column[int64], `UPDATE packs SET draw_seq = draw_seq + 1 WHERE id = $1 RETURNING draw_seq`, packID)
}

// itemsStockedElsewhere returns the items that have, or will have, a stock in another pack.
func itemsStockedElsewhere(tx *db.Tx, packID string) ([]string, error) {
	return db.All(tx, db.Column[string], `SELECT item_id FROM stock WHERE pack_id <> $1
		UNION SELECT item_id FROM waiting_restocks WHERE pack_id <> $1`, packID)
}

// addStock adds cards to a pack's stock. The error is db.ErrNoRow if the card has its stock in
// another pack.
func addStock(tx *db.Tx, packID string, restock protocol.Restock) error {
	return tx.ExecOne(`INSERT INTO stock (item_id, pack_id, remaining) VALUES ($1, $2, $3) ON CONFLICT (item_id)
		DO UPDATE SET remaining = stock.remaining + excluded.remaining WHERE stock.pack_id = excluded.pack_id`,
		restock.Card, packID, restock.Count)
}

// removeStock removes cards from a pack's stock. The error is db.ErrNoRow if too few are left.
func removeStock(tx *db.Tx, packID, card string, count int64) error {
	return tx.ExecOne(`UPDATE stock SET remaining = remaining - $3 WHERE item_id = $1 AND pack_id = $2 AND remaining >= $3`, card, packID, count)
}

// packsWithStock maps those of the given cards that have, or will have, a stock to their packs.
func packsWithStock(tx *db.Tx, cards []string) (map[string]string, error) {
	found := map[string]string{}
	scan := func(s db.Scanner) (none struct{}, err error) {
		var card, pack string
		err = s.Scan(&card, &pack)
		found[card] = pack
		return none, err
	}
	_, err := db.All(tx, scan, `SELECT item_id, pack_id FROM stock WHERE `+tx.InList("item_id", "$1")+`
		UNION SELECT item_id, pack_id FROM waiting_restocks WHERE `+tx.InList("item_id", "$1"), db.List(cards))
	return found, err
}

// stockViews returns the stock of those of the given items that have, or will have, one.
func stockViews(tx *db.Tx, items []string) (map[string]*StockView, error) {
	found := map[string]*StockView{}
	scan := func(s db.Scanner) (none struct{}, err error) {
		var item string
		var v StockView
		err = s.Scan(&item, &v.PackID, &v.PackName, &v.PackNameZH, &v.Left, &v.Waiting)
		found[item] = &v
		return none, err
	}
	_, err := db.All(tx, scan, `SELECT n.item_id, n.pack_id, p.name, p.name_zh, COALESCE(s.remaining, 0), COALESCE(w.count, 0)
		FROM (SELECT item_id, pack_id FROM stock WHERE `+tx.InList("item_id", "$1")+`
			UNION SELECT item_id, pack_id FROM waiting_restocks WHERE `+tx.InList("item_id", "$1")+`) n JOIN packs p ON p.id = n.pack_id
			LEFT JOIN stock s ON s.item_id = n.item_id LEFT JOIN waiting_restocks w ON w.item_id = n.item_id`, db.List(items))
	return found, err
}

// auditValueRaises finds values that an admin raised neither within their daily limit nor with a
// second admin.
func auditValueRaises(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "each raised value must be within the admin's daily total or approved by a second admin", `
		SELECT 'item ' || v.item_id, 'valuation ' || v.number || ' by user ' || CAST(v.user_id AS TEXT) || ' exceeded the daily total without a second admin'
		FROM valuations v JOIN valuations b ON b.item_id = v.item_id AND b.number = v.number - 1 AND b.value_cents < v.value_cents
			LEFT JOIN solo_acts s ON s.road = $1 AND s.user_id = v.user_id AND s.created_at = v.created_at AND (s.subject = $3 || v.item_id OR s.subject LIKE $4 || ' %')
			LEFT JOIN approvals p ON p.kind = $2 AND p.state = 'approved' AND p.asked_by = v.user_id AND p.decided_at = v.created_at
				AND (p.subject = $3 || v.item_id OR p.subject LIKE $4 || ' %')
		WHERE v.user_id IS NOT NULL AND s.user_id IS NULL AND p.id IS NULL`, string(approval.ByValue), string(approval.Value), catalogue.Subject(""), catalogue.ImportSubject)
}

// subtractStock subtracts from the stock of items; negative numbers add to it.
func subtractStock(tx *db.Tx, taken map[string]int64) error {
	rows := db.Rows{Columns: []string{"item_id", "taken"}}
	for item, n := range taken {
		rows.Add(item, n)
	}
	return tx.WriteRows(rows, `UPDATE stock SET remaining = remaining - v.taken FROM v WHERE stock.item_id = v.item_id`,
		errors.New("not all items have a stock"))
}

// Stock returns the remaining stock of a pack's finite cards.
func Stock(tx *db.Tx, packID string) (protocol.Stock, error) {
	type left struct {
		item string
		n    int64
	}
	scan := func(s db.Scanner) (l left, err error) { return l, s.Scan(&l.item, &l.n) }
	rows, err := db.All(tx, scan, `SELECT item_id, remaining FROM stock WHERE pack_id = $1`, packID)
	stock := protocol.Stock{}
	for _, row := range rows {
		stock[row.item] = row.n
	}
	return stock, err
}

// manifestsOnSale returns the manifests that are in force or announced, of packs on sale.
func manifestsOnSale(tx *db.Tx) ([]Hash, error) {
	scan := func(s db.Scanner) (hash Hash, err error) {
		var stored []byte
		err = s.Scan(&stored)
		copy(hash[:], stored)
		return hash, err
	}
	return db.All(tx, scan, `SELECT DISTINCT n.hash FROM packs p JOIN publications n ON n.pack_id = p.id WHERE p.is_active AND n.number >= (
		SELECT e.number FROM publications e WHERE e.pack_id = p.id AND e.effective_at <= $1 ORDER BY e.number DESC LIMIT 1)`, db.Micros(tx.Now))
}

// packOrders describes the orders of a pack whose cards can run out.
func packOrders(tx *db.Tx, packID string) (PackOrders, error) {
	scan := func(s db.Scanner) (o PackOrders, err error) {
		var at int64
		err = s.Scan(&o.Pending, &o.PendingItems, &at, &o.LastRound)
		if at > 0 {
			o.LastAt = db.Time(at)
		}
		return o, err
	}
	return db.One(tx, scan, `SELECT p.number, p.items, COALESCE(l.created_at, 0), COALESCE(l.round, 0)
		FROM (SELECT COUNT(*) AS number, CAST(COALESCE(SUM(items), 0) AS BIGINT) AS items FROM orders WHERE pack_id = $1 AND draw_seq > 0 AND state = 'sealed') p
		LEFT JOIN (SELECT created_at, round FROM orders WHERE pack_id = $1 AND draw_seq > 0 ORDER BY draw_seq DESC LIMIT 1) l ON TRUE`, packID)
}

// insertWaitingReturns keeps cards that return to the stock later.
func insertWaitingReturns(tx *db.Tx, returns []WaitingReturn) error {
	rows := db.Rows{Columns: []string{"pack_id", "draw_seq", "item_id"}}
	for _, r := range returns {
		rows.Add(r.PackID, r.DrawSeq, r.Card)
	}
	return tx.InsertRows("waiting_returns", rows)
}

// WaitingReturns returns the cards that return to a pack's stock after draws of pending orders, in
// the order of their drawSeq.
func WaitingReturns(tx *db.Tx, packID string) ([]WaitingReturn, error) {
	scan := func(s db.Scanner) (r WaitingReturn, err error) { return r, s.Scan(&r.PackID, &r.DrawSeq, &r.Card) }
	return db.All(tx, scan, `SELECT pack_id, draw_seq, item_id FROM waiting_returns WHERE pack_id = $1 ORDER BY draw_seq`, packID)
}

// deleteWaitingReturns deletes a pack's waiting returns up to a drawSeq.
func deleteWaitingReturns(tx *db.Tx, packID string, last int64) error {
	_, err := tx.Exec(`DELETE FROM waiting_returns WHERE pack_id = $1 AND draw_seq <= $2`, packID, last)
	return err
}

// packsWithPendingOrders returns those of the packs that have an order with a drawSeq that is
// neither drawn nor voided.
func packsWithPendingOrders(tx *db.Tx, packIDs []string) (map[string]bool, error) {
	found := map[string]bool{}
	ids, err := db.All(tx, db.Column[string], `SELECT DISTINCT pack_id FROM orders WHERE `+tx.InList("pack_id", "$1")+` AND draw_seq > 0 AND state = 'sealed'`, db.List(packIDs))
	for _, id := range ids {
		found[id] = true
	}
	return found, err
}

// markPublishing marks that a publication of a pack waits.
func markPublishing(tx *db.Tx, packID string) error {
	return tx.ExecOne(`UPDATE packs SET publishing_since = $2 WHERE id = $1`, packID, db.Micros(tx.Now))
}

// unmarkPublishing ends the wait of a pack's publication, and deletes its restocks.
func unmarkPublishing(tx *db.Tx, packID string) error {
	if err := tx.ExecOne(`UPDATE packs SET publishing_since = NULL WHERE id = $1`, packID); err != nil {
		return err
	}
	_, err := tx.Exec(`DELETE FROM waiting_restocks WHERE pack_id = $1`, packID)
	return err
}

// publishingPacks returns the packs with a publication that waits, by id.
func publishingPacks(tx *db.Tx) ([]string, error) {
	return db.All(tx, db.Column[string], `SELECT id FROM packs WHERE publishing_since IS NOT NULL ORDER BY `+tx.Bytewise("id"))
}

// addWaitingRestock adds a restock to those of the pack's waiting publication. The error is db.ErrNoRow if
// another pack restocks the card.
func addWaitingRestock(tx *db.Tx, packID string, restock protocol.Restock) error {
	return tx.ExecOne(`INSERT INTO waiting_restocks (item_id, pack_id, count) VALUES ($1, $2, $3) ON CONFLICT (item_id)
		DO UPDATE SET count = waiting_restocks.count + excluded.count WHERE waiting_restocks.pack_id = excluded.pack_id`,
		restock.Card, packID, restock.Count)
}

// waitingRestocks returns the restocks of a pack's waiting publication.
func waitingRestocks(tx *db.Tx, packID string) ([]protocol.Restock, error) {
	scan := func(s db.Scanner) (r protocol.Restock, err error) { return r, s.Scan(&r.Card, &r.Count) }
	return db.All(tx, scan, `SELECT item_id, count FROM waiting_restocks WHERE pack_id = $1 ORDER BY item_id`, packID)
}

// insertManifest stores a manifest unless it exists. The pack is locked, so no other transaction
// inserts the same one.
func insertManifest(tx *db.Tx, hash Hash, packID, text string) error {
	_, err := tx.Exec(`INSERT INTO manifests (hash, pack_id, body) SELECT $1, $2, $3
		WHERE NOT EXISTS (SELECT 1 FROM manifests WHERE hash = $1)`, hash[:], packID, text)
	return err
}

// publication is an announcement of a pack's manifest and supply.
type publication struct {
	packID      string
	number      int64 // among those of its pack, from 1
	hash        Hash
	supply      int64
	publishedAt time.Time
	effectiveAt time.Time
}

const publicationColumns = `pack_id, number, hash, supply, published_at, effective_at`

func scanPublication(s db.Scanner) (p publication, err error) {
	var hash []byte
	var published, effective int64
	err = s.Scan(&p.packID, &p.number, &hash, &p.supply, &published, &effective)
	copy(p.hash[:], hash)
	p.publishedAt, p.effectiveAt = db.Time(published), db.Time(effective)
	return p, err
}

func insertPublication(tx *db.Tx, p publication) error {
	return tx.ExecOne(`INSERT INTO publications (`+publicationColumns+`) VALUES ($1, $2, $3, $4, $5, $6)`,
		p.packID, p.number, p.hash[:], p.supply, db.Micros(p.publishedAt), db.Micros(p.effectiveAt))
}

// lastPublication returns the last publication of a pack; its number is 0 if there is none.
func lastPublication(tx *db.Tx, packID string) (publication, error) {
	p, err := db.One(tx, scanPublication, `SELECT `+publicationColumns+` FROM publications WHERE pack_id = $1
		ORDER BY number DESC LIMIT 1`, packID)
	if errors.Is(err, db.ErrNoRow) {
		return publication{}, nil
	}
	return p, err
}

// queuePublications queues a read of a pack's announced publications, the one in force and the one
// before it, latest first.
func queuePublications(tx *db.Tx, packID string) db.Queued[[]publication] {
	return db.QueueAll(tx, scanPublication, `SELECT `+publicationColumns+` FROM publications WHERE pack_id = $1 AND number >= (
		SELECT e.number - 1 FROM publications e WHERE e.pack_id = $1 AND e.effective_at <= $2 ORDER BY e.number DESC LIMIT 1)
		ORDER BY number DESC`, packID, db.Micros(tx.Now))
}

func allPublications(tx *db.Tx) ([]publication, error) {
	return db.All(tx, scanPublication, `SELECT `+publicationColumns+` FROM publications ORDER BY pack_id, number`)
}

func auditSupplies(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "a pack's supply must be the last announced one", `
		SELECT 'pack ' || p.id, 'supply is ' || p.supply || ', but the last announced supply is ' || COALESCE(CAST(n.supply AS TEXT), 'none')
		FROM packs p LEFT JOIN publications n ON n.pack_id = p.id
			AND n.number = (SELECT MAX(l.number) FROM publications l WHERE l.pack_id = p.id)
		WHERE n.supply IS NULL OR (n.supply <> p.supply AND p.publishing_since IS NULL)`)
}

func auditWaitingRestocks(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "a restock may wait only for a publication that waits, too", `
		SELECT 'restock of ' || w.item_id, 'pack ' || w.pack_id || ' has no waiting publication'
		FROM waiting_restocks w JOIN packs p ON p.id = w.pack_id WHERE p.publishing_since IS NULL`)
}

func auditWaitingValues(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "a value may wait only for a publication that waits, too", `
		SELECT 'value of ' || v.item_id, 'no pack has a waiting publication' FROM valuations v
		WHERE v.carried_at = $1 AND v.carried_at > v.created_at
		AND NOT EXISTS (SELECT 1 FROM packs WHERE publishing_since IS NOT NULL)`, db.Micros(catalogue.NotAnnounced))
}

type storedManifest struct {
	hash         []byte
	packID, body string
}

func eachManifest(tx *db.Tx, see func(storedManifest) error) error {
	scan := func(s db.Scanner) (m storedManifest, err error) { return m, s.Scan(&m.hash, &m.packID, &m.body) }
	return db.Each(tx, scan, see, `SELECT hash, pack_id, body FROM manifests`)
}

// ManifestText returns the text of a published manifest, or db.ErrNoRow.
func ManifestText(tx *db.Tx, hash Hash) (string, error) {
	return db.One(tx, db.Column[string], `SELECT body FROM manifests WHERE hash = $1`, hash[:])
}

package importer

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"hash/maphash"
	"io"
	"slices"
	"strings"

	"kaibao/internal/apperr"
	"kaibao/internal/catalogue"
	"kaibao/internal/catalogue/bulk"
	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/packs"
)

// Service imports and exports the catalogue.
type Service struct {
	DB    *db.DB
	Packs *packs.Service
}

// Format is a file format.
type Format string

// File formats.
const (
	CSV  Format = "csv"
	JSON Format = "json"
)

// source reads the rows of a file.
type source interface {
	next(c *cells) (row, error)
	writeReject(out *bufio.Writer, r row, first bool)
	endRejects(out *bufio.Writer)
	unknown() []UnknownColumn // found so far
}

func open(in io.Reader, format Format) (source, error) {
	if format == JSON {
		return readJSON(in)
	}
	return readCSV(in)
}

// reasons joins the columns of a row's problems, and the reasons.
func (r row) reasons() (fields, joined string) {
	var columns, all []string
	for _, p := range r.problems {
		if p.field == "" {
			all = append(all, p.reason)
			continue
		}
		columns, all = append(columns, p.field), append(all, p.field+": "+p.reason)
	}
	return strings.Join(columns, "; "), strings.Join(all, "; ")
}

// batchSize is how many rows are compared or written at a time.
const batchSize = 500

// Plan is the result of reading and checking a whole file, before anything is written. The items to
// write are spooled to disk.
type Plan struct {
	Report
	undrawable *spool // items that no pack can draw now
	drawable   *spool // items that a pack can draw
}

// Close deletes the plan's spools.
func (p *Plan) Close() error { return errors.Join(p.undrawable.close(), p.drawable.close()) }

// planner is the state while a plan is made.
type planner struct {
	*Service
	*Plan
	from             source
	rejects          *bufio.Writer // nil = rejects are not written
	seed             maphash.Seed
	rowByID          map[uint64]int64 // rows by id hash; P(collision) is 3·10⁻⁸ for 10⁶ rows
	rowByCertificate map[uint64]int64 // row numbers by hash of a newly assigned certificate
	isDrawable       map[string]bool
}

// Plan reads a file and compares it with the catalogue. It writes refused rows with their reasons
// to rejects, in the file's format, unless rejects is nil. It calls progress with the number of
// rows read so far.
func (s *Service) Plan(ctx context.Context, in io.Reader, format Format, rejects io.Writer, progress func(rows int64)) (*Plan, error) {
	from, err := open(in, format)
	if err != nil {
		return nil, err
	}
	p := &planner{
		Service: s, Plan: &Plan{Report: newReport()}, from: from, seed: maphash.MakeSeed(), rowByID: map[uint64]int64{}, rowByCertificate: map[uint64]int64{},
	}
	if rejects != nil {
		p.rejects = bufio.NewWriter(rejects)
	}
	// Use one connection, because each keeps its own cache.
	err = s.DB.Inspect(ctx, func(tx *db.Tx) error { return p.run(tx, progress) })
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p.Plan, nil
}

func (p *planner) run(tx *db.Tx, progress func(int64)) (err error) {
	p.undrawable, err = newSpool()
	if err != nil {
		return err
	}
	p.drawable, err = newSpool()
	if err != nil {
		return err
	}
	p.isDrawable, err = p.Packs.DrawableItems(tx)
	for more := true; more && err == nil; {
		more, err = p.planBatch(tx)
		if err == nil && p.rejects != nil {
			err = p.rejects.Flush()
		}
		progress(p.Rows)
	}
	p.UnknownColumns = p.from.unknown()
	if err != nil || p.rejects == nil {
		return err
	}
	if p.RefusedRows > 0 {
		p.from.endRejects(p.rejects)
	}
	return p.rejects.Flush()
}

// planBatch reads and compares up to batchSize rows.
func (p *planner) planBatch(tx *db.Tx) (more bool, err error) {
	rows := make([]row, 0, batchSize)
	for len(rows) < batchSize {
		var c cells
		r, err := p.from.next(&c)
		if errors.Is(err, io.EOF) {
			return false, p.planRows(tx, rows)
		}
		if err != nil {
			return false, err
		}
		r.original = bytes.Clone(r.original)
		rows = append(rows, r)
	}
	return true, p.planRows(tx, rows)
}

// planRows compares rows with the catalogue and spools those that change something.
func (p *planner) planRows(tx *db.Tx, rows []row) error {
	var read []catalogue.Item
	for _, r := range rows {
		if r.problems == nil || r.onlyImageRefused() {
			read = append(read, r.item)
		}
	}
	ids := make([]string, len(read))
	for n, item := range read {
		ids[n] = item.ID
	}
	found, err := bulk.Find(tx, ids)
	if err != nil {
		return err
	}
	holders, err := catalogue.CertificateHolders(tx, read)
	if err != nil {
		return err
	}
	steep, err := steepRaises(tx, read, found)
	if err != nil {
		return err
	}
	var undrawable, drawable []rowItem
	for _, r := range rows {
		before, ok := found[r.item.ID]
		// An item whose picture URL predates today's checks may keep it, because an export must be
		// importable.
		if r.onlyImageRefused() && ok && before.ImageURL == r.item.ImageURL {
			r.problems = nil
		}
		w := rowOf(r)
		if !p.acceptRow(&r, w.Certificate() != before.Certificate(), holders) {
			continue
		}
		after := w.after(before, ok)
		switch {
		case ok && after == before:
			p.Unchanged++
			continue
		case p.isDrawable[w.ID]:
			drawable = append(drawable, w)
		default:
			undrawable = append(undrawable, w)
		}
		p.change(before, after, ok, steep[w.ID])
	}
	return errors.Join(p.undrawable.add(undrawable), p.drawable.add(drawable))
}

// onlyImageRefused reports whether a row is refused only because of its picture's URL.
func (r row) onlyImageRefused() bool {
	return len(r.problems) == 1 && r.problems[0].field == columnNames[imageColumn]
}

// acceptRow counts a row and reports whether it is accepted; refused rows go to the rejects.
// newCertificate means that the row assigns its item a new certificate.
func (p *planner) acceptRow(r *row, newCertificate bool, holders map[string]string) bool {
	p.Rows++
	if len(r.problems) == 0 {
		key := maphash.String(p.seed, r.item.ID)
		if first := p.rowByID[key]; first != 0 {
			r.problems = []problem{{columnNames[idColumn], "is also the id in row " + formatInt(first)}}
		} else {
			p.rowByID[key] = r.number
		}
	}
	if certificate := r.item.Certificate(); len(r.problems) == 0 && newCertificate && certificate != "" {
		key := maphash.String(p.seed, certificate)
		switch first, holder := p.rowByCertificate[key], holders[certificate]; {
		case holder != "":
			r.problems = []problem{{columnNames[certColumn], catalogue.CertificateTaken(holder)}}
		case first != 0:
			r.problems = []problem{{columnNames[certColumn], "is also the certificate in row " + formatInt(first)}}
		default:
			p.rowByCertificate[key] = r.number
		}
	}
	if len(r.problems) == 0 {
		return true
	}
	if p.rejects != nil {
		p.from.writeReject(p.rejects, *r, p.RefusedRows == 0)
	}
	p.refuse(*r)
	return false
}

// steepRaises returns the ids of items whose value rises so much that a second admin must approve
// it.
func steepRaises(tx *db.Tx, read []catalogue.Item, found map[string]catalogue.Item) (map[string]bool, error) {
	var raises []packs.ValueRaise
	for _, i := range read {
		if before, ok := found[i.ID]; ok && i.BaseValue > before.BaseValue {
			raises = append(raises, packs.ValueRaise{Item: i.ID, Name: i.Name, From: before.BaseValue, To: i.BaseValue})
		}
	}
	steep := map[string]bool{}
	all, err := packs.SteepRaises(tx, raises)
	for _, r := range all {
		steep[r.Item] = true
	}
	return steep, err
}

// rowItem is an item as described by a row.
type rowItem struct {
	catalogue.Item
	KeepsActive bool // the row doesn't say whether the item is active
	KeepsSet    bool // the row has no cell for the set
	KeepsNumber bool // the row has no cell for the number in the set
}

func rowOf(r row) rowItem {
	return rowItem{Item: r.item, KeepsActive: r.keepsActive, KeepsSet: r.keepsSet, KeepsNumber: r.keepsNumber}
}

// after returns the item after the import. ok is whether it existed before. Fields that files don't
// have keep their values.
func (w rowItem) after(before catalogue.Item, ok bool) catalogue.Item {
	if !ok {
		return w.Item
	}
	after := before
	after.Name, after.Series, after.Rarity, after.ImageURL = w.Name, w.Series, w.Rarity, w.ImageURL
	after.GradeTenths, after.Grader, after.CertNumber = w.GradeTenths, w.Grader, w.CertNumber
	after.BaseValue = w.BaseValue
	if !w.KeepsSet {
		after.Set = w.Set
	}
	if !w.KeepsNumber {
		after.SetNumber = w.SetNumber
	}
	if after.Set == "" {
		after.SetNumber = ""
	}
	if !w.KeepsActive {
		after.Active = w.Active
	}
	return after
}

func idsOf(items []rowItem) []string {
	ids := make([]string, len(items))
	for n, w := range items {
		ids[n] = w.ID
	}
	slices.Sort(ids)
	return ids
}

// rejectedRowsError returns the error for a file with rejected rows.
func (r Report) rejectedRowsError() error {
	return apperr.New(apperr.Invalid, formatInt(r.RefusedRows)+" of "+formatInt(r.Rows)+" rows were rejected. Nothing was imported.").WithDetails(r)
}

// Change is a new or changed item.
type Change struct {
	ID          string       `json:"id"`
	Name        string       `json:"name"`
	IsNew       bool         `json:"isNew"`
	BeforeCents *money.Cents `json:"beforeCents" nullable:"true" doc:"Previous value; null for new items."`
	AfterCents  money.Cents  `json:"afterCents"`
	Fields      []string     `json:"fields" nullable:"false" doc:"Fields that change."`
}

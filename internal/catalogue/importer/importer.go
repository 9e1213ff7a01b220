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
	reject(out *bufio.Writer, r row, first bool)
	endRejects(out *bufio.Writer)
	unknown() []UnknownColumn // found so far
}

func open(in io.Reader, format Format) (source, error) {
	if format == JSON {
		return readJSON(in)
	}
	return readCSV(in)
}

// why joins the refused columns of a row, and the reasons.
func (r row) why() (fields, reasons string) {
	var columns, all []string
	for _, p := range r.refused {
		if p.field == "" {
			all = append(all, p.why)
			continue
		}
		columns, all = append(columns, p.field), append(all, p.field+": "+p.why)
	}
	return strings.Join(columns, "; "), strings.Join(all, "; ")
}

// batchSize is how many rows are compared or written at a time.
const batchSize = 500

// Plan is the result of reading and checking a whole file, before anything is written. The items to
// write are spooled to disk.
type Plan struct {
	Report
	calm *spool // items that no pack can draw now
	held *spool // items that a pack can draw
}

// Close deletes the plan's spools.
func (p *Plan) Close() error { return errors.Join(p.calm.close(), p.held.close()) }

// planning is the state while a plan is made.
type planning struct {
	*Service
	*Plan
	from     source
	rejects  *bufio.Writer // nil = not wanted
	seed     maphash.Seed
	seen     map[uint64]int64 // rows by id hash; P(collision) is 3·10⁻⁸ for 10⁶ rows
	graded   map[uint64]int64 // row numbers by hash of a newly assigned certificate
	drawable map[string]bool
}

// Plan reads a file and compares it with the catalogue. It writes refused rows with their reasons
// to rejects, in the file's format, unless rejects is nil. It calls progress with the number of
// rows read so far.
func (s *Service) Plan(ctx context.Context, in io.Reader, format Format, rejects io.Writer, progress func(rows int64)) (*Plan, error) {
	from, err := open(in, format)
	if err != nil {
		return nil, err
	}
	p := &planning{
		Service: s, Plan: &Plan{Report: newReport()}, from: from, seed: maphash.MakeSeed(), seen: map[uint64]int64{}, graded: map[uint64]int64{},
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

func (p *planning) run(tx *db.Tx, progress func(int64)) (err error) {
	p.calm, err = newSpool()
	if err != nil {
		return err
	}
	p.held, err = newSpool()
	if err != nil {
		return err
	}
	p.drawable, err = p.Packs.DrawableItems(tx)
	for more := true; more && err == nil; {
		more, err = p.batch(tx)
		if err == nil && p.rejects != nil {
			err = p.rejects.Flush()
		}
		progress(p.Rows)
	}
	p.UnknownColumns = p.from.unknown()
	if err != nil || p.rejects == nil {
		return err
	}
	if p.Refused > 0 {
		p.from.endRejects(p.rejects)
	}
	return p.rejects.Flush()
}

// batch reads and compares up to batchSize rows.
func (p *planning) batch(tx *db.Tx) (more bool, err error) {
	rows := make([]row, 0, batchSize)
	for len(rows) < batchSize {
		var c cells
		r, err := p.from.next(&c)
		if errors.Is(err, io.EOF) {
			return false, p.judge(tx, rows)
		}
		if err != nil {
			return false, err
		}
		r.original = bytes.Clone(r.original)
		rows = append(rows, r)
	}
	return true, p.judge(tx, rows)
}

// judge compares rows with the catalogue and spools those that change something.
func (p *planning) judge(tx *db.Tx, rows []row) error {
	var read []catalogue.Item
	for _, r := range rows {
		if r.refused == nil || r.pardonable() {
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
	steep, err := steepOf(tx, read, found)
	if err != nil {
		return err
	}
	var calm, held []wanted
	for _, r := range rows {
		before, ok := found[r.item.ID]
		// An item whose address predates today's checks may keep it, because an export must be
		// importable.
		if r.pardonable() && ok && before.ImageURL == r.item.ImageURL {
			r.refused = nil
		}
		w := wanted{Item: r.item, Keeps: r.keeps}
		if !p.admit(&r, w.Certificate() != before.Certificate(), holders) {
			continue
		}
		after := w.after(before, ok)
		switch {
		case ok && after == before:
			p.Same++
			continue
		case p.drawable[w.ID]:
			held = append(held, w)
		default:
			calm = append(calm, w)
		}
		p.change(before, after, ok, steep[w.ID])
	}
	return errors.Join(p.calm.add(calm), p.held.add(held))
}

// pardonable reports whether a row is refused only because of its picture's address.
func (r row) pardonable() bool {
	return len(r.refused) == 1 && r.refused[0].field == columnNames[imageColumn]
}

// admit counts a row and reports whether it is accepted; refused rows go to the rejects. certified
// means that the row assigns its item a new certificate.
func (p *planning) admit(r *row, certified bool, holders map[string]string) bool {
	p.Rows++
	if len(r.refused) == 0 {
		key := maphash.String(p.seed, r.item.ID)
		if first := p.seen[key]; first != 0 {
			r.refused = []problem{{columnNames[idColumn], "is also the id in row " + digits(first)}}
		} else {
			p.seen[key] = r.number
		}
	}
	if certificate := r.item.Certificate(); len(r.refused) == 0 && certified && certificate != "" {
		key := maphash.String(p.seed, certificate)
		switch first, holder := p.graded[key], holders[certificate]; {
		case holder != "":
			r.refused = []problem{{columnNames[certColumn], catalogue.CertificateTaken(holder)}}
		case first != 0:
			r.refused = []problem{{columnNames[certColumn], "is also the certificate in row " + digits(first)}}
		default:
			p.graded[key] = r.number
		}
	}
	if len(r.refused) == 0 {
		return true
	}
	if p.rejects != nil {
		p.from.reject(p.rejects, *r, p.Refused == 0)
	}
	p.refuse(*r)
	return false
}

// steepOf returns the items whose value rises so much that a second admin must approve it.
func steepOf(tx *db.Tx, read []catalogue.Item, found map[string]catalogue.Item) (map[string]bool, error) {
	var rises []packs.ValueRaise
	for _, i := range read {
		if before, ok := found[i.ID]; ok && i.BaseValue > before.BaseValue {
			rises = append(rises, packs.ValueRaise{Item: i.ID, Name: i.Name, From: before.BaseValue, To: i.BaseValue})
		}
	}
	steep := map[string]bool{}
	all, err := packs.SteepRaises(tx, rises)
	for _, r := range all {
		steep[r.Item] = true
	}
	return steep, err
}

// wanted is an item as described by a row.
type wanted struct {
	catalogue.Item
	Keeps bool // the row doesn't say whether the item is active
}

// after returns the item after the import. ok is whether it existed before; fields that files don't
// have keep their values.
func (w wanted) after(before catalogue.Item, ok bool) catalogue.Item {
	if !ok {
		return w.Item
	}
	after := before
	after.Name, after.Series, after.Rarity, after.ImageURL = w.Name, w.Series, w.Rarity, w.ImageURL
	after.GradeTenths, after.Grader, after.CertNumber = w.GradeTenths, w.Grader, w.CertNumber
	after.BaseValue = w.BaseValue
	if !w.Keeps {
		after.Active = w.Active
	}
	return after
}

func idsOf(items []wanted) []string {
	ids := make([]string, len(items))
	for n, w := range items {
		ids[n] = w.ID
	}
	slices.Sort(ids)
	return ids
}

// refusedWhole returns the error for a file with refused rows.
func (r Report) refusedWhole() error {
	return apperr.New(apperr.Invalid, digits(r.Refused)+" of "+digits(r.Rows)+" rows were rejected. Nothing was imported.").WithDetails(r)
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

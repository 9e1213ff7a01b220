package importer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kaibao/internal/apperr"
	"kaibao/internal/approval"
	"kaibao/internal/catalogue"
	"kaibao/internal/catalogue/bulk"
	"kaibao/internal/db"
	"kaibao/internal/imageproxy"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
	"kaibao/internal/packs"
)

// writing is what a transaction has written of a plan.
type writing struct {
	*Service
	tx      *db.Tx
	values  catalogue.Valuation
	holders map[string]bool // packs to be announced anew
	rises   []packs.Raise   // values that an admin raises, which come last
	only    int64           // of them, items of which nothing else changes
}

// writing begins to write what an admin imports, or a command, where by is empty.
func (s *Service) writing(tx *db.Tx, by, reason string) (*writing, error) {
	w := &writing{Service: s, tx: tx, values: catalogue.Valuation{Source: catalogue.Imported, Reason: reason, By: by}, holders: map[string]bool{}}
	if err := packs.Publishing(tx); err != nil {
		return nil, err
	}
	err := catalogue.GivingCertificates(tx)
	if err == nil && by != "" {
		_, err = ledger.LockAll(tx, []string{by}) // for what they cause alone
	}
	return w, err
}

// Write writes all of a plan and announces the packs that hold what has changed. Values that
// an admin does not raise alone wait for a second one.
func (s *Service) Write(tx *db.Tx, p *Plan, by, reason string, progress func(rows int64)) (Report, error) {
	w, err := s.writing(tx, by, reason)
	if err != nil {
		return Report{}, err
	}
	// While the certificates' index is there, which Rebuilding drops.
	for _, part := range []*spool{p.calm, p.held} {
		if err := part.each(w.checkCertificates); err != nil {
			return Report{}, err
		}
	}
	done := int64(0)
	write := func(part *spool) error {
		return part.each(func(items []wanted) error {
			done += int64(len(items))
			progress(done)
			return w.items(items)
		})
	}
	many, err := p.many(tx)
	if err == nil && many {
		err = bulk.Rebuilding(tx, func() error { return write(p.calm) })
	} else if err == nil {
		err = write(p.calm)
	}
	if err != nil {
		return Report{}, err
	}
	// The rows so far may have taken minutes of the notice. Where one of them has come to be
	// drawn since the plan was made, what was said of its value goes by the time before.
	if len(w.holders) == 0 {
		tx.Restate()
	}
	if err := write(p.held); err != nil {
		return Report{}, err
	}
	waiting, err := w.raiseOrAsk()
	if err != nil {
		return Report{}, err
	}
	announced, err := w.announce()
	if err == nil && waiting == nil {
		err = w.Packs.CheckAnnounced(tx, w.rises)
	}
	report := p.imported(announced)
	if waiting != nil {
		report.Approval = waiting
		report.Changed -= w.only
	}
	return report, err
}

// subject names the raised values of this import in the audit trail, so that those of several
// imports can wait side by side.
func (w *writing) subject() (string, error) {
	text, err := json.Marshal(w.rises)
	sum := sha256.Sum256(text)
	return catalogue.Whole + " " + hex.EncodeToString(sum[:6]), err
}

// raiseOrAsk raises the values that rise, or has all of them wait for a second admin.
func (w *writing) raiseOrAsk() (*approval.Waiting, error) {
	if len(w.rises) == 0 {
		return nil, nil
	}
	subject, err := w.subject()
	if err != nil {
		return nil, err
	}
	waiting, err := w.Packs.RaiseOrAsk(w.tx, w.values.By, subject, w.values.Source, w.values.Reason, w.rises)
	if err != nil || waiting != nil {
		return waiting, err
	}
	for some := range slices.Chunk(w.rises, batchSize) {
		ids, to := make([]string, len(some)), map[string]money.Cents{}
		for n, r := range some {
			ids[n], to[r.Item] = r.Item, r.To
		}
		slices.Sort(ids)
		found, err := bulk.Lock(w.tx, ids)
		if err != nil {
			return nil, err
		}
		var risen []catalogue.Item
		drawn := map[string]bool{}
		for _, id := range ids {
			item := found[id]
			item.BaseValue = to[id]
			risen, drawn[id] = append(risen, item), true
		}
		if err := w.rows(nil, risen, risen, drawn); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// manyRows are fewer than take long in any order.
const manyRows = 10_000

// many tells whether the new items are so many, beside those that there are, that the
// indexes are made anew.
func (p *Plan) many(tx *db.Tx) (bool, error) {
	if p.New < manyRows {
		return false, nil
	}
	there, err := bulk.Count(tx)
	return p.New > there, err
}

// WriteInParts is Write in short transactions, between which others write: where rows may
// be left out, nothing asks for all at once. What packs can draw comes last, and together.
func (s *Service) WriteInParts(ctx context.Context, p *Plan, reason string, progress func(rows int64)) (Report, error) {
	done := int64(0)
	err := p.calm.each(func(items []wanted) error {
		done += int64(len(items))
		progress(done)
		return s.DB.InTx(ctx, func(tx *db.Tx) error {
			w, err := s.writing(tx, "", reason)
			if err == nil {
				err = w.checkCertificates(items)
			}
			if err == nil {
				err = w.items(items)
			}
			if err == nil {
				_, err = w.announce()
			}
			return err
		})
	})
	if err != nil {
		return Report{}, err
	}
	var announced []packs.Announced
	err = s.DB.InTx(ctx, func(tx *db.Tx) (err error) {
		w, err := s.writing(tx, "", reason)
		if err == nil {
			err = p.held.each(w.checkCertificates)
		}
		if err == nil {
			err = p.held.each(w.items)
		}
		if err == nil {
			announced, err = w.announce()
		}
		return err
	})
	return p.imported(announced), err
}

func (p *Plan) imported(announced []packs.Announced) Report {
	report := p.Report
	report.Imported, report.Packs = true, []PackEffect{}
	for _, a := range announced {
		report.Packs = append(report.Packs, PackEffect(a))
	}
	return report
}

// checkCertificates refuses items that would get a certificate which another one has got
// since the file was checked.
func (w *writing) checkCertificates(items []wanted) error {
	var certified []catalogue.Item
	var ids []string
	for _, i := range items {
		if i.Certificate() != "" {
			certified, ids = append(certified, i.Item), append(ids, i.ID)
		}
	}
	if certified == nil {
		return nil
	}
	found, err := bulk.Find(w.tx, ids)
	if err != nil {
		return err
	}
	holders, err := catalogue.CertificateHolders(w.tx, certified)
	if err != nil {
		return err
	}
	for _, i := range certified {
		holder := holders[i.Certificate()]
		if holder != "" && i.Certificate() != found[i.ID].Certificate() {
			return apperr.New(apperr.Conflict, fmt.Sprintf("Item %s can't get the certificate %s: item %s has it by now. Check the file again.", i.ID, i.Certificate(), holder))
		}
	}
	return nil
}

// items writes some of them, compared once more with what there is by now.
func (w *writing) items(items []wanted) error {
	slices.SortFunc(items, func(a, b wanted) int { return strings.Compare(a.ID, b.ID) })
	pictures := make([]string, len(items))
	for n, i := range items {
		pictures[n] = i.ImageURL
	}
	if err := imageproxy.RegisterAll(w.tx, imageproxy.Thing, pictures); err != nil {
		return err
	}
	found, err := bulk.Lock(w.tx, idsOf(items))
	if err != nil {
		return err
	}
	var fresh, changed, valued []catalogue.Item
	drawn := map[string]bool{}
	for _, item := range items {
		before, ok := found[item.ID]
		after := item.after(before, ok)
		switch {
		case !ok:
			fresh = append(fresh, after)
			continue
		case w.values.By != "" && after.BaseValue > before.BaseValue:
			w.rises = append(w.rises, packs.Raise{Item: item.ID, Name: item.Name, From: before.BaseValue, To: after.BaseValue})
			after.BaseValue = before.BaseValue
			if after == before {
				w.only++
			}
		}
		if after != before {
			changed = append(changed, after)
		}
		if after.BaseValue != before.BaseValue {
			valued = append(valued, after)
		}
		if after.DrawnOtherwise(before) {
			drawn[item.ID] = true
		}
	}
	return w.rows(fresh, changed, valued, drawn)
}

// rows writes new items, changed ones, the values of some of those, and notes which packs
// draw what is drawn otherwise now.
func (w *writing) rows(fresh, changed, valued []catalogue.Item, drawn map[string]bool) error {
	carried, holders, err := w.Packs.Carried(w.tx, drawn)
	if err != nil {
		return err
	}
	for _, pack := range holders {
		w.holders[pack] = true
	}
	if err := bulk.Insert(w.tx, fresh); err != nil {
		return err
	}
	if err := bulk.ValueFirst(w.tx, fresh, w.values); err != nil {
		return err
	}
	if err := bulk.Update(w.tx, changed); err != nil {
		return err
	}
	return bulk.Value(w.tx, valued, w.values, carried)
}

func (w *writing) announce() ([]packs.Announced, error) {
	return w.Packs.Announce(w.tx, slices.Sorted(maps.Keys(w.holders)))
}

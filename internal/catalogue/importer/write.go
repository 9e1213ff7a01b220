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

// writing is the state of a transaction that writes a plan.
type writing struct {
	*Service
	tx      *db.Tx
	values  catalogue.Valuation
	holders map[string]bool    // packs to republish
	rises   []packs.ValueRaise // values raised by an admin; written last
	only    int64              // number of items with no change but a raise
}

// writing begins to write an import. by is the admin, or empty for a command.
func (s *Service) writing(tx *db.Tx, by, reason string) (*writing, error) {
	w := &writing{Service: s, tx: tx, values: catalogue.Valuation{Source: catalogue.Imported, Reason: reason, By: by}, holders: map[string]bool{}}
	if err := packs.LockPublishing(tx); err != nil {
		return nil, err
	}
	err := catalogue.GivingCertificates(tx)
	if err == nil && by != "" {
		_, err = ledger.LockAll(tx, []string{by}) // for the daily total
	}
	return w, err
}

// Write writes a whole plan and republishes the affected packs. Raised values beyond the admin's
// limit wait for a second admin.
func (s *Service) Write(tx *db.Tx, p *Plan, by, reason string, progress func(rows int64)) (Report, error) {
	w, err := s.writing(tx, by, reason)
	if err != nil {
		return Report{}, err
	}
	// Check before WithoutIndexes drops the index of certificates.
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
		err = bulk.WithoutIndexes(tx, func() error { return write(p.calm) })
	} else if err == nil {
		err = write(p.calm)
	}
	if err != nil {
		return Report{}, err
	}
	// The rows so far may have used up minutes of the notice period, so start it now. That is not
	// possible if one of those items has become drawable since the plan was made, because its
	// CarriedAt is based on the earlier time.
	if len(w.holders) == 0 {
		tx.AnnounceNow()
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
		err = w.Packs.CheckRaisesAnnounced(tx, w.rises)
	}
	report := p.imported(announced)
	if waiting != nil {
		report.Approval = waiting
		report.Changed -= w.only
	}
	return report, err
}

// subject returns the approval subject of this import's raised values. It includes their hash, so
// that several imports can await approval at the same time.
func (w *writing) subject() (string, error) {
	text, err := json.Marshal(w.rises)
	sum := sha256.Sum256(text)
	return catalogue.Whole + " " + hex.EncodeToString(sum[:6]), err
}

// raiseOrAsk writes the raised values, or requests approval for all of them.
func (w *writing) raiseOrAsk() (*approval.Waiting, error) {
	if len(w.rises) == 0 {
		return nil, nil
	}
	subject, err := w.subject()
	if err != nil {
		return nil, err
	}
	waiting, err := w.Packs.AuthorizeRaises(w.tx, w.values.By, subject, w.values.Source, w.values.Reason, w.rises)
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

// manyRows is the number of rows below which writing is fast in any order.
const manyRows = 10_000

// many reports whether the plan has more new items than the catalogue has items, so that rebuilding
// the indexes is faster.
func (p *Plan) many(tx *db.Tx) (bool, error) {
	if p.New < manyRows {
		return false, nil
	}
	there, err := bulk.Count(tx)
	return p.New > there, err
}

// WriteInParts is like Write but uses short transactions, so that others can write in between. It
// is for imports that may skip rows and need not be atomic. Items that packs can draw are written
// last, in one transaction.
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
	var announced []packs.Republished
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

func (p *Plan) imported(announced []packs.Republished) Report {
	report := p.Report
	report.Imported, report.Packs = true, []PackEffect{}
	for _, a := range announced {
		report.Packs = append(report.Packs, PackEffect(a))
	}
	return report
}

// checkCertificates refuses certificates that another item got after the plan was made.
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
			return apperr.New(apperr.Conflict, fmt.Sprintf("Item %s can't get the certificate %s, because item %s now has it. Check the file again.", i.ID, i.Certificate(), holder))
		}
	}
	return nil
}

// items writes a batch, compared again with the current catalogue.
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
			w.rises = append(w.rises, packs.ValueRaise{Item: item.ID, Name: item.Name, From: before.BaseValue, To: after.BaseValue})
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

// rows writes new, changed and revalued items, and notes which packs must be republished.
func (w *writing) rows(fresh, changed, valued []catalogue.Item, drawn map[string]bool) error {
	carried, holders, err := w.Packs.OldManifestsEnd(w.tx, drawn)
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

func (w *writing) announce() ([]packs.Republished, error) {
	return w.Packs.Republish(w.tx, slices.Sorted(maps.Keys(w.holders)))
}

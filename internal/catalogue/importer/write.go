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

// importWriter is the state of a transaction that writes a plan.
type importWriter struct {
	*Service
	tx            *db.Tx
	valuation     catalogue.Valuation
	affectedPacks map[string]bool    // packs to republish
	drawable      bool               // a manifest can draw one of the items written so far
	raises        []packs.ValueRaise // values raised by an admin; written last
	onlyRaised    int64              // number of items with no change but a raise
}

// newImportWriter takes the locks of an import. by is the admin, or empty for a command.
func (s *Service) newImportWriter(tx *db.Tx, by, reason string) (*importWriter, error) {
	w := &importWriter{Service: s, tx: tx, valuation: catalogue.Valuation{Source: catalogue.ImportSource, Reason: reason, By: by}, affectedPacks: map[string]bool{}}
	if err := packs.LockPublishing(tx); err != nil {
		return nil, err
	}
	err := catalogue.LockCertificates(tx)
	if err == nil && by != "" {
		_, err = ledger.LockAll(tx, []string{by}) // for the daily total
	}
	return w, err
}

// Write writes a whole plan and republishes the affected packs. Raised values beyond the admin's
// limit wait for a second admin.
func (s *Service) Write(tx *db.Tx, p *Plan, by, reason string, progress func(rows int64)) (Report, error) {
	w, err := s.newImportWriter(tx, by, reason)
	if err != nil {
		return Report{}, err
	}
	// Check before WithoutIndexes drops the index of certificates.
	for _, part := range []*spool{p.undrawable, p.drawable} {
		if err := part.forEachBatch(w.checkCertificates); err != nil {
			return Report{}, err
		}
	}
	done := int64(0)
	write := func(part *spool) error {
		return part.forEachBatch(func(items []rowItem) error {
			done += int64(len(items))
			progress(done)
			return w.writeItems(items)
		})
	}
	rebuild, err := p.shouldRebuild(tx)
	if err == nil && rebuild {
		err = bulk.WithoutIndexes(tx, func() error { return write(p.undrawable) })
	} else if err == nil {
		err = write(p.undrawable)
	}
	if err != nil {
		return Report{}, err
	}
	// The rows so far may have used up minutes of the notice period, so start it now. That is not
	// possible if one of those items has become drawable since the plan was made, because its
	// CarriedAt is based on the earlier time.
	if !w.drawable {
		tx.AnnounceNow()
	}
	if err := write(p.drawable); err != nil {
		return Report{}, err
	}
	waiting, err := w.writeRaises()
	if err != nil {
		return Report{}, err
	}
	republished, err := w.republish()
	if err == nil && waiting == nil {
		err = w.Packs.CheckRaisesAnnounced(tx, w.raises)
	}
	report := p.importedReport(republished)
	if waiting != nil {
		report.Approval = waiting
		report.Changed -= w.onlyRaised
	}
	return report, err
}

// subject returns the approval subject of this import's raised values. It includes their hash, so
// that several imports can await approval at the same time.
func (w *importWriter) subject() (string, error) {
	text, err := json.Marshal(w.raises)
	sum := sha256.Sum256(text)
	return catalogue.ImportSubject + " " + hex.EncodeToString(sum[:6]), err
}

// writeRaises writes the raised values, or requests approval for all of them.
func (w *importWriter) writeRaises() (*approval.Waiting, error) {
	if len(w.raises) == 0 {
		return nil, nil
	}
	subject, err := w.subject()
	if err != nil {
		return nil, err
	}
	waiting, err := w.Packs.AuthorizeRaises(w.tx, w.valuation.By, subject, w.valuation.Source, w.valuation.Reason, w.raises)
	if err != nil || waiting != nil {
		return waiting, err
	}
	for chunk := range slices.Chunk(w.raises, batchSize) {
		ids, to := make([]string, len(chunk)), map[string]money.Cents{}
		for n, r := range chunk {
			ids[n], to[r.Item] = r.Item, r.To
		}
		slices.Sort(ids)
		locked, err := bulk.Lock(w.tx, ids)
		if err != nil {
			return nil, err
		}
		var raised []catalogue.Item
		drawn := map[string]bool{}
		for _, id := range ids {
			item := locked[id]
			item.BaseValue = to[id]
			raised, drawn[id] = append(raised, item), true
		}
		if err := w.writeRows(nil, raised, raised, drawn); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// rebuildThreshold is the number of new items below which writing is fast without a rebuild.
const rebuildThreshold = 10_000

// shouldRebuild reports whether the plan has more new items than the catalogue has items, so that
// rebuilding the indexes is faster.
func (p *Plan) shouldRebuild(tx *db.Tx) (bool, error) {
	if p.New < rebuildThreshold {
		return false, nil
	}
	existing, err := bulk.Count(tx)
	return p.New > existing, err
}

// WriteInParts is like Write but uses short transactions, so that others can write in between. It
// is for imports that may skip rows and need not be atomic. Items that packs can draw are written
// last, in one transaction.
func (s *Service) WriteInParts(ctx context.Context, p *Plan, reason string, progress func(rows int64)) (Report, error) {
	done := int64(0)
	err := p.undrawable.forEachBatch(func(items []rowItem) error {
		done += int64(len(items))
		progress(done)
		return s.DB.InTx(ctx, func(tx *db.Tx) error {
			w, err := s.newImportWriter(tx, "", reason)
			if err == nil {
				err = w.checkCertificates(items)
			}
			if err == nil {
				err = w.writeItems(items)
			}
			if err == nil {
				_, err = w.republish()
			}
			return err
		})
	})
	if err != nil {
		return Report{}, err
	}
	var republished []packs.Republished
	err = s.DB.InTx(ctx, func(tx *db.Tx) (err error) {
		w, err := s.newImportWriter(tx, "", reason)
		if err == nil {
			err = p.drawable.forEachBatch(w.checkCertificates)
		}
		if err == nil {
			err = p.drawable.forEachBatch(w.writeItems)
		}
		if err == nil {
			republished, err = w.republish()
		}
		return err
	})
	return p.importedReport(republished), err
}

func (p *Plan) importedReport(republished []packs.Republished) Report {
	report := p.Report
	report.Imported, report.Packs = true, []PackEffect{}
	for _, a := range republished {
		report.Packs = append(report.Packs, PackEffect(a))
	}
	return report
}

// checkCertificates refuses certificates that another item got after the plan was made.
func (w *importWriter) checkCertificates(items []rowItem) error {
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

// writeItems writes a batch, compared again with the current catalogue.
func (w *importWriter) writeItems(items []rowItem) error {
	slices.SortFunc(items, func(a, b rowItem) int { return strings.Compare(a.ID, b.ID) })
	pictures := make([]string, len(items))
	for n, i := range items {
		pictures[n] = i.ImageURL
	}
	if err := imageproxy.RegisterAll(w.tx, imageproxy.Thing, pictures); err != nil {
		return err
	}
	locked, err := bulk.Lock(w.tx, idsOf(items))
	if err != nil {
		return err
	}
	var added, changed, valued []catalogue.Item
	drawn := map[string]bool{}
	for _, item := range items {
		before, ok := locked[item.ID]
		after := item.after(before, ok)
		switch {
		case !ok:
			added = append(added, after)
			continue
		case w.valuation.By != "" && after.BaseValue > before.BaseValue:
			w.raises = append(w.raises, packs.ValueRaise{Item: item.ID, Name: item.Name, From: before.BaseValue, To: after.BaseValue})
			after.BaseValue = before.BaseValue
			if after == before {
				w.onlyRaised++
			}
		}
		if after != before {
			changed = append(changed, after)
		}
		if after.BaseValue != before.BaseValue {
			valued = append(valued, after)
		}
		if after.DrawDiffers(before) {
			drawn[item.ID] = true
		}
	}
	return w.writeRows(added, changed, valued, drawn)
}

// writeRows writes new, changed and revalued items, and collects the packs that must be
// republished.
func (w *importWriter) writeRows(added, changed, valued []catalogue.Item, drawn map[string]bool) error {
	carried, holders, err := w.Packs.OldManifestsEnd(w.tx, drawn)
	if err != nil {
		return err
	}
	w.drawable = w.drawable || len(carried) > 0
	for _, pack := range holders {
		w.affectedPacks[pack] = true
	}
	if err := bulk.Insert(w.tx, added); err != nil {
		return err
	}
	if err := bulk.InsertFirstValuations(w.tx, added, w.valuation); err != nil {
		return err
	}
	if err := bulk.Update(w.tx, changed); err != nil {
		return err
	}
	return bulk.AppendValuations(w.tx, valued, w.valuation, carried)
}

func (w *importWriter) republish() ([]packs.Republished, error) {
	return w.Packs.Republish(w.tx, slices.Sorted(maps.Keys(w.affectedPacks)))
}

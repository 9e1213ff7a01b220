package importer

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"slices"
	"strconv"
	"strings"

	"kaibao/internal/adminlog"
	"kaibao/internal/apperr"
	"kaibao/internal/approval"
	"kaibao/internal/catalogue"
)

// maxListed is how many refusals and changes a report lists; its counts include all.
const maxListed = 100

// Refusal is a reason why a row was refused.
type Refusal struct {
	Row    int64  `json:"row" doc:"Row number as in a spreadsheet: the header of a CSV file is row 1."`
	Field  string `json:"field" doc:"Empty if the whole row is rejected."`
	Reason string `json:"reason"`
}

// UnknownColumn is a column or field in a file that items don't have.
type UnknownColumn struct {
	Name    string `json:"name"`
	Nearest string `json:"nearest" doc:"The known column that was probably meant; empty if none is similar."`
}

// PackEffect is a pack that was republished.
type PackEffect struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Paused string `json:"paused,omitempty" doc:"Why the margin guard pauses the pack now."`
	Waits  bool   `json:"waits,omitempty" doc:"It is announced once its pending orders are drawn."`
}

// Report describes what a file changes, or changed.
type Report struct {
	Imported       bool              `json:"imported" doc:"False for a dry run."`
	Rows           int64             `json:"rows"`
	New            int64             `json:"new"`
	Changed        int64             `json:"changed"`
	Unchanged      int64             `json:"same"`
	RefusedRows    int64             `json:"refused"`
	FirstRefusals  []Refusal         `json:"refusals" nullable:"false" doc:"The first rejected rows."`
	Changes        []Change          `json:"changes" nullable:"false" doc:"The first changes."`
	UnknownColumns []UnknownColumn   `json:"unknownColumns" nullable:"false" doc:"Unknown columns, which are ignored."`
	Steep          int64             `json:"steep" doc:"How many values rise to more than twice those of a week ago. If there is one, all raised values of an admin's import wait for a second admin."`
	Steepest       []Change          `json:"steepest" nullable:"false" doc:"The first of those."`
	Approval       *approval.Waiting `json:"approval,omitempty" doc:"The request for the raised values, waiting for a second admin. Everything else was imported."`
	Packs          []PackEffect      `json:"packs" nullable:"false" doc:"Packs with changed items, whose new odds are announced."`
	Rejects        string            `json:"rejects,omitempty" doc:"For a dry run: the rejected rows in the file's own format, each with its reason, to correct and import."`
}

func newReport() Report {
	return Report{FirstRefusals: []Refusal{}, Changes: []Change{}, Steepest: []Change{}, UnknownColumns: []UnknownColumn{}, Packs: []PackEffect{}}
}

// counts are an import's counts in the admin log.
type counts struct {
	Rows        int64 `json:"rows"`
	New         int64 `json:"new"`
	Changed     int64 `json:"changed"`
	Unchanged   int64 `json:"same"`
	RefusedRows int64 `json:"refused"`
}

// LogSummary returns what the admin log stores about an import: the hash and size of the file, its
// counts, and the first changes.
func (r *Report) LogSummary(format Format, sum hash.Hash, size int64, reason string) (summary []byte, change adminlog.Change, err error) {
	summary, err = json.Marshal(map[string]any{
		"format": format, "reason": reason, "sha256": hex.EncodeToString(sum.Sum(nil)), "bytes": size, "changes": r.Changes, "unknownColumns": r.UnknownColumns,
	})
	return summary, adminlog.Change{Subject: catalogue.ImportSubject, After: counts{r.Rows, r.New, r.Changed, r.Unchanged, r.RefusedRows}, Reason: reason}, err
}

// CheckIgnored refuses a file with unknown columns that are not in ignored, because they may be
// misspelled.
func (r *Report) CheckIgnored(ignored []string) error {
	var missing []string
	for _, c := range r.UnknownColumns {
		switch {
		case slices.Contains(ignored, c.Name):
		case c.Nearest != "":
			missing = append(missing, fmt.Sprintf("%q (%s?)", c.Name, c.Nearest))
		default:
			missing = append(missing, strconv.Quote(c.Name))
		}
	}
	if missing == nil {
		return nil
	}
	return apperr.InvalidField("ignoreColumns", "must list the unknown columns to ignore: "+strings.Join(missing, ", "))
}

func (r *Report) refuse(bad row) {
	r.RefusedRows++
	for _, p := range bad.problems {
		if len(r.FirstRefusals) < maxListed {
			r.FirstRefusals = append(r.FirstRefusals, Refusal{Row: bad.number, Field: p.field, Reason: p.reason})
		}
	}
}

// change counts a new or changed item. steep means that the raise needs a second admin.
func (r *Report) change(before, after catalogue.Item, ok, steep bool) {
	c := Change{ID: after.ID, Name: after.Name, IsNew: !ok, AfterCents: after.BaseValue, Fields: []string{}}
	if ok {
		r.Changed++
		c.BeforeCents, c.Fields = &before.BaseValue, changedColumns(before, after)
	} else {
		r.New++
	}
	if len(r.Changes) < maxListed {
		r.Changes = append(r.Changes, c)
	}
	if !steep {
		return
	}
	r.Steep++
	if len(r.Steepest) < maxListed {
		r.Steepest = append(r.Steepest, c)
	}
}

// changedColumns returns the columns in which the items differ.
func changedColumns(before, after catalogue.Item) []string {
	names := []string{}
	b, a := exportCells(before), exportCells(after)
	for n, name := range exportColumns {
		if a[n] != b[n] {
			names = append(names, name)
		}
	}
	return names
}

func formatInt(n int64) string { return strconv.FormatInt(n, 10) }

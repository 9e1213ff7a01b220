package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"kaibao/internal/adminlog"
	"kaibao/internal/app"
	items "kaibao/internal/catalogue"
	"kaibao/internal/catalogue/importer"
	"kaibao/internal/db"
	"kaibao/internal/progress"
)

type catalogueCommand struct {
	Import importCommand `cmd:"" help:"Import new and changed items from a CSV or JSON file, matched by id. The server may keep running."`
	Export exportCommand `cmd:"" help:"Export all items to a CSV or JSON file that can be imported again."`
}

type importCommand struct {
	File          string            `arg:"" type:"existingfile" help:"File to read, .csv or .json."`
	Encoding      importer.Encoding `enum:"utf-8,gb18030,windows-1252," default:"" help:"Encoding of the file. By default UTF-8 and UTF-16 are detected; any other file is refused, with samples of its text in each encoding. With utf-8, rows that aren't valid UTF-8 are rejected."`
	DryRun        bool              `help:"Show what would change, without changing anything."`
	SkipBad       bool              `help:"Import the file without its rejected rows. By default one rejected row stops the import."`
	IgnoreColumn  []string          `sep:"none" placeholder:"NAME" help:"Unknown column to ignore; may be repeated. By default an unknown column stops the import."`
	ApproveRaises bool              `help:"Accept values more than twice those of a week ago. By default one such value stops the import. On the admin page they wait for a second admin."`
	Rejects       string            `type:"path" placeholder:"FILE" help:"File for the rejected rows, each with its reason, to correct and import again; it must not exist."`
	Reason        string            `help:"Reason for changed values, shown in their history." placeholder:"TEXT"`
	ManifestDelay time.Duration     `help:"How long changed odds are announced before they take effect; the same as the server's." default:"10m" env:"KAIBAO_MANIFEST_DELAY"`
	app.Storage   `embed:""`

	in *hashingReader
}

// Limits that keep an import of a million rows within 150 MB: SQLite's page cache in bytes, and
// GOGC.
const (
	cache     = 24 << 20
	gcPercent = 40
)

// importTime is the timeout of an import. The write lock is held for only a part of it.
const importTime = time.Hour

// Run validates the whole file, then writes the changes.
func (i importCommand) Run(ctx context.Context) (err error) {
	if err := app.CheckManifestDelay(i.ManifestDelay); err != nil {
		return err
	}
	format, err := formatOf(i.File)
	if err != nil {
		return err
	}
	if i.Reason == "" {
		i.Reason = "imported from " + filepath.Base(i.File)
	}
	debug.SetGCPercent(gcPercent)
	d, err := i.OpenSmall(ctx, cache)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	ctx, end := context.WithTimeout(ctx, importTime)
	defer end()
	line := progress.New(os.Stderr)
	defer line.End()
	s, err := app.Importer(ctx, d, i.ManifestDelay)
	if err != nil {
		return err
	}
	i.in = &hashingReader{sum: sha256.New()}
	plan, err := i.plan(ctx, s, format, line)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, plan.Close()) }()
	report := plan.Report
	if !i.DryRun && plan.Steep > 0 && !i.ApproveRaises {
		line.End()
		return steepRefused(report)
	}
	unknownColumns := report.CheckIgnored(i.IgnoreColumn)
	if !i.DryRun && (plan.RefusedRows == 0 || i.SkipBad) && unknownColumns == nil {
		report, err = i.write(ctx, d, s, plan, format, line)
	}
	line.End()
	if err != nil {
		return err
	}
	return i.printReport(report, unknownColumns)
}

// steepRefused names the first values that rise so much that a person has to check them.
func steepRefused(r importer.Report) error {
	text := fmt.Sprintf("%d values rise to more than twice those of a week ago:", r.Steep)
	for _, c := range r.Steepest[:min(len(r.Steepest), 5)] {
		text += fmt.Sprintf("\n  %s (%s) from %s to %s", c.ID, c.Name, c.BeforeCents, c.AfterCents)
	}
	return errors.New(text + "\nnothing was imported: check these values, and import with --approve-raises if they are correct")
}

// plan reads and validates the file, and writes the rejected rows to a file on request.
func (i importCommand) plan(ctx context.Context, s *importer.Service, format importer.Format, line *progress.Line) (plan *importer.Plan, err error) {
	file, err := os.Open(i.File)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // opened read-only
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if i.Encoding == "" {
		i.Encoding = importer.UTF8
		if err := i.checkEncoding(file); err != nil {
			return nil, err
		}
	}
	var rejects io.Writer
	if i.Rejects != "" {
		out, err := os.OpenFile(i.Rejects, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, fmt.Errorf("write the rejected rows: %w", err)
		}
		rejects = out
		defer func() {
			err = errors.Join(err, out.Close())
			if plan == nil || plan.RefusedRows == 0 {
				err = errors.Join(err, os.Remove(i.Rejects))
			}
		}()
	}
	i.in.Reader = io.TeeReader(file, i.in.sum)
	return s.Plan(ctx, importer.Decode(i.in, i.Encoding), format, rejects, func(int64) { line.Step("checking bytes", i.in.read, info.Size()) })
}

// checkEncoding rejects a file that is neither UTF-8 nor UTF-16, with samples of its text in other
// encodings.
func (i importCommand) checkEncoding(file *os.File) error {
	samples, err := importer.Samples(file)
	if err != nil {
		return err
	}
	if samples == nil {
		_, err = file.Seek(0, io.SeekStart)
		return err
	}
	var shown strings.Builder
	for _, sample := range samples {
		fmt.Fprintf(&shown, "\n  --encoding %-13s %s", sample.Encoding, strings.Join(sample.Cells, ", "))
	}
	return fmt.Errorf("%s is neither UTF-8 nor UTF-16: choose the encoding in which these samples look right%s", filepath.Base(i.File), shown.String())
}

// hashingReader is a reader that counts and hashes what it reads.
type hashingReader struct {
	io.Reader
	read int64
	sum  hash.Hash
}

// Read implements io.Reader.
func (c *hashingReader) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.read += int64(n)
	return n, err
}

// write writes the plan and its entry in the admin log.
func (i importCommand) write(ctx context.Context, d *db.DB, s *importer.Service, plan *importer.Plan, format importer.Format, line *progress.Line) (report importer.Report, err error) {
	summary, change, err := plan.LogSummary(format, i.in.sum, i.in.read, i.Reason)
	if err != nil {
		return report, err
	}
	record := func(tx *db.Tx) error {
		_, err := adminlog.Record(tx, adminlog.Act{Name: items.ImportOperation, Path: "kaibao catalogue import", Request: summary, Change: change})
		return err
	}
	step := func(rows int64) { line.Step("writing rows", rows, plan.New+plan.Changed) }
	if i.SkipBad {
		if err := d.InTx(ctx, record); err != nil {
			return report, err
		}
		return s.WriteInParts(ctx, plan, i.Reason, step)
	}
	err = d.InTx(ctx, func(tx *db.Tx) (err error) {
		report, err = s.Write(tx, plan, "", i.Reason, step)
		if err != nil {
			return err
		}
		return record(tx)
	})
	return report, err
}

// printReport prints the result. It fails if nothing was imported because of rejected rows or
// unknown columns.
func (i importCommand) printReport(r importer.Report, unknownColumns error) error {
	verb := "would be"
	if r.Imported {
		verb = "are"
	}
	fmt.Printf("%d rows: %d items %s new, %d changed, %d unchanged; %d rows rejected\n", r.Rows, r.New, verb, r.Changed, r.Unchanged, r.RefusedRows)
	if !r.Imported && r.Steep > 0 && !i.ApproveRaises {
		fmt.Printf("%d values rise to more than twice those of a week ago: the import needs --approve-raises\n", r.Steep)
	}
	for _, pack := range r.Packs {
		fmt.Printf("pack %s (%s): new odds are announced\n", pack.ID, pack.Name)
		if pack.Paused != "" {
			fmt.Printf("  paused now: %s\n", pack.Paused)
		}
	}
	for _, refused := range r.FirstRefusals {
		fmt.Fprintf(os.Stderr, "row %d: %s %s\n", refused.Row, refused.Field, refused.Reason)
	}
	for _, column := range r.UnknownColumns {
		fmt.Fprintf(os.Stderr, "column %q is unknown and ignored", column.Name)
		if column.Nearest != "" {
			fmt.Fprintf(os.Stderr, ": did you mean %s?", column.Nearest)
		}
		fmt.Fprintln(os.Stderr)
	}
	if unknownColumns != nil && !i.DryRun {
		return errors.New("nothing was imported: correct the column names, or ignore the columns with --ignore-column")
	}
	if r.RefusedRows > 0 && !i.SkipBad && !i.DryRun {
		return errors.New("nothing was imported: correct the rows, or skip them with --skip-bad")
	}
	return nil
}

func formatOf(file string) (importer.Format, error) {
	switch format := importer.Format(strings.TrimPrefix(strings.ToLower(filepath.Ext(file)), ".")); format {
	case importer.CSV, importer.JSON:
		return format, nil
	}
	return "", errors.New("the file name must end with .csv or .json")
}

type exportCommand struct {
	File        string `arg:"" type:"path" help:"File to write, .csv or .json; it must not exist."`
	app.Storage `embed:""`
}

// Run writes the whole catalogue, page by page.
func (e exportCommand) Run(ctx context.Context) (err error) {
	format, err := formatOf(e.File)
	if err != nil {
		return err
	}
	d, err := e.OpenDB(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	s, err := app.Importer(ctx, d, 0)
	if err != nil {
		return err
	}
	out, err := os.OpenFile(e.File, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	line := progress.New(os.Stderr)
	total := int64(0)
	err = s.Export(ctx, format, out, func(items int64) {
		line.Step("writing items", items, -1)
		total = items
	})
	line.End()
	err = errors.Join(err, out.Close())
	if err != nil {
		return errors.Join(err, os.Remove(e.File))
	}
	fmt.Printf("%d items written to %s\n", total, e.File)
	return nil
}

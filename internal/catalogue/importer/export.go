package importer

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"kaibao/internal/catalogue"
	"kaibao/internal/catalogue/bulk"
	"kaibao/internal/csvfile"
	"kaibao/internal/db"
)

// exportColumns lists the columns of an export. Importing an export changes nothing: fields without
// a column keep their values.
var exportColumns = []string{"id", "name", "series", "rarity", "grade", "certType", "certNumber", "set", "setNumber", "baseValueCents", "imageUrl", "active"}

// exportCells returns an item's values in exportColumns, unescaped.
func exportCells(i catalogue.Item) []string {
	grade := ""
	if i.GradeTenths != 0 {
		grade = strings.TrimSuffix(strconv.FormatInt(i.GradeTenths/10, 10)+"."+strconv.FormatInt(i.GradeTenths%10, 10), ".0")
	}
	return []string{
		i.ID, i.Name, i.Series, i.Rarity, grade, i.Grader, i.CertNumber, i.Set, i.SetNumber, strconv.FormatInt(int64(i.BaseValue), 10), i.ImageURL, strconv.FormatBool(i.Active),
	}
}

// exportObject is an item in a JSON export; empty fields are written explicitly.
type exportObject struct {
	ID             string       `json:"id"`
	Name           string       `json:"name"`
	Series         string       `json:"series"`
	Rarity         string       `json:"rarity"`
	Grade          *json.Number `json:"grade"`
	Grader         string       `json:"certType"`
	CertNumber     string       `json:"certNumber"`
	Set            string       `json:"set"`
	SetNumber      string       `json:"setNumber"`
	BaseValueCents int64        `json:"baseValueCents"`
	ImageURL       string       `json:"imageUrl"`
	Active         bool         `json:"active"`
}

// exportPage is how many items are read at a time.
const exportPage = 1000

// Export writes the whole catalogue by id. It reads page by page, not from one snapshot.
func (s *Service) Export(ctx context.Context, format Format, out io.Writer, progress func(items int64)) error {
	buffered := bufio.NewWriter(out)
	writer := newExportWriter(buffered, format)
	for last, items := "", int64(0); ; {
		var page []catalogue.Item
		err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
			page, err = bulk.PageAfter(tx, last, exportPage)
			return err
		})
		if err != nil {
			return err
		}
		for _, item := range page {
			if err := writer.write(item); err != nil {
				return err
			}
		}
		items += int64(len(page))
		progress(items)
		if len(page) < exportPage {
			break
		}
		last = page[len(page)-1].ID
	}
	if err := writer.end(); err != nil {
		return err
	}
	return buffered.Flush()
}

// exportWriter writes items in a format.
type exportWriter struct {
	out   *bufio.Writer
	cells *csv.Writer // nil = JSON
	items int
}

func newExportWriter(out *bufio.Writer, format Format) *exportWriter {
	s := &exportWriter{out: out}
	if format == CSV {
		_, _ = out.WriteString(csvfile.ByteOrderMark)
		s.cells = csv.NewWriter(out)
		_ = s.cells.Write(exportColumns) // the next write returns any error
	}
	return s
}

func (s *exportWriter) write(i catalogue.Item) error {
	s.items++
	cells := exportCells(i)
	if s.cells != nil {
		for n, cell := range cells {
			cells[n] = csvfile.EscapeCell(cell)
		}
		return s.cells.Write(cells)
	}
	var grade *json.Number
	if i.GradeTenths != 0 {
		grade = new(json.Number(cells[gradeColumn]))
	}
	text, err := json.Marshal(exportObject{
		ID: i.ID, Name: i.Name, Series: i.Series, Rarity: i.Rarity, Grade: grade, Grader: i.Grader, CertNumber: i.CertNumber, Set: i.Set, SetNumber: i.SetNumber,
		BaseValueCents: int64(i.BaseValue), ImageURL: i.ImageURL, Active: i.Active,
	})
	if err != nil {
		return err
	}
	separator := ",\n"
	if s.items == 1 {
		separator = "[\n"
	}
	_, _ = s.out.WriteString(separator)
	_, err = s.out.Write(text)
	return err
}

func (s *exportWriter) end() error {
	if s.cells != nil {
		s.cells.Flush()
		return s.cells.Error()
	}
	if s.items == 0 {
		_, _ = s.out.WriteString("[")
	}
	_, err := s.out.WriteString("\n]\n")
	return err
}

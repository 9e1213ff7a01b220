package httpkit

import (
	"context"
	"encoding/csv"
	"io"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"kaibao/internal/policy"
)

// Tabled is embedded in the input of a list that is also available as CSV (RFC 4180). The CSV has
// all rows from the cursor on.
type Tabled struct {
	Page
	TabledWhole
}

// TabledWhole is Tabled for a list without pages.
type TabledWhole struct {
	Format string `query:"format" enum:"json,csv" doc:"csv returns the whole list as text/csv. By default the Accept header decides."`
	Accept string `header:"Accept" hidden:"true"`
}

func (t *Tabled) tabled() (*TabledWhole, *Page) { return &t.TabledWhole, &t.Page }

func (t *TabledWhole) tabled() (*TabledWhole, *Page) { return t, &Page{} }

func (t *TabledWhole) csv() bool {
	return t.Format == "csv" || t.Format == "" && strings.Contains(t.Accept, csvType)
}

const csvType = "text/csv"

// ByteOrderMark starts every CSV file; without it Excel doesn't read the file as UTF-8.
const ByteOrderMark = "\ufeff"

type tableReply struct {
	Next        string `header:"X-Next-Cursor"`
	ContentType string `header:"Content-Type" hidden:"true"`
	Disposition string `header:"Content-Disposition" hidden:"true"`
	Body        func(huma.Context)
}

// Table registers a call that returns a page of a list as JSON, or the whole list as a CSV file
// with one record per row. The file is streamed page by page. A failure aborts the connection, so
// that nobody takes a partial file for a complete one.
func Table[I, T any, P interface {
	*I
	tabled() (*TabledWhole, *Page)
}](k *Kit, route Route, name string, columns []string, record func(T) []string, list func(context.Context, *I) (*List[T], error)) {
	route.answers = k.answers(route, reflect.TypeFor[[]T](), "OK")
	route.answers[strconv.Itoa(http.StatusOK)].Content[csvType] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString}}
	Handle(k, route, func(ctx context.Context, in *I) (*tableReply, error) {
		asked, place := P(in).tabled()
		if asked.csv() {
			place.Limit = policy.LargestPage
		}
		page, err := list(ctx, in)
		if err != nil {
			return nil, err
		}
		if asked.csv() {
			return &tableReply{
				ContentType: csvType + "; charset=utf-8", Disposition: `attachment; filename="` + name + `.csv"`,
				Body: func(call huma.Context) {
					k.pour(call, route, func(out io.Writer) error {
						return writeTable(call, out, columns, record, page, func(ctx context.Context, cursor string) (*List[T], error) {
							place.Cursor = cursor
							return list(ctx, in)
						})
					})
				},
			}, nil
		}
		body, err := marshal(page.Body)
		return &tableReply{Next: page.Next, ContentType: jsonType, Body: func(call huma.Context) {
			call.SetStatus(http.StatusOK)
			_, _ = call.BodyWriter().Write(body)
		}}, err
	})
}

// writeTable writes all pages of a list, starting with page. Each page is read within the call's
// time limit. Cells are escaped so that no spreadsheet runs them as formulas.
func writeTable[T any](
	call huma.Context, to io.Writer, columns []string, record func(T) []string, page *List[T],
	more func(ctx context.Context, cursor string) (*List[T], error),
) error {
	if _, err := io.WriteString(to, ByteOrderMark); err != nil {
		return err
	}
	out := csv.NewWriter(to)
	if err := out.Write(columns); err != nil {
		return err
	}
	for {
		for _, row := range page.Body {
			cells := record(row)
			for n, cell := range cells {
				cells[n] = EscapedCell(cell)
			}
			if err := out.Write(cells); err != nil {
				return err
			}
		}
		out.Flush()
		if err := out.Error(); err != nil || page.Next == "" {
			return err
		}
		ctx, end := routeOf(call.Operation()).timed(call.Context())
		next, err := more(ctx, page.Next)
		end()
		if err != nil {
			return err
		}
		page = next
	}
}

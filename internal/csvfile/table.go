// Package csvfile serves lists as CSV files (RFC 4180) in UTF-8. Spreadsheets open them without
// running cells as formulas.
package csvfile

import (
	"context"
	"encoding/csv"
	"io"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"kaibao/internal/httpapi"
	"kaibao/internal/policy"
)

// PagedInput is embedded in the input of a paginated list that is also available as CSV. The CSV has
// all rows from the cursor on.
type PagedInput struct {
	httpapi.Page
	Input
}

// Input is PagedInput for a list without pages.
type Input struct {
	Export
	Format string `query:"format" enum:"json,csv" doc:"csv returns the whole list as text/csv. By default the Accept header decides."`
	Accept string `header:"Accept" hidden:"true"`
}

func (p *PagedInput) listInput() (*Input, *httpapi.Page) { return &p.Input, &p.Page }

func (i *Input) listInput() (*Input, *httpapi.Page) { return i, &httpapi.Page{} }

// wantsCSV reports whether the caller asks for the CSV file rather than JSON.
func (i *Input) wantsCSV() bool {
	return i.Format == "csv" || i.Format == "" && strings.Contains(i.Accept, contentType)
}

const contentType = "text/csv"

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
// that nobody takes a partial file for a complete one. Files for admins are recorded in the admin
// log.
func Table[I, T any, P interface {
	*I
	listInput() (*Input, *httpapi.Page)
}](api *httpapi.API, route httpapi.Route, name string, columns []string, record func(T) []string, list func(context.Context, *I) (*httpapi.List[T], error)) {
	route.Responses = api.JSONResponse(route, reflect.TypeFor[[]T](), "OK")
	route.Responses[strconv.Itoa(http.StatusOK)].Content[contentType] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString}}
	httpapi.Handle(api, route, func(ctx context.Context, in *I) (*tableReply, error) {
		asked, place := P(in).listInput()
		if asked.wantsCSV() {
			place.Limit = policy.MaxPageSize
		}
		page, err := list(ctx, in)
		if err != nil {
			return nil, err
		}
		if asked.wantsCSV() {
			if route.Access == httpapi.Admin {
				if err := asked.Record(ctx, api.DB, name); err != nil {
					return nil, err
				}
			}
			return &tableReply{
				ContentType: contentType + "; charset=utf-8", Disposition: `attachment; filename="` + name + `.csv"`,
				Body: func(call huma.Context) {
					api.StreamFile(call, route, func(out io.Writer) error {
						return writeTable(call.Context(), route, out, columns, record, page, func(ctx context.Context, cursor string) (*httpapi.List[T], error) {
							place.Cursor = cursor
							return list(ctx, in)
						})
					})
				},
			}, nil
		}
		body, err := httpapi.EncodeJSON(page.Body)
		return &tableReply{Next: page.Next, ContentType: httpapi.JSONType, Body: func(call huma.Context) {
			call.SetStatus(http.StatusOK)
			_, _ = call.BodyWriter().Write(body)
		}}, err
	})
}

// writeTable writes all pages of a list, starting with page. Each page is read within the call's
// time limit. Cells are escaped so that no spreadsheet runs them as formulas.
func writeTable[T any](
	ctx context.Context, route httpapi.Route, to io.Writer, columns []string, record func(T) []string, page *httpapi.List[T],
	more func(ctx context.Context, cursor string) (*httpapi.List[T], error),
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
				cells[n] = EscapeCell(cell)
			}
			if err := out.Write(cells); err != nil {
				return err
			}
		}
		out.Flush()
		if err := out.Error(); err != nil || page.Next == "" {
			return err
		}
		limited, end := route.LimitContext(ctx)
		next, err := more(limited, page.Next)
		end()
		if err != nil {
			return err
		}
		page = next
	}
}

package importer

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"strings"
	"time"

	"kaibao/internal/action"
	"kaibao/internal/apperr"
	"kaibao/internal/catalogue"
	"kaibao/internal/csvfile"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/policy"
)

// importTime is the time limit of an import over HTTP, the maximum for any call.
const importTime = 18 * time.Second

// Routes registers the import and export endpoints.
func (s *Service) Routes(api *httpapi.API) {
	action.HandleAfter(api, httpapi.Post(httpapi.Admin, "/api/admin/catalogue/import", catalogue.ImportOperation,
		"Import items from a CSV or JSON file: add new ones and update existing ones, matched by id", apperr.Conflict, apperr.RequestWaiting, apperr.OwnInterest).WithBodyLimit(policy.MaxImport).WithTimeLimit(importTime),
		s.planRequest, s.writeRequest)
	httpapi.Download(api, httpapi.Get(httpapi.Admin, "/api/admin/catalogue/export", "export-catalogue",
		"Export all items, including retired ones, as a file that can be imported again"),
		func(in *exportInput) string { return "catalogue." + in.Format },
		func(ctx context.Context, in *exportInput) error { return in.Record(ctx, s.DB, "catalogue") },
		func(ctx context.Context, in *exportInput, out io.Writer) error {
			return s.Export(ctx, Format(in.Format), out, func(int64) {})
		})
}

type exportInput struct {
	csvfile.Export
	Format string `query:"format" enum:"csv,json" default:"csv"`
}

type importInput struct {
	action.Idempotent
	Body struct {
		Format        string   `json:"format" enum:"csv,json"`
		Text          string   `json:"text" doc:"The file. Columns or fields: id, name, series, rarity, baseValueCents (or baseValue in dollars), and optionally grade, certType, certNumber, set, setNumber, imageUrl, active. Without the columns set and setNumber, items keep theirs. List any others in ignoreColumns."`
		Reason        string   `json:"reason" maxLength:"500" doc:"Why values change, shown in their history."`
		DryRun        *bool    `json:"dryRun,omitempty" doc:"Report what would change, without changing anything."`
		IgnoreColumns []string `json:"ignoreColumns,omitempty" maxItems:"1000" doc:"Unknown columns to ignore, as listed by a dry run. The import is refused unless all of them are listed."`
		SkipBad       *bool    `json:"skipBad,omitempty" doc:"Import the file without its rejected rows. By default one rejected row stops the import."`
	}
	plan *Plan
}

// planRequest makes the plan before the transaction begins. A dry run ends with its report.
func (s *Service) planRequest(ctx context.Context, in *importInput) (*Report, func(), error) {
	if strings.TrimSpace(in.Body.Reason) == "" {
		return nil, nil, apperr.InvalidField("reason", "is required, because the import changes values")
	}
	if err := apperr.CheckMaxLength("reason", in.Body.Reason, policy.MaxReasonLength); err != nil {
		return nil, nil, err
	}
	var rejects boundedText
	plan, err := s.Plan(ctx, strings.NewReader(in.Body.Text), Format(in.Body.Format), &rejects, func(int64) {})
	if err != nil {
		return nil, nil, err
	}
	end := func() { _ = plan.Close() } // the file is unlinked
	if in.Body.DryRun != nil && *in.Body.DryRun {
		plan.Rejects = rejects.String()
		return &plan.Report, end, nil
	}
	if plan.RefusedRows > 0 && (in.Body.SkipBad == nil || !*in.Body.SkipBad) {
		end()
		return nil, nil, plan.rejectedRowsError()
	}
	if err := plan.CheckIgnored(in.Body.IgnoreColumns); err != nil {
		end()
		return nil, nil, err
	}
	in.plan = plan
	return nil, end, in.setLogSummary()
}

// maxRejectBytes limits the rejects of a call, because they are sent from memory.
const maxRejectBytes = 8 << 20

var errManyRejects = apperr.InvalidField("text", fmt.Sprintf(
	"has more than %d MiB of rejected rows: check the columns, or use `kaibao catalogue import --rejects`", maxRejectBytes>>20))

// boundedText is a string builder limited to maxRejectBytes.
type boundedText struct{ strings.Builder }

// Write implements io.Writer.
func (b *boundedText) Write(text []byte) (int, error) {
	if b.Len()+len(text) > maxRejectBytes {
		return 0, errManyRejects
	}
	return b.Builder.Write(text)
}

// setLogSummary makes the admin log store a summary with the file's hash instead of the file, which
// may be long.
func (in *importInput) setLogSummary() error {
	sum := sha256.New()
	_, _ = io.WriteString(sum, in.Body.Text) // can't fail
	summary, change, err := in.plan.LogSummary(Format(in.Body.Format), sum, int64(len(in.Body.Text)), strings.TrimSpace(in.Body.Reason))
	in.LogSummary(summary)
	in.Changed(change)
	return err
}

func (s *Service) writeRequest(tx *db.Tx, caller httpapi.Principal, in *importInput) (Report, error) {
	return s.Write(tx, in.plan, caller.UserID, strings.TrimSpace(in.Body.Reason), func(int64) {})
}

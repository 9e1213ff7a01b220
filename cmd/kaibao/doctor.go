package main

import (
	"context"
	"fmt"

	"kaibao/internal/app"
)

type doctorCommand struct {
	app.Config `embed:""`
	Quick      bool `help:"Don't check the database's files, which reads all of them."`
}

// Run checks an installation while its server runs. It fails if a check does.
func (d doctorCommand) Run(ctx context.Context) error {
	return printFindings(func(report func(app.Finding)) { app.Diagnose(ctx, d.Config, d.Quick, report) })
}

// printFindings prints each finding in one line as soon as it is known. It fails if one is a failure.
func printFindings(check func(report func(app.Finding))) error {
	failures := 0
	check(func(f app.Finding) {
		fmt.Println(f)
		if f.Severity == app.Failure {
			failures++
		}
	})
	if failures > 0 {
		return fmt.Errorf("failed checks: %d. See the lines that begin with FAIL", failures)
	}
	return nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"kaibao/internal/app"
	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/progress"
)

type auditCommand struct {
	app.Storage `embed:""`
}

// Run names every row that breaks a rule and fails if there is one.
func (a auditCommand) Run(ctx context.Context) error {
	d, err := a.OpenDB(ctx)
	if err != nil {
		return err
	}
	line := progress.New(os.Stderr)
	var breaches []audit.Breach
	err = d.Inspect(ctx, func(tx *db.Tx) (err error) {
		breaches, err = app.Audit(tx, line.Step)
		return err
	})
	line.End()
	if err := errors.Join(err, d.Close()); err != nil {
		return err
	}
	for _, b := range breaches {
		fmt.Printf("%s: %s: %s\n", b.Rule, b.Row, b.Detail)
	}
	if len(breaches) > 0 {
		return fmt.Errorf("%d rows break the books' rules: stop the server, keep a copy of the database, and begin with the rows named above", len(breaches))
	}
	fmt.Println("the books are in order")
	return nil
}

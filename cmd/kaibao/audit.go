package main

import (
	"context"
	"errors"
	"fmt"

	"kaibao/internal/app"
	"kaibao/internal/audit"
	"kaibao/internal/db"
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
	var breaches []audit.Breach
	err = d.Inspect(ctx, func(tx *db.Tx) (err error) {
		breaches, err = app.Audit(tx)
		return err
	})
	if err := errors.Join(err, d.Close()); err != nil {
		return err
	}
	for _, b := range breaches {
		fmt.Printf("%s: %s: %s\n", b.Rule, b.Row, b.Detail)
	}
	if len(breaches) > 0 {
		return fmt.Errorf("%d rows break the books' rules", len(breaches))
	}
	fmt.Println("the books are in order")
	return nil
}

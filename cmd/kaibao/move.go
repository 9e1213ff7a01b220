package main

import (
	"context"
	"fmt"
	"os"

	"kaibao/internal/app"
	"kaibao/internal/progress"
)

type moveCommand struct {
	To       string `required:"" help:"Empty PostgreSQL database: postgres://…" placeholder:"URL" env:"KAIBAO_MOVE_TO"`
	Data     string `help:"Directory of the SQLite database and the keys." default:"./data" type:"path" env:"KAIBAO_DATA"`
	app.Keys `embed:""`
}

// Run moves the database from SQLite to PostgreSQL while no server runs.
func (m moveCommand) Run(ctx context.Context) error {
	line := progress.New(os.Stderr)
	defer line.End()
	return app.MoveToPostgres(ctx, app.MoveOptions{
		Data: m.Data, Keys: m.Keys, To: m.To, Progress: line.Step,
		Done: func(_ app.MoveStep, text string) {
			line.End()
			fmt.Println(text)
		},
	})
}

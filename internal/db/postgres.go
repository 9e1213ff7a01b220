package db

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

const (
	postgresWriters = 16
	postgresReaders = 16
)

func (d *DB) openPostgres(ctx context.Context, o Options) error {
	d.dialect = postgres
	config, err := pgx.ParseConfig(o.URL)
	if err != nil {
		// pgx's message repeats the URL, and with it the password.
		return fmt.Errorf("the database URL cannot be read")
	}
	// An acknowledged write is on disk, whatever the server's default is.
	config.RuntimeParams["synchronous_commit"] = "on"
	// Plans that hold for every value spare the planner's work on each run.
	config.RuntimeParams["plan_cache_mode"] = "force_generic_plan"
	config.RuntimeParams["application_name"] = "kaibao"
	d.write = pool(config, postgresWriters)
	d.read = pool(config, postgresReaders)
	return d.migrate(ctx)
}

func pool(config *pgx.ConnConfig, size int) *sql.DB {
	p := stdlib.OpenDB(*config)
	p.SetMaxOpenConns(size)
	p.SetMaxIdleConns(size)
	p.SetConnMaxIdleTime(5 * time.Minute)
	return p
}

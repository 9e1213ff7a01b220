package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"kaibao/internal/db/engine"
)

// Integrity runs amcheck over every table and every B-tree index of the schema.
func (e *Engine) Integrity(ctx context.Context) (i engine.Integrity, err error) {
	err = e.readers[engine.Inspect].with(ctx, func(conn *pgx.Conn) error {
		i, err = amcheck(ctx, conn)
		return err
	})
	return i, err
}

type relation struct {
	Oid     uint32
	IsIndex bool
}

func amcheck(ctx context.Context, conn *pgx.Conn) (i engine.Integrity, err error) {
	// amcheck may be in any schema. Old versions check indexes but not tables.
	var schema string
	err = conn.QueryRow(ctx, `SELECT quote_ident(nspname) FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE extname = 'amcheck'`).Scan(&schema)
	if errors.Is(err, pgx.ErrNoRows) {
		i.Unchecked = "the extension amcheck is not installed (CREATE EXTENSION amcheck, by a superuser)"
		return i, nil
	}
	if err != nil {
		return i, err
	}
	rows, err := conn.Query(ctx, `SELECT c.oid, relkind = 'i' AS is_index FROM pg_class c LEFT JOIN pg_am a ON a.oid = c.relam
		WHERE relnamespace = current_schema()::regnamespace AND (relkind = 'i' AND amname = 'btree' OR relkind = 'r' AND to_regproc($1) IS NOT NULL)
		ORDER BY relkind, relname`, schema+".verify_heapam")
	if err != nil {
		return i, err
	}
	relations, err := pgx.CollectRows(rows, pgx.RowToStructByPos[relation])
	if err != nil {
		return i, err
	}
	for _, r := range relations {
		err := checkRelation(ctx, conn, schema, r, &i)
		refusal, refused := errors.AsType[*pgconn.PgError](err)
		switch {
		case refused && (refusal.Code == "XX001" || refusal.Code == "XX002"): // data_corrupted, index_corrupted
			i.Faults = append(i.Faults, refusal.Message)
		case refused && refusal.Code == "42501": // insufficient_privilege
			i.Unchecked = "this user may not run amcheck: as a superuser, run GRANT EXECUTE ON FUNCTION " + schema + ".bt_index_check(regclass, boolean), " + schema +
				".verify_heapam(regclass, boolean, boolean, text, bigint, bigint) TO " + pgx.Identifier{conn.Config().User}.Sanitize()
			return i, nil
		case err != nil:
			return i, err
		}
	}
	return i, nil
}

func checkRelation(ctx context.Context, conn *pgx.Conn, schema string, r relation, i *engine.Integrity) error {
	if r.IsIndex {
		_, err := conn.Exec(ctx, `SELECT `+schema+`.bt_index_check($1::oid::regclass, true)`, r.Oid)
		return err
	}
	rows, _ := conn.Query(ctx, `SELECT format('table %s, block %s: %s', $1::oid::regclass, blkno, msg) FROM `+schema+`.verify_heapam($1::oid::regclass)`,
		r.Oid) // CollectRows returns the error
	faults, err := pgx.CollectRows(rows, pgx.RowTo[string])
	i.Faults = append(i.Faults, faults...)
	return err
}

package db

import (
	"context"
	"slices"

	"kaibao/internal/db/sqlite"
)

// Server describes a PostgreSQL server: the size of our database and the programs connected to it.
type Server struct {
	Bytes    int64
	Programs []Program
}

// Program is the connections of Kaibao programs with another schema version from one address.
type Program struct {
	Name, Address string
	Connections   int64
}

// Server queries the PostgreSQL server. On SQLite it returns the zero Server.
func (d *DB) Server(ctx context.Context) (s Server, err error) {
	if d.dialect.Name == sqlite.Dialect.Name {
		return s, nil
	}
	err = d.Read(ctx, func(tx *Tx) (err error) {
		s.Bytes, err = One(tx, Column[int64], `SELECT pg_database_size(current_database())`)
		if err != nil {
			return err
		}
		s.Programs, err = All(tx, func(row Scanner) (p Program, err error) {
			err = row.Scan(&p.Name, &p.Address, &p.Connections)
			return p, err
		}, `SELECT application_name, COALESCE(host(client_addr), 'this machine'), COUNT(*) FROM pg_stat_activity
			WHERE datname = current_database() AND application_name LIKE 'kaibao%' AND application_name <> current_setting('application_name')
			GROUP BY 1, 2 ORDER BY 1, 2`)
		return err
	})
	return s, err
}

// ServerState is what a PostgreSQL server reports about its settings and connections.
type ServerState struct {
	ReadOnly       bool     // a standby, or transactions are read-only by default
	MayCreate      bool     // this user may create tables in the schema
	Unsafe         []string // settings that are off, so that a crash can destroy data
	MaxConnections int64    // of ordinary users
	Connections    int64    // of all programs
	Kaibao         int64    // connections of Kaibao programs to this database, without this one
	Addresses      int64    // number of addresses that Kaibao programs connect from
}

// ServerState queries the PostgreSQL server. On SQLite it returns the zero ServerState.
func (d *DB) ServerState(ctx context.Context) (s ServerState, err error) {
	if d.dialect.Name == sqlite.Dialect.Name {
		return s, nil
	}
	scan := func(row Scanner) (s ServerState, err error) {
		var fsync, fullPages string
		err = row.Scan(&s.ReadOnly, &s.MayCreate, &s.MaxConnections, &s.Connections, &s.Kaibao, &s.Addresses, &fsync, &fullPages)
		for setting, value := range map[string]string{"fsync": fsync, "full_page_writes": fullPages} {
			if value == "off" {
				s.Unsafe = append(s.Unsafe, setting)
			}
		}
		slices.Sort(s.Unsafe)
		return s, err
	}
	err = d.Peek(ctx, func(tx *Tx) (err error) {
		s, err = One(tx, scan, `SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on',
			COALESCE(has_schema_privilege(current_schema(), 'CREATE'), FALSE),
			current_setting('max_connections')::bigint - current_setting('superuser_reserved_connections')::bigint
				- COALESCE(current_setting('reserved_connections', TRUE)::bigint, 0),
			COUNT(*) FILTER (WHERE backend_type = 'client backend'), COUNT(*) FILTER (WHERE ours),
			COUNT(DISTINCT client_addr) FILTER (WHERE ours), current_setting('fsync'), current_setting('full_page_writes')
			FROM (SELECT *, datname = current_database() AND application_name LIKE 'kaibao%' AND pid <> pg_backend_pid() AS ours FROM pg_stat_activity) a`)
		return err
	})
	return s, err
}

package db

import (
	"context"

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

package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/db/postgres"
	"kaibao/internal/db/sqlite"
	"kaibao/internal/httpapi"
	"kaibao/internal/nodes"
	"kaibao/internal/publiclog"
)

// openTime is the time limit for opening the database and for its quick checks.
const openTime = 30 * time.Second

// checkDatabase opens the database, if there is one, and checks its schema, clock and settings.
func (d *diagnosis) checkDatabase(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, openTime)
	defer cancel()
	if path := filepath.Join(d.Data, sqlite.File); d.DatabaseURL == "" {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			d.result("database", d.emptyDatabaseError(), "the server will create %s", path)
			return
		}
	}
	d.checkEncryption()
	opened, err := db.Open(ctx, db.Options{Dir: d.Data, URL: d.DatabaseURL, Schema: db.SchemaAny, Pools: d.sizes(), Now: d.Now})
	if err != nil {
		d.broken = true
		if d.DatabaseURL != "" {
			err = fmt.Errorf("%w. Start PostgreSQL, or correct --database-url (KAIBAO_DATABASE_URL)", err)
		}
		d.fail("database", "%v", err)
		return
	}
	d.db = opened
	state, err := opened.ServerState(ctx)
	switch {
	case err != nil:
		d.fail("database", "read the server's state: %v", err)
	case state.ReadOnly:
		d.fail("database", "the server is a standby or read-only: set --database-url to the primary")
	case len(state.Unsafe) > 0:
		d.warn("database", "settings of PostgreSQL are off, so a crash can destroy data: turn on %s", strings.Join(state.Unsafe, " and "))
	default:
		d.ok("database", "connected (%s)", opened.Engine())
	}
	if opened.Engine() != sqlite.Dialect.Name {
		d.result("clock", opened.ClockError(), "%s", clockText(opened.ClockOffset()))
	}
	d.checkSchema(ctx, state)
	if opened.Engine() != sqlite.Dialect.Name {
		d.checkConnections(ctx, state) // of the nodes in a current schema
	}
}

// checkEncryption warns if others on the network could read or change what is sent to PostgreSQL.
func (d *diagnosis) checkEncryption() {
	if d.DatabaseURL != "" && postgres.ServerUnverified(d.DatabaseURL) {
		d.warn("encryption", "PostgreSQL's certificate isn't checked, and the connection may not even be encrypted: add sslmode=verify-full to --database-url (KAIBAO_DATABASE_URL)")
	}
}

func clockText(offset time.Duration) string {
	switch {
	case offset > 0:
		return offset.Round(time.Millisecond).String() + " behind the database server's"
	case offset < 0:
		return offset.Abs().Round(time.Millisecond).String() + " ahead of the database server's"
	}
	return "the same as the database server's"
}

// clockSlack is how far the clock may be behind the last checkpoint of the log.
const clockSlack = 250 * time.Millisecond

// checkLocalClock compares the clock with the last checkpoint, because SQLite has no clock to compare
// it with.
func (d *diagnosis) checkLocalClock() {
	now, signed := time.Now().UTC(), time.Time{}
	if d.Now != nil {
		now = d.Now()
	}
	if d.log != nil {
		signed = d.log.SignedAt
	}
	if behind := signed.Sub(now); behind > clockSlack {
		d.fail("clock", "this machine's clock is %s behind the last checkpoint of the public log: synchronize it with NTP", ageText(behind))
		return
	}
	d.ok("clock", "it is %s", now.Format(time.RFC3339))
}

// checkConnections compares the connections that all programs can open with what the server allows. The
// pools of other nodes aren't known, so it assumes that they are as large as this one's.
func (d *diagnosis) checkConnections(ctx context.Context, state db.ServerState) {
	each := int64(d.sizes().Sum())
	count := max(1, d.countNodes(ctx, state))
	ours := max(count*each, state.Kaibao)
	others := max(0, state.Connections-state.Kaibao-1) // without this one
	if ours+others > state.MaxConnections {
		d.warn("connections", "nodes: %d, which can open %d connections each, %d together, assuming that all nodes have the same pool settings; other programs have %d open, and PostgreSQL allows %d in all: raise max_connections, or lower --pool-writes and the other --pool settings",
			count, each, ours, others, state.MaxConnections)
		return
	}
	d.ok("connections", "up to %d for each node; PostgreSQL allows %d, and %d are open; nodes: %d", each, state.MaxConnections, state.Connections, count)
}

// countNodes returns the number of running nodes. In a database with another schema it counts addresses,
// or connections if several nodes share an address.
func (d *diagnosis) countNodes(ctx context.Context, state db.ServerState) int64 {
	if d.isCurrent() {
		var live []nodes.Node
		err := d.db.Peek(ctx, func(tx *db.Tx) (err error) {
			live, err = nodes.Live(tx)
			return err
		})
		if err == nil {
			return int64(len(live))
		}
	}
	each := int64(d.sizes().Sum())
	return max(state.Addresses, (state.Kaibao+each/2)/each)
}

func (d *diagnosis) checkSchema(ctx context.Context, state db.ServerState) {
	err := d.db.Peek(ctx, func(tx *db.Tx) (err error) {
		d.schema, err = db.SchemaVersion(tx)
		return err
	})
	if err != nil {
		d.fail("schema", "%v", err)
		return
	}
	migrates, err := d.db.CheckSchema(d.schema)
	switch {
	case err != nil:
		d.fail("schema", "%v", err)
	case d.schema == 0 && d.db.Engine() != sqlite.Dialect.Name && !state.MayCreate:
		d.fail("schema", "the database is empty, and this user may not create tables: run GRANT CREATE ON SCHEMA as its owner")
	case d.schema == 0:
		d.result("schema", d.emptyDatabaseError(), "the database is empty: the server will set it up")
	case migrates:
		d.ok("schema", "%d: the server will back the database up and migrate it to %d, once no other program has it open", d.schema, d.db.Schema())
	default:
		d.ok("schema", "%d, as this version needs", d.schema)
	}
	if d.schema > 0 {
		d.checkBinding(ctx)
	}
}

// checkBinding checks that the database is used with its payment provider, and whether it has keys.
func (d *diagnosis) checkBinding(ctx context.Context) {
	var err error
	d.used, err = publiclog.HasKey(ctx, d.db)
	if err != nil {
		d.fail("database", "%v", err)
		return
	}
	err = d.db.Read(ctx, func(tx *db.Tx) error {
		pinned, err := db.Setting(tx, paymentsSetting)
		if err == nil && pinned != "" && pinned != d.Payments {
			err = d.otherPayments(pinned)
		}
		return err
	})
	d.result("payments", err, "%s", d.Payments)
	d.checkPasskeys(ctx)
}

// checkPasskeys checks that passkey wallets still work at the public URL.
func (d *diagnosis) checkPasskeys(ctx context.Context) {
	if d.public == (httpapi.PublicURL{}) {
		return // another line says why
	}
	var hosts passkeyHosts
	err := d.db.Read(ctx, func(tx *db.Tx) error {
		stored, err := db.Setting(tx, passkeySetting)
		if err == nil {
			hosts, err = d.passkeyHosts(d.public, d.payment, stored)
		}
		return err
	})
	switch {
	case hosts.warning != "":
		d.warn("passkeys", "%s", hosts.warning)
	case err == nil && hosts.offered == "":
		d.ok("passkeys", "not offered at %s: browsers need a host name, and https unless it is localhost", d.public)
	default:
		d.result("passkeys", err, "at %s", hosts.offered)
	}
}

// isCurrent reports whether the database has this program's schema.
func (d *diagnosis) isCurrent() bool { return d.db != nil && d.schema == d.db.Schema() }

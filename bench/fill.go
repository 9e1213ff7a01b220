package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/identity"
	"kaibao/internal/keyring"
	"kaibao/internal/keys"
	"kaibao/internal/ledger"
	"kaibao/internal/limits"
	"kaibao/internal/opening"
	"kaibao/internal/packs"
	"kaibao/internal/protocol"
	"kaibao/internal/publiclog"
)

const (
	// oldUsersPerPlayer is the number of old users per player.
	oldUsersPerPlayer = 100
	// oldUserBalance is each old user's balance in cents, enough for all their opens.
	oldUserBalance = 100_000_000
	// rowsPerTransaction is the maximum number of rows or opens per transaction.
	rowsPerTransaction = 2000
)

// oldUser is a user with data from years of use. Its id is close to a player's, so that they are
// adjacent in every index.
type oldUser struct{ id, tag string }

// filler creates the data of years of use, users and their opens, with the product's own code but
// without HTTP.
type filler struct {
	db       *db.DB
	opens    *opening.Service
	oldUsers []oldUser
}

// fill makes the old users open packs until d has its number of items. The server is stopped; its
// keys are in the data directory.
func (g *growth) fill(ctx context.Context, d *filledDatabase) (err error) {
	database, err := db.Open(ctx, db.Options{Dir: d.dir, URL: d.url, CallTime: time.Hour})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, database.Close()) }()
	f := &filler{db: database}
	f.opens, err = service(ctx, database, d.dir)
	if err != nil {
		return err
	}
	if err := f.addOldUsers(ctx); err != nil {
		return fmt.Errorf("old users: %w", err)
	}
	for done := 0; done < d.items; {
		opened, err := f.open(ctx, d.items-done)
		if err != nil {
			return fmt.Errorf("old opens: %w", err)
		}
		done += opened
		g.showProgress("filling "+d.name, done, d.items)
	}
	return nil
}

// service returns an opening.Service configured like the server's.
func service(ctx context.Context, d *db.DB, dir string) (*opening.Service, error) {
	logKey, err := os.ReadFile(filepath.Join(dir, "log.key"))
	if err != nil {
		return nil, err
	}
	seeds, err := keyring.Load(keys.Source{Kind: keys.Seed, Path: filepath.Join(dir, "seed.key")})
	if err != nil {
		return nil, err
	}
	log, err := publiclog.Open(ctx, publiclog.Options{DB: d, Keys: publiclog.FixedKeys(string(logKey)), CheckpointFile: filepath.Join(dir, "log.checkpoint")})
	return &opening.Service{DB: d, Packs: &packs.Service{DB: d}, Log: log, Sealer: opening.NewSealer(seeds)}, err
}

// addOldUsers creates the old users, some next to each existing player.
func (f *filler) addOldUsers(ctx context.Context) error {
	var players []string
	err := f.db.Read(ctx, func(tx *db.Tx) (err error) {
		players, err = db.All(tx, db.Column[string], `SELECT id FROM users ORDER BY id`)
		return err
	})
	if err != nil {
		return err
	}
	for k := range oldUsersPerPlayer {
		last := fmt.Sprintf("%012x", int64(k+1)*(1<<48)/(oldUsersPerPlayer+1))
		for chunk := range slices.Chunk(players, rowsPerTransaction) {
			var added []oldUser
			err := f.db.InTx(ctx, func(tx *db.Tx) error {
				added = added[:0]
				for _, id := range chunk {
					n, err := f.addUser(tx, id[:24]+last)
					if err != nil {
						return err
					}
					added = append(added, n)
				}
				return nil
			})
			if err != nil {
				return err
			}
			f.oldUsers = append(f.oldUsers, added...)
		}
	}
	return nil
}

// addUser creates a user with a full balance.
func (f *filler) addUser(tx *db.Tx, id string) (oldUser, error) {
	u := identity.User{ID: id, Address: "bench-" + id, TagSalt: [32]byte(tx.Random(32))}
	u.Tag = protocol.UserTag(u.TagSalt, u.Address)
	if _, err := tx.Exec(`INSERT INTO users (id, wallet_address, tag, tag_salt, created_at) VALUES ($1, $2, $3, $4, $5)`,
		u.ID, u.Address, u.Tag, u.TagSalt[:], db.Micros(tx.Now)); err != nil {
		return oldUser{}, err
	}
	if err := f.opens.CreateAccount(tx, u); err != nil {
		return oldUser{}, err
	}
	batch, err := ledger.LockBatch(tx, []string{u.ID})
	if err != nil {
		return oldUser{}, err
	}
	if _, err := batch.Move(ledger.Transfer{
		Debit: ledger.Sandbox, Credit: ledger.Account(u.ID), Amount: oldUserBalance, Kind: ledger.KindGrant, Ref: u.ID,
	}); err != nil {
		return oldUser{}, err
	}
	batch.SetPlay(u.ID, limits.CountDeposit(batch.Play(u.ID), tx.Now, oldUserBalance))
	return oldUser{u.ID, u.Tag}, batch.Save()
}

// open lets each old user open one pack, up to limit in total, and returns the number of opens.
func (f *filler) open(ctx context.Context, limit int) (int, error) {
	all := f.oldUsers[:min(limit, len(f.oldUsers))]
	for chunk := range slices.Chunk(all, rowsPerTransaction) {
		orders := make([]opening.UserRequest, len(chunk))
		for n, u := range chunk {
			orders[n] = opening.UserRequest{UserID: u.id, UserTag: u.tag, Request: opening.Request{PackID: ordinaryPack, ClientSeed: "bench " + u.id}}
		}
		err := f.db.InTx(ctx, func(tx *db.Tx) error {
			outcomes, err := f.opens.OpenAll(tx, orders)
			for _, o := range outcomes {
				err = errors.Join(err, o.Err)
			}
			return err
		})
		if err != nil {
			return 0, err
		}
	}
	return len(all), nil
}

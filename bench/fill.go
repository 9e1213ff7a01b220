package main

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/identity"
	"kaibao/internal/ledger"
	"kaibao/internal/limits"
	"kaibao/internal/opening"
	"kaibao/internal/packs"
	"kaibao/internal/protocol"
	"kaibao/internal/publiclog"
)

const (
	// neighbours is the number of old users per player.
	neighbours = 100
	// purse is each old user's balance in cents, enough for all their opens.
	purse = 100_000_000
	// atOneGo is the maximum number of rows or opens per transaction.
	atOneGo = 2000
)

// neighbour is an old user whose id is close to a player's, so that they are adjacent in every
// index.
type neighbour struct{ id, tag string }

// filler creates the data of years of use, users and their opens, with the product's own code but
// without HTTP.
type filler struct {
	db    *db.DB
	opens *opening.Service
	old   []neighbour
}

// fill makes the old users open packs until d has its number of items. The server is stopped; its
// keys are in the data directory.
func (g *growth) fill(ctx context.Context, d *grown) (err error) {
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
		g.step("filling "+d.name, done, d.items)
	}
	return nil
}

// service returns an opening.Service configured like the server's.
func service(ctx context.Context, d *db.DB, dir string) (*opening.Service, error) {
	logKey, err := os.ReadFile(filepath.Join(dir, "log.key"))
	if err != nil {
		return nil, err
	}
	seedKey, err := os.ReadFile(filepath.Join(dir, "seed.key"))
	if err != nil {
		return nil, err
	}
	key, err := hex.DecodeString(strings.TrimSpace(string(seedKey)))
	if err != nil {
		return nil, err
	}
	sealer, err := opening.NewSealer(key)
	if err != nil {
		return nil, err
	}
	log, err := publiclog.Open(ctx, publiclog.Options{DB: d, Key: string(logKey), CheckpointFile: filepath.Join(dir, "log.checkpoint")})
	return &opening.Service{DB: d, Packs: &packs.Service{DB: d}, Log: log, Sealer: sealer}, err
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
	for k := range neighbours {
		last := fmt.Sprintf("%012x", int64(k+1)*(1<<48)/(neighbours+1))
		for some := range slices.Chunk(players, atOneGo) {
			var made []neighbour
			err := f.db.InTx(ctx, func(tx *db.Tx) error {
				made = made[:0]
				for _, id := range some {
					n, err := f.welcome(tx, id[:24]+last)
					if err != nil {
						return err
					}
					made = append(made, n)
				}
				return nil
			})
			if err != nil {
				return err
			}
			f.old = append(f.old, made...)
		}
	}
	return nil
}

// welcome creates a user with a full balance.
func (f *filler) welcome(tx *db.Tx, id string) (neighbour, error) {
	u := identity.User{ID: id, Address: "bench-" + id, TagSalt: [32]byte(tx.Random(32))}
	u.Tag = protocol.UserTag(u.TagSalt, u.Address)
	if _, err := tx.Exec(`INSERT INTO users (id, wallet_address, tag, tag_salt, created_at) VALUES ($1, $2, $3, $4, $5)`,
		u.ID, u.Address, u.Tag, u.TagSalt[:], db.Micros(tx.Now)); err != nil {
		return neighbour{}, err
	}
	if err := f.opens.OpenAccount(tx, u); err != nil {
		return neighbour{}, err
	}
	batch, err := ledger.LockBatch(tx, []string{u.ID})
	if err != nil {
		return neighbour{}, err
	}
	if _, err := batch.Move(ledger.Transfer{
		Debit: ledger.Sandbox, Credit: ledger.Account(u.ID), Amount: purse, Kind: ledger.KindSandboxDeposit, Ref: u.ID,
	}); err != nil {
		return neighbour{}, err
	}
	batch.SetPlay(u.ID, limits.CountDeposit(batch.Play(u.ID), tx.Now, purse))
	return neighbour{u.ID, u.Tag}, batch.Save()
}

// open lets each old user open one pack, up to wanted in total, and returns the number of opens.
func (f *filler) open(ctx context.Context, wanted int) (int, error) {
	all := f.old[:min(wanted, len(f.old))]
	for some := range slices.Chunk(all, atOneGo) {
		orders := make([]opening.UserRequest, len(some))
		for n, u := range some {
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

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"time"

	"kaibao/internal/catalogue"
	"kaibao/internal/catalogue/bulk"
	"kaibao/internal/db"
	"kaibao/internal/jobs"
	"kaibao/internal/market/index"
	"kaibao/internal/marketevents"
	"kaibao/internal/money"
)

// insertListings inserts items and listings directly into a market's database. No open drew them,
// so this database isn't audited.
func (s *search) insertListings(ctx context.Context, m *market) (err error) {
	database, err := db.Open(ctx, db.Options{Dir: m.dir, URL: m.url, CallTime: time.Hour})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, database.Close()) }()
	random := rand.New(rand.NewPCG(1, uint64(m.listings)))
	var items []catalogue.Item
	for done := 0; done < m.listings; {
		number := min(rowsPerTransaction, m.listings-done)
		err := database.InTx(ctx, func(tx *db.Tx) error {
			if done == 0 {
				items, err = makeItems(tx, random, max(100, m.listings/50))
				if err != nil {
					return err
				}
			}
			return insertListingRows(tx, random, items, done, number)
		})
		if err != nil {
			return err
		}
		done += number
		s.showProgress("filling "+m.name, done, m.listings)
	}
	return database.InTx(ctx, func(tx *db.Tx) error { _, err := tx.Exec("ANALYZE"); return err })
}

func pick(random *rand.Rand, values ...string) string { return values[random.IntN(len(values))] }

func makeItems(tx *db.Tx, random *rand.Rand, number int) (items []catalogue.Item, err error) {
	for range number {
		items = append(items, catalogue.Item{
			ID: tx.NewID(), Rarity: pick(random, catalogue.Rarities...), Grader: "PSA", CertNumber: "12345678", GradeTenths: int64(5 * (2 + random.IntN(19))),
			Name: fmt.Sprintf("%d %s %s #%d PSA", 1995+random.IntN(30), pick(random, "Charizard", "Pikachu", "Luffy", "Jordan", "ピカチュウ", "火焰鸟闪卡", "Messi"),
				pick(random, "Holo", "Rookie", "First Edition", "Secret"), random.IntN(99999)),
			Series:    pick(random, "Pokemon", "One Piece", "Basketball", "Football", "Soccer", "Baseball", "Labubu Collection"),
			BaseValue: 5000, Active: true,
		})
	}
	if err := bulk.Insert(tx, items); err != nil {
		return nil, err
	}
	return items, bulk.InsertFirstValuations(tx, items, catalogue.Valuation{Source: "catalogue", CarriedAt: tx.Now})
}

// insertListingRows inserts listings as if they came from the first open in the database.
func insertListingRows(tx *db.Tx, random *rand.Rand, items []catalogue.Item, from, number int) error {
	opening, err := db.One(tx, func(s db.Scanner) (v [2]string, err error) { return v, s.Scan(&v[0], &v[1]) }, `SELECT id, user_id FROM openings LIMIT 1`)
	if err != nil {
		return err
	}
	rows := db.Rows{Columns: []string{"id", "user_id", "item_id", "opening_id", "position", "pulled_value_cents", "sell_back_floor_cents",
		"sell_back_until", "state", "acquired_from", "acquired_at", "listing_id", "sale_price_cents", "version"}}
	for n := range number {
		rows.Add(db.ID(tx.NewID()), db.ID(opening[1]), items[random.IntN(len(items))].ID, db.ID(opening[0]), 1000+from+n, 1, 1, int64(0), "listed", "pack",
			db.Micros(tx.Now), db.ID(tx.NewID()), money.Cents(100+random.ExpFloat64()*5000), 1)
	}
	return tx.InsertRows("inventory", rows)
}

// measureIndexBuild measures how long a node takes to build its market index, and the memory it
// uses.
func (s *search) measureIndexBuild(ctx context.Context, m *market) (err error) {
	database, err := db.Open(ctx, db.Options{Dir: m.dir, URL: m.url, CallTime: time.Hour, Schema: db.SchemaExact})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, database.Close()) }()
	model := index.New(database)
	dispatcher := marketevents.NewDispatcher(database, model.Handle)
	model.SetDispatcher(dispatcher)
	numbering := marketevents.Jobs(database)[0] // trades of the last round
	for _, job := range []jobs.Job{numbering, dispatcher.Job()} {
		if _, err := job.Do(ctx); err != nil {
			return err
		}
	}
	before, begun := heapBytes(), time.Now()
	if _, err := model.Jobs()[0].Do(ctx); err != nil {
		return err
	}
	s.record(m.label()+" built", time.Since(begun).Seconds())
	s.record(m.label()+" memory", (heapBytes()-before)/1e6)
	runtime.KeepAlive(model)
	return nil
}

func heapBytes() float64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc)
}

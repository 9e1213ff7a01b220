// Command pocketbase is a minimal PocketBase for comparison: a custom route that opens a pack in
// one durable transaction on three plain tables, without session, draw, signature, log or
// idempotency, and without PocketBase's request log.
//
//	pocketbase DIR
//
// It is a module of its own, so that the product doesn't depend on it.
package main

import (
	"fmt"
	"log"
	"net"
	"net/http"
	"os"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase"
	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/security"
)

const (
	users = 512
	price = 2500
)

// connect is like core.DefaultDBConnect, but commits wait for the disk.
func connect(path string) (*dbx.DB, error) {
	return dbx.Open("sqlite", path+"?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=journal_size_limit(200000000)"+
		"&_pragma=synchronous(FULL)&_pragma=foreign_keys(ON)&_pragma=temp_store(MEMORY)&_pragma=cache_size(-32000)")
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: pocketbase DIR")
	}
	app := pocketbase.NewWithConfig(pocketbase.Config{HideStartBanner: true, DefaultDataDir: os.Args[1], DBConnect: connect})
	if err := serve(app); err != nil {
		log.Fatal(err)
	}
}

func serve(app core.App) error {
	if err := app.Bootstrap(); err != nil {
		return err
	}
	app.OnServe().BindFunc(func(e *core.ServeEvent) error {
		app.Settings().Logs.MaxDays = 0
		if err := makeTables(app); err != nil {
			return err
		}
		e.InstallerFunc = nil
		e.Router.POST("/api/bench/open", open)
		var err error
		e.Listener, err = net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		fmt.Printf("listening on http://%s\n", e.Listener.Addr())
		return e.Next()
	})
	return apis.Serve(app, apis.ServeConfig{HttpAddr: "127.0.0.1:0"})
}

func makeTables(app core.App) error {
	for _, statement := range []string{
		`CREATE TABLE bench_users (id INTEGER PRIMARY KEY, balance INTEGER NOT NULL CHECK (balance >= 0))`,
		`CREATE TABLE bench_opens (id TEXT PRIMARY KEY, user INTEGER NOT NULL, pack TEXT NOT NULL, price INTEGER NOT NULL)`,
		`CREATE TABLE bench_items (id TEXT PRIMARY KEY, user INTEGER NOT NULL, open TEXT NOT NULL, card TEXT NOT NULL)`,
		fmt.Sprintf(`WITH RECURSIVE n(id) AS (SELECT 0 UNION ALL SELECT id + 1 FROM n WHERE id < %d)
			INSERT INTO bench_users SELECT id, 1000000000000 FROM n`, users-1),
	} {
		if _, err := app.DB().NewQuery(statement).Execute(); err != nil {
			return err
		}
	}
	return nil
}

func open(e *core.RequestEvent) error {
	var asked struct {
		User int64  `json:"user"`
		Pack string `json:"pack"`
	}
	if err := e.BindBody(&asked); err != nil {
		return e.BadRequestError("The body must be JSON.", err)
	}
	id := security.RandomString(15)
	var left int64
	err := e.App.RunInTransaction(func(tx core.App) error {
		err := tx.DB().NewQuery(`SELECT balance FROM bench_users WHERE id = {:user}`).Bind(dbx.Params{"user": asked.User}).Row(&left)
		if err == nil && left < price {
			err = fmt.Errorf("balance %d", left)
		}
		write := func(query string, values dbx.Params) {
			if err == nil {
				_, err = tx.DB().NewQuery(query).Bind(values).Execute()
			}
		}
		write(`UPDATE bench_users SET balance = balance - {:price} WHERE id = {:user}`, dbx.Params{"price": price, "user": asked.User})
		write(`INSERT INTO bench_opens (id, user, pack, price) VALUES ({:id}, {:user}, {:pack}, {:price})`,
			dbx.Params{"id": id, "user": asked.User, "pack": asked.Pack, "price": price})
		write(`INSERT INTO bench_items (id, user, open, card) VALUES ({:item}, {:user}, {:id}, 'card')`,
			dbx.Params{"item": security.RandomString(15), "user": asked.User, "id": id})
		return err
	})
	if err != nil {
		return e.BadRequestError("The pack could not be opened.", err)
	}
	return e.JSON(http.StatusOK, map[string]any{"open": id, "item": "card", "balance": left - price})
}

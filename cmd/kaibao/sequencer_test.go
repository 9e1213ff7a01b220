package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"kaibao/internal/app"
	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/publiclog"
)

// maxTakeover is how long leaves may wait after the death of the node that was sequencing them.
const maxTakeover = 5 * time.Second

// Three nodes share a database and sequence leaves while players open on all of them. When nodes
// are killed one after another, the others take over immediately, and no leaf is lost or
// duplicated.
func TestSequencingSurvivesNodeKills(t *testing.T) {
	if !slices.Contains(dbtest.Engines(), "postgres") {
		t.Log("only PostgreSQL can have several nodes")
		return
	}
	config := apptest.Config(t, "postgres")
	nodes := newNodes(t, config, 3)
	playing, stop := context.WithCancel(t.Context())
	var all sync.WaitGroup
	var players []*player
	board := newBoard()
	for i := range 6 {
		n := nodes[i%len(nodes)]
		p := newPlayer(t, n, board)
		players = append(players, p)
		all.Go(func() { p.play(playing, n) })
	}
	s := &apptest.Server{DB: inspect(t, config)}
	for round := range 12 {
		victim, witness := nodes[round%3], nodes[(round+1)%3]
		victim.awaitAnswers(t, 10)
		victim.kill()
		before, died := signedSize(t, s), time.Now()
		for signedSize(t, s) == before {
			witness.awaitAnswers(t, 1)
			if waited := time.Since(died); waited > maxTakeover {
				t.Fatalf("nothing was signed for %s after a node died", waited)
			}
		}
		victim.start(t)
	}
	stop()
	all.Wait()
	s.WaitForLog(t)
	for _, p := range players {
		p.check(t, s)
	}
	s.Audit(t)
}

// newNodes starts nodes that share a PostgreSQL database and the keys.
func newNodes(t *testing.T, config app.Config, count int) []*node {
	t.Helper()
	return newNodesOf(t, built, config, count)
}

// newNodesOf starts nodes of another program that share a PostgreSQL database and the keys.
func newNodesOf(t *testing.T, program string, config app.Config, count int) []*node {
	t.Helper()
	first := newNodeOf(t, program, nodeArgs(config.Data, config.DatabaseURL))
	nodes := []*node{first}
	(&apptest.Server{DB: dbtest.Open(t, db.Options{URL: config.DatabaseURL, Schema: db.SchemaOlder, CallTime: time.Hour})}).WaitForLog(t)
	for range count - 1 {
		dir := t.TempDir()
		for _, key := range []string{"log.key", "seed.key", "address.key"} {
			text, err := os.ReadFile(filepath.Join(config.Data, key))
			if err != nil {
				t.Fatal(err)
			}
			put(t, filepath.Join(dir, key), text)
		}
		joins := []string{"--log-checkpoint", *first.url.Load() + "/log/checkpoint"}
		nodes = append(nodes, newNodeOf(t, program, append(nodeArgs(dir, config.DatabaseURL), joins...)))
	}
	return nodes
}

func nodeArgs(data, databaseURL string) []string {
	return []string{"serve", "--addr", "127.0.0.1:0", "--rate-limits", "off", "--data", data, "--database-url", databaseURL}
}

func signedSize(t *testing.T, s *apptest.Server) (size int64) {
	t.Helper()
	err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
		size, err = publiclog.SignedSize(tx)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return size
}

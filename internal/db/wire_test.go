package db_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/url"
	"slices"
	"testing"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

// wire is the network between the program and a PostgreSQL server. It breaks
// when the next COMMIT comes by, before it reaches the server or after.
type wire struct {
	next   chan bool // at most one order: whether the COMMIT still arrives
	broken chan struct{}
}

// lay puts a wire before the server that a URL names, and gives its own URL.
func lay(t *testing.T, server string) (*wire, string) {
	t.Helper()
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	w, target := &wire{next: make(chan bool, 1), broken: make(chan struct{})}, u.Host
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go w.carry(client, target)
		}
	}()
	u.Host = listener.Addr().String()
	return w, u.String()
}

func (w *wire) carry(client net.Conn, target string) {
	defer func() { _ = client.Close() }()
	server, err := net.Dial("tcp", target)
	if err != nil {
		return
	}
	defer func() { _ = server.Close() }()
	answered := make(chan struct{})
	go func() {
		_, _ = io.Copy(client, server)
		_ = client.Close()
		close(answered)
	}()
	buffer := make([]byte, 64<<10)
	for {
		n, err := client.Read(buffer)
		if err != nil {
			return
		}
		if bytes.Contains(buffer[:n], []byte("\x0bcommit\x00")) {
			select {
			case arrives := <-w.next:
				_ = client.Close()
				if arrives {
					_, _ = server.Write(buffer[:n])
					<-answered // its answer finds nobody
				}
				close(w.broken)
				return
			default:
			}
		}
		if _, err := server.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// What TestUnknownCommit makes up happens here for real.
func TestAConnectionThatBreaksAtCommit(t *testing.T) {
	if !slices.Contains(dbtest.Engines(), "postgres") {
		t.Log("only PostgreSQL has a network before it")
		return
	}
	for name, arrives := range map[string]bool{"before the server": false, "after the server": true} {
		t.Run(name, func(t *testing.T) {
			w, address := lay(t, dbtest.Options(t, "postgres").URL)
			d := dbtest.Open(t, db.Options{URL: address})
			w.next <- arrives
			if err := d.InTx(t.Context(), func(tx *db.Tx) error { return put(tx, "doubtful") }); !errors.Is(err, db.ErrUnknownCommit) {
				t.Errorf("answered %v", err)
			}
			<-w.broken
			if err := d.InTx(t.Context(), func(tx *db.Tx) error { return put(tx, "next") }); err != nil {
				t.Errorf("the next one: %v", err)
			}
			if found := kept(t, d); slices.Contains(found, "doubtful") != arrives || !slices.Contains(found, "next") {
				t.Errorf("kept %q", found)
			}
		})
	}
}

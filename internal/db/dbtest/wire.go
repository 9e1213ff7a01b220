package dbtest

import (
	"bytes"
	"net"
	"net/url"
	"sync/atomic"
	"testing"
)

// Wire is the network between the program and a PostgreSQL server. It can break at the next COMMIT,
// or stop delivering data.
type Wire struct {
	// AtCommit takes at most one value: it breaks the connection at the next COMMIT, which still
	// arrives if the value is true. Broken is closed once that has happened.
	AtCommit chan bool
	Broken   chan struct{}
	// Sent counts the program's writes to the network.
	Sent   atomic.Int64
	silent atomic.Pointer[atomic.Bool] // of new connections
	cut    atomic.Bool
}

// Lay starts a proxy to the server of a URL and returns the proxy's URL.
func Lay(t testing.TB, server string) (*Wire, string) {
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
	w, target := &Wire{AtCommit: make(chan bool, 1), Broken: make(chan struct{})}, u.Host
	w.silent.Store(new(atomic.Bool))
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

// FallSilent drops all further data on the existing connections without closing them. New
// connections work.
func (w *Wire) FallSilent() { w.silent.Swap(new(atomic.Bool)).Store(true) }

// Cut makes the existing connections fall silent and refuses new ones, until Mend is called.
func (w *Wire) Cut() {
	w.cut.Store(true)
	w.FallSilent()
}

// Mend accepts new connections again.
func (w *Wire) Mend() { w.cut.Store(false) }

func (w *Wire) carry(client net.Conn, target string) {
	silent := w.silent.Load()
	defer func() { _ = client.Close() }()
	if w.cut.Load() {
		return
	}
	server, err := net.Dial("tcp", target)
	if err != nil {
		return
	}
	defer func() { _ = server.Close() }()
	answered := make(chan struct{})
	go func() {
		relay(server, client, silent, func([]byte) bool { return true })
		_ = client.Close()
		close(answered)
	}()
	relay(client, server, silent, func(sent []byte) bool {
		w.Sent.Add(1)
		if !bytes.Contains(sent, []byte("\x0bcommit\x00")) {
			return true
		}
		select {
		case arrives := <-w.AtCommit:
			_ = client.Close()
			if arrives {
				_, _ = server.Write(sent)
				<-answered // the client doesn't see the answer
			}
			close(w.Broken)
			return false
		default:
			return true
		}
	})
}

// relay copies data until either side is closed or pass returns false.
func relay(from, to net.Conn, silent *atomic.Bool, pass func([]byte) bool) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		if silent.Load() {
			continue
		}
		if !pass(buffer[:n]) {
			return
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}

package dbtest

import (
	"bytes"
	"net"
	"net/url"
	"sync/atomic"
	"testing"
)

// Wire is the network between the program and a PostgreSQL server. It can break
// when the next COMMIT comes by, or fall silent.
type Wire struct {
	// AtCommit takes at most one order: to break at the next COMMIT, and whether
	// it still arrives. Broken is closed once that has happened.
	AtCommit chan bool
	Broken   chan struct{}
	// Sent counts how often the program sent something.
	Sent   atomic.Int64
	silent atomic.Pointer[atomic.Bool] // of the connections made from now on
	cut    atomic.Bool
}

// Lay puts a wire before the server that a URL names, and gives its own URL.
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

// FallSilent swallows from now on what the connections there are carry, without
// closing them; new ones are as before.
func (w *Wire) FallSilent() { w.silent.Swap(new(atomic.Bool)).Store(true) }

// Cut makes the connections there are fall silent and refuses new ones, until
// the wire is mended.
func (w *Wire) Cut() {
	w.cut.Store(true)
	w.FallSilent()
}

// Mend lets new connections through again.
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
				<-answered // its answer finds nobody
			}
			close(w.Broken)
			return false
		default:
			return true
		}
	})
}

// relay copies until an end is closed or pass refuses.
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

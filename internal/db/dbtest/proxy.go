package dbtest

import (
	"bytes"
	"net"
	"net/url"
	"sync/atomic"
	"testing"
)

// Proxy forwards connections to a PostgreSQL server. It can break a connection at the next COMMIT, or
// stop forwarding data.
type Proxy struct {
	// A value in AtCommit breaks the connection at the next COMMIT. If it is true, the server still
	// receives the COMMIT. Broken is closed afterwards.
	AtCommit chan bool
	Broken   chan struct{}
	// Sent counts how often data from the program was forwarded.
	Sent         atomic.Int64
	dropping     atomic.Pointer[atomic.Bool] // of new connections
	disconnected atomic.Bool
}

// StartProxy starts a proxy to the server of a URL. It returns the URL with the proxy's address.
func StartProxy(t testing.TB, server string) (*Proxy, string) {
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
	w, target := &Proxy{AtCommit: make(chan bool, 1), Broken: make(chan struct{})}, u.Host
	w.dropping.Store(new(atomic.Bool))
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go w.serve(client, target)
		}
	}()
	u.Host = listener.Addr().String()
	return w, u.String()
}

// DropData drops all further data on the existing connections without closing them. New connections
// work.
func (w *Proxy) DropData() { w.dropping.Swap(new(atomic.Bool)).Store(true) }

// Disconnect drops the data on existing connections and refuses new ones, until Reconnect is called.
func (w *Proxy) Disconnect() {
	w.disconnected.Store(true)
	w.DropData()
}

// Reconnect accepts new connections again.
func (w *Proxy) Reconnect() { w.disconnected.Store(false) }

func (w *Proxy) serve(client net.Conn, target string) {
	silent := w.dropping.Load()
	defer func() { _ = client.Close() }()
	if w.disconnected.Load() {
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

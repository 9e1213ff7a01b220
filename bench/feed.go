package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/marketevents"
)

// feed measures many readers of the feed on one node: their memory, the time until an event has
// reached all of them, and the node's shutdown time.
type feed struct {
	*bench
	number int
}

const (
	eventCount      = 5
	concurrentDials = 64
)

func (*feed) prepare(context.Context) error { return nil }

func (f *feed) round(ctx context.Context) error {
	f.number++
	fresh, err := f.newStorage(ctx, "SQLite", fmt.Sprintf("feed%d", f.number))
	if err != nil {
		return err
	}
	running, err := f.serve(ctx, fresh)
	if err != nil {
		return err
	}
	if err := sleep(ctx, time.Second); err != nil {
		return err
	}
	pid := running.command.Process.Pid
	idle, err := residentMemory(pid)
	if err != nil {
		return err
	}
	readers, err := f.connectReaders(ctx, running)
	if err != nil {
		return err
	}
	defer readers.close()
	if err := f.measureDelivery(ctx, fresh, readers); err != nil {
		return err
	}
	resident, err := residentMemory(pid)
	if err != nil {
		return err
	}
	begun := time.Now()
	if err := running.stop(); err != nil {
		return fmt.Errorf("stop with %d readers: %w", f.readers, err)
	}
	f.record("feed end", time.Since(begun).Seconds())
	f.record("feed memory", (resident-idle)/1e6)
	f.record("feed memory each", (resident-idle)/float64(f.readers)/1e3)
	f.logf("feed: %d readers use %.0f MB, an event reaches all of them in %.2f s, the shutdown takes %.2f s",
		f.readers, f.latest("feed memory"), f.latest("feed to all"), f.latest("feed end"))
	return nil
}

// measureDelivery publishes events and measures the time until the last reader has received each.
func (f *feed) measureDelivery(ctx context.Context, s storage, a *feedReaders) (err error) {
	database, err := db.Open(ctx, db.Options{Dir: s.dir, URL: s.url, Schema: db.SchemaExact})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, database.Close()) }()
	for range eventCount {
		event := marketevents.Event{Kind: marketevents.Valued, Item: "pkm-001", Price: 1}
		if err := database.InTx(ctx, func(tx *db.Tx) error { return marketevents.Add(tx, event) }); err != nil {
			return err
		}
		begun := time.Now()
		if err := f.awaitDelivery(ctx, a); err != nil {
			return err
		}
		f.record("feed to all", time.Since(begun).Seconds())
	}
	return nil
}

// awaitDelivery waits until all readers have received an event.
func (f *feed) awaitDelivery(ctx context.Context, a *feedReaders) error {
	ctx, end := context.WithTimeout(ctx, f.stallTimeout)
	defer end()
	for range f.readers {
		select {
		case err := <-a.received:
			if err != nil {
				return fmt.Errorf("a reader of the feed: %w", err)
			}
		case <-ctx.Done():
			return fmt.Errorf("an event does not reach all readers of the feed: %w", ctx.Err())
		}
	}
	return nil
}

// feedReaders is a set of connections that read the feed.
type feedReaders struct {
	mutex       sync.Mutex
	connections []net.Conn
	received    chan error // one value per event received by a reader, or the reader's error
}

// connectReaders connects all readers, concurrentDials at a time.
func (f *feed) connectReaders(ctx context.Context, s *server) (*feedReaders, error) {
	a := &feedReaders{received: make(chan error, f.readers)}
	failed := make(chan error, f.readers)
	slots := make(chan struct{}, concurrentDials)
	for range f.readers {
		slots <- struct{}{}
		go func() {
			failed <- a.connect(ctx, s.url.Host)
			<-slots
		}()
	}
	for range f.readers {
		if err := <-failed; err != nil {
			a.close()
			return nil, fmt.Errorf("read the feed: %w", err)
		}
	}
	return a, nil
}

// connect adds a reader. It returns when the feed has started.
func (a *feedReaders) connect(ctx context.Context, host string) error {
	connection, err := new(net.Dialer).DialContext(ctx, "tcp", host)
	if err != nil {
		return err
	}
	a.mutex.Lock()
	a.connections = append(a.connections, connection)
	a.mutex.Unlock()
	if _, err := fmt.Fprintf(connection, "GET /api/feed HTTP/1.1\r\nHost: %s\r\n\r\n", host); err != nil {
		return err
	}
	lines := bufio.NewReaderSize(connection, 512)
	status, err := lines.ReadString('\n')
	for line := status; err == nil && !strings.HasPrefix(line, "id: "); {
		line, err = lines.ReadString('\n')
	}
	if err != nil || !strings.Contains(status, " 200 ") {
		return errors.Join(fmt.Errorf("response %q", status), err)
	}
	go a.read(lines)
	return nil
}

func (a *feedReaders) read(lines *bufio.Reader) {
	for {
		line, err := lines.ReadString('\n')
		if err != nil || strings.HasPrefix(line, "data: ") {
			a.received <- err
		}
		if err != nil {
			return
		}
	}
}

func (a *feedReaders) close() {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	for _, c := range a.connections {
		_ = c.Close()
	}
}

func (*feed) finish(context.Context) error { return nil }

func (b *bench) feedRows() table {
	return table{"The feed, one node, SQLite", []row{
		b.row(fmt.Sprintf("%d readers, memory above idle", b.readers), "feed memory", "%.0f MB", "≤ 500 MB", atMost(500), b.detail("%.1f kB each, resident", "feed memory each")),
		b.row("from an event's commit until the last reader has it", "feed to all", "%.2f s", "≤ 1 s", atMost(1), "readers run on the same cores"),
		b.row("shutdown of the node with all readers connected", "feed end", "%.2f s", "≤ 2 s", atMost(2), ""),
	}}
}

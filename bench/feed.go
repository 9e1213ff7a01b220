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
	eventsToAll = 5
	dialsAtOnce = 64
)

func (*feed) prepare(context.Context) error { return nil }

func (f *feed) round(ctx context.Context) error {
	f.number++
	fresh, err := f.place(ctx, "SQLite", fmt.Sprintf("feed%d", f.number))
	if err != nil {
		return err
	}
	running, err := f.serve(ctx, fresh)
	if err != nil {
		return err
	}
	if err := rest(ctx, time.Second); err != nil {
		return err
	}
	pid := running.command.Process.Pid
	idle, err := residentMemory(pid)
	if err != nil {
		return err
	}
	audience, err := f.listen(ctx, running)
	if err != nil {
		return err
	}
	defer audience.close()
	if err := f.tell(ctx, fresh, audience); err != nil {
		return err
	}
	resident, err := residentMemory(pid)
	if err != nil {
		return err
	}
	begun := time.Now()
	if err := running.stop(); err != nil {
		return fmt.Errorf("end with %d readers: %w", f.readers, err)
	}
	f.note("feed end", time.Since(begun).Seconds())
	f.note("feed memory", (resident-idle)/1e6)
	f.note("feed memory each", (resident-idle)/float64(f.readers)/1e3)
	f.say("feed: %d readers take %.0f MB, an event reaches all of them in %.2f s, the end takes %.2f s",
		f.readers, f.latest("feed memory"), f.latest("feed to all"), f.latest("feed end"))
	return nil
}

// tell publishes events and measures the time until the last reader has received each.
func (f *feed) tell(ctx context.Context, s storage, a *audience) (err error) {
	database, err := db.Open(ctx, db.Options{Dir: s.dir, URL: s.url, Schema: db.SchemaExact})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, database.Close()) }()
	for range eventsToAll {
		happened := marketevents.Event{Kind: marketevents.Valued, Item: "pkm-001", Price: 1}
		if err := database.InTx(ctx, func(tx *db.Tx) error { return marketevents.Add(tx, happened) }); err != nil {
			return err
		}
		begun := time.Now()
		if err := f.hear(ctx, a); err != nil {
			return err
		}
		f.note("feed to all", time.Since(begun).Seconds())
	}
	return nil
}

// hear waits until all readers have received an event.
func (f *feed) hear(ctx context.Context, a *audience) error {
	ctx, end := context.WithTimeout(ctx, f.patience)
	defer end()
	for range f.readers {
		select {
		case err := <-a.heard:
			if err != nil {
				return fmt.Errorf("a reader of the feed: %w", err)
			}
		case <-ctx.Done():
			return fmt.Errorf("an event does not reach all readers of the feed: %w", ctx.Err())
		}
	}
	return nil
}

// audience is a set of connections that read the feed.
type audience struct {
	mutex       sync.Mutex
	connections []net.Conn
	heard       chan error // one value per event received by a reader, or the reader's error
}

// listen connects all readers, dialsAtOnce at a time.
func (f *feed) listen(ctx context.Context, s *server) (*audience, error) {
	a := &audience{heard: make(chan error, f.readers)}
	failed := make(chan error, f.readers)
	turns := make(chan struct{}, dialsAtOnce)
	for range f.readers {
		turns <- struct{}{}
		go func() {
			failed <- a.join(ctx, s.url.Host)
			<-turns
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

// join connects one more reader. It returns when the feed has started.
func (a *audience) join(ctx context.Context, host string) error {
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
		return errors.Join(fmt.Errorf("answered %q", status), err)
	}
	go a.read(lines)
	return nil
}

func (a *audience) read(lines *bufio.Reader) {
	for {
		line, err := lines.ReadString('\n')
		if err != nil || strings.HasPrefix(line, "data: ") {
			a.heard <- err
		}
		if err != nil {
			return
		}
	}
}

func (a *audience) close() {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	for _, c := range a.connections {
		_ = c.Close()
	}
}

func (*feed) finish(context.Context) error { return nil }

func (b *bench) feedRows() table {
	return table{"The feed, one node, SQLite", []row{
		b.row(fmt.Sprintf("%d readers, memory above idle", b.readers), "feed memory", "%.0f MB", "≤ 500 MB", atMost(500), b.about("%.1f kB each, resident", "feed memory each")),
		b.row("an event, from its commit until the last of them has it", "feed to all", "%.2f s", "≤ 1 s", atMost(1), "they are on the same cores"),
		b.row("the end of the node with all of them", "feed end", "%.2f s", "≤ 2 s", atMost(2), ""),
	}}
}

package vfs_test

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"kaibao/internal/db/vfs"
)

// connect gives a connection with these files, or with SQLite's own, to a database in
// which there is room for a number under each name, and some bytes.
func connect(t *testing.T, path, files string, cachedPages int) *sql.Conn {
	t.Helper()
	address := "file:" + path
	if files != "" {
		address += "?vfs=" + files
	}
	pool, err := sql.Open("sqlite3", address)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := pool.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
		if err := pool.Close(); err != nil {
			t.Error(err)
		}
	})
	do(t, conn, `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA temp_store = FILE; PRAGMA wal_autocheckpoint = 0;
		PRAGMA cache_size = `+strconv.Itoa(cachedPages))
	do(t, conn, `CREATE TABLE IF NOT EXISTS numbers (name INTEGER PRIMARY KEY, value INTEGER NOT NULL, bytes BLOB NOT NULL);
		CREATE INDEX IF NOT EXISTS by_value ON numbers (value, bytes)`)
	return conn
}

func do(t *testing.T, conn *sql.Conn, statement string, args ...any) {
	t.Helper()
	if _, err := conn.ExecContext(t.Context(), statement, args...); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func set(ctx context.Context, conn *sql.Conn, name, value int) error {
	_, err := conn.ExecContext(ctx, `INSERT INTO numbers VALUES ($1, $2, zeroblob($3)) ON CONFLICT (name) DO UPDATE SET value = $2, bytes = zeroblob($3)`,
		name, value, value%700)
	return err
}

// numbers is what a connection sees, in the order of an index that it sorts by itself.
func numbers(t *testing.T, conn *sql.Conn) map[int]int {
	t.Helper()
	rows, err := conn.QueryContext(t.Context(), `SELECT name, value FROM numbers WHERE length(bytes) = value % 700 ORDER BY value % 17, name * 7919 % 104729`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	found := map[int]int{}
	for rows.Next() {
		var name, value int
		if err := rows.Scan(&name, &value); err != nil {
			t.Fatal(err)
		}
		found[name] = value
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return found
}

func sound(t *testing.T, conn *sql.Conn) {
	t.Helper()
	var said string
	if err := conn.QueryRowContext(t.Context(), `PRAGMA integrity_check`).Scan(&said); err != nil || said != "ok" {
		t.Errorf("the database is not sound: %s, %v", said, err)
	}
}

// What writers with these files commit in turn is what everybody sees, whatever they undid
// before: transactions of all sizes, larger than their cache too, with savepoints in each
// other, sorts, and checkpoints between them.
func TestTheOthersSeeWhatIsCommitted(t *testing.T) {
	for _, page := range []int{512, 4096, 65536} { // each has its lock page elsewhere
		t.Run(strconv.Itoa(page), func(t *testing.T) { seeWhatIsCommitted(t, page) })
	}
}

func seeWhatIsCommitted(t *testing.T, page int) {
	path := filepath.Join(t.TempDir(), "numbers.db")
	do(t, connect(t, path, vfs.Name, 20), `DROP TABLE numbers; PRAGMA journal_mode = DELETE; PRAGMA page_size = `+strconv.Itoa(page)+`; VACUUM`)
	writers, reader := []*sql.Conn{connect(t, path, vfs.Name, 20), connect(t, path, vfs.Name, 100)}, connect(t, path, "", 2000)
	random := rand.New(rand.NewPCG(1, 2))
	var has int
	if err := reader.QueryRowContext(t.Context(), `PRAGMA page_size`).Scan(&has); err != nil || has != page {
		t.Fatalf("a page has %d bytes, %v", has, err)
	}
	committed := map[int]int{}
	for round := range 100 {
		writer := writers[random.IntN(len(writers))]
		do(t, writer, `BEGIN IMMEDIATE`)
		states := []map[int]int{maps.Clone(committed)}
		for range random.IntN(12) {
			switch top := len(states) - 1; random.IntN(5) {
			case 0:
				do(t, writer, fmt.Sprintf("SAVEPOINT s%d", top))
				states = append(states, maps.Clone(states[top]))
			case 1:
				if top > 0 {
					do(t, writer, fmt.Sprintf("ROLLBACK TO s%d", top-1))
					states[top] = maps.Clone(states[top-1])
				}
			case 2:
				if top > 0 {
					do(t, writer, fmt.Sprintf("RELEASE s%d", top-1))
					states = append(states[:top-1], states[top])
				}
			case 3:
				if got := numbers(t, writer); !maps.Equal(got, states[top]) {
					t.Fatalf("round %d: the writer sees %d numbers, wrote %d", round, len(got), len(states[top]))
				}
			default:
				for range random.IntN(600) {
					name, value := random.IntN(3000), random.IntN(1_000_000)
					if err := set(t.Context(), writer, name, value); err != nil {
						t.Fatal(err)
					}
					states[top][name] = value
				}
			}
		}
		if random.IntN(4) == 0 {
			do(t, writer, `ROLLBACK`)
		} else {
			do(t, writer, `COMMIT`)
			committed = states[len(states)-1]
		}
		if got := numbers(t, reader); !maps.Equal(got, committed) {
			t.Fatalf("round %d: somebody else sees %d numbers, %d are committed", round, len(got), len(committed))
		}
		if random.IntN(8) == 0 {
			do(t, writer, `PRAGMA wal_checkpoint(TRUNCATE)`)
		}
	}
	if len(committed) < 1000 {
		t.Errorf("only %d numbers were written: nothing was tried", len(committed))
	}
	for _, conn := range append(writers, reader) {
		sound(t, conn)
	}
}

// What was written to the log of a transaction that is undone is not written later, over what
// another writer has committed there meanwhile.
func TestWhatIsUndoneIsForgotten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "numbers.db")
	one, other, reader := connect(t, path, vfs.Name, 10), connect(t, path, vfs.Name, 10), connect(t, path, "", 10)
	do(t, one, `CREATE TABLE rows (n INTEGER PRIMARY KEY, bytes BLOB NOT NULL)`)
	const insert = `INSERT INTO rows SELECT value, randomblob(600) FROM json_each($1)`
	rows := func(from, to int) string {
		list := make([]string, 0, to-from)
		for n := from; n < to; n++ {
			list = append(list, strconv.Itoa(n))
		}
		return "[" + strings.Join(list, ",") + "]"
	}
	for round := range 5 {
		do(t, one, `PRAGMA wal_checkpoint(TRUNCATE)`) // so that to undo reads nothing in the log
		do(t, one, `BEGIN IMMEDIATE`)
		do(t, one, insert, rows(1000, 2000))
		do(t, one, `ROLLBACK`)
		do(t, other, insert, rows(round*100, (round+1)*100))
		for _, conn := range []*sql.Conn{one, other, reader} {
			var count int
			if err := conn.QueryRowContext(t.Context(), `SELECT count(*) FROM rows WHERE length(bytes) = 600`).Scan(&count); err != nil || count != (round+1)*100 {
				t.Fatalf("round %d: %d rows are seen: %v", round, count, err)
			}
			sound(t, conn)
		}
	}
}

// What has no name, such as a temporary table that is larger than the cache, is there as it
// was written, wherever that was.
func TestWhatHasNoNameIsKept(t *testing.T) {
	writer := connect(t, filepath.Join(t.TempDir(), "numbers.db"), vfs.Name, 20)
	do(t, writer, `PRAGMA temp.cache_size = 10; CREATE TEMP TABLE pile (name INTEGER PRIMARY KEY, bytes TEXT NOT NULL);
		CREATE INDEX temp.by_bytes ON pile (bytes)`)
	random := rand.New(rand.NewPCG(3, 4))
	want := map[int]string{}
	for range 8000 {
		name := random.IntN(2000)
		if random.IntN(4) == 0 {
			delete(want, name)
			do(t, writer, `DELETE FROM pile WHERE name = $1`, name)
			continue
		}
		want[name] = strings.Repeat(strconv.Itoa(name), random.IntN(500))
		do(t, writer, `INSERT INTO pile VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET bytes = $2`, name, want[name])
	}
	rows, err := writer.QueryContext(t.Context(), `SELECT name, bytes FROM pile ORDER BY bytes DESC`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	got := map[int]string{}
	for rows.Next() {
		var name int
		var bytes string
		if err := rows.Scan(&name, &bytes); err != nil {
			t.Fatal(err)
		}
		got[name] = bytes
	}
	if err := rows.Err(); err != nil || !maps.Equal(got, want) {
		t.Errorf("the table has %d rows, %d were put into it; %v", len(got), len(want), err)
	}
	sound(t, writer)
}

// A commit that the disk has no room for undoes its transaction for good, also in the log.
// So does one of which a part was in the log already, as it was larger than the cache.
func TestAFullDiskUndoesTheCommit(t *testing.T) {
	for name, c := range map[string]struct{ cachedPages, numbers int }{
		"found when it is synced":  {2000, 1000},
		"found when it is written": {2000, 5000},
		"found before the commit":  {10, 5000},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "numbers.db")
			writer, reader := connect(t, path, vfs.Name, c.cachedPages), connect(t, path, "", 2000)
			if err := set(t.Context(), writer, 1, 1); err != nil {
				t.Fatal(err)
			}
			want := map[int]int{1: 1}
			for _, room := range []int64{0, 100 << 10, 300 << 10} {
				before, err := os.Stat(path + "-wal")
				if err != nil {
					t.Fatal(err)
				}
				endDisk := diskOf(t, before.Size()+room)
				err = many(t.Context(), writer, c.numbers)
				endDisk()
				if err == nil {
					t.Fatalf("%d bytes were room enough", room)
				}
				_, _ = writer.ExecContext(t.Context(), `ROLLBACK`) // SQLite may have done so
				if got := numbers(t, writer); !maps.Equal(got, want) {
					t.Errorf("the writer sees %d numbers after the commit that failed", len(got))
				}
				if got := numbers(t, reader); !maps.Equal(got, want) {
					t.Errorf("somebody else sees %d numbers after the commit that failed", len(got))
				}
				if got := numbers(t, connect(t, copied(t, path), "", 2000)); !maps.Equal(got, want) {
					t.Errorf("after a crash there are %d numbers of the commit that failed", len(got))
				}
				next := len(want) + 1
				if err := set(t.Context(), writer, next, next); err != nil {
					t.Fatalf("with room again: %v", err)
				}
				want[next] = next
				if got := numbers(t, connect(t, copied(t, path), "", 2000)); !maps.Equal(got, want) {
					t.Errorf("after a crash behind the next commit there are %d numbers, %d were committed", len(got), len(want))
				}
			}
			sound(t, reader)
		})
	}
}

// many commits so many numbers, of 600 bytes each.
func many(ctx context.Context, conn *sql.Conn, count int) error {
	if _, err := conn.ExecContext(ctx, `BEGIN IMMEDIATE`); err != nil {
		return err
	}
	for n := range count {
		if err := set(ctx, conn, 1000+n, n); err != nil {
			return err
		}
	}
	_, err := conn.ExecContext(ctx, `COMMIT`)
	return err
}

// diskOf has every file end at so many bytes until it is ended.
func diskOf(t *testing.T, bytes int64) (end func()) {
	t.Helper()
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		t.Fatal(err)
	}
	signal.Ignore(syscall.SIGXFSZ)
	limit := func(l syscall.Rlimit) {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &l); err != nil {
			t.Fatal(err)
		}
	}
	limit(syscall.Rlimit{Cur: uint64(bytes), Max: before.Max})
	return func() {
		limit(before)
		signal.Reset(syscall.SIGXFSZ)
	}
}

// copied is what a crash would leave of a database.
func copied(t *testing.T, path string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), filepath.Base(path))
	for _, part := range []string{"", "-wal"} {
		from, err := os.Open(path + part)
		if err != nil {
			t.Fatal(err)
		}
		file, err := os.Create(to + part)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(file, from); err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
		_ = from.Close()
	}
	return to
}

// A commit of many pages asks the system little: that is what these files are for.
func TestACommitIsWrittenInFewPieces(t *testing.T) {
	calls := map[string]int{}
	for _, files := range []string{"", vfs.Name} {
		conn := connect(t, filepath.Join(t.TempDir(), "numbers.db"), files, 2000)
		before := writes(t)
		if err := many(t.Context(), conn, 5000); err != nil {
			t.Fatal(err)
		}
		calls[files] = writes(t) - before
	}
	if few, usual := calls[vfs.Name], calls[""]; few > 80 || few*10 > usual {
		t.Errorf("a commit of 3 MB makes %d calls that write, with SQLite's own files %d", few, usual)
	}
}

// writes is how often this process asked the system to write.
func writes(t *testing.T) int {
	t.Helper()
	counted, err := os.ReadFile("/proc/self/io")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`syscw: (\d+)`).FindSubmatch(counted)
	if found == nil {
		t.Fatalf("no count of writes in %s", strings.TrimSpace(string(counted)))
	}
	n, err := strconv.Atoi(string(found[1]))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

package backup

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"filippo.io/age"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/db/sqlite"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// source returns a database with one setting, which a backup must have.
func source(t *testing.T) Source {
	t.Helper()
	dir := t.TempDir()
	d := dbtest.Open(t, db.Options{Dir: dir})
	if err := d.InTx(t.Context(), func(tx *db.Tx) error { return db.SetSetting(tx, "kept", "yes") }); err != nil {
		t.Fatal(err)
	}
	return Source{
		Shop: "ours", Dir: dir, Version: "1.2.3", Now: func() time.Time { return noon }, Keys: []Key{{"seed.key", "abc"}},
		Verify: func(context.Context, string) error { return nil },
	}
}

// targets returns an empty target of each kind.
func targets(t *testing.T) map[string]Target {
	t.Helper()
	backend := s3mem.New()
	if err := backend.CreateBucket("shop"); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(gofakes3.New(backend).Server())
	t.Cleanup(server.Close)
	bucket, err := OpenS3("s3://shop/backups", S3Settings{Endpoint: server.URL, Region: "eu", AccessKey: "key", SecretKey: "secret"})
	if err != nil {
		t.Fatal(err)
	}
	return map[string]Target{"folder": Folder(filepath.Join(t.TempDir(), "new", "backups")), "s3": bucket}
}

func acceptAny(Contents) error { return nil }

// restored unpacks a stored backup and checks that its database has the setting.
func restored(t *testing.T, target Target, name string, identities ...age.Identity) Contents {
	t.Helper()
	in, err := target.Get(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	dir := t.TempDir()
	c, err := Unpack(in, identities, filepath.Join(dir, sqlite.File), acceptAny)
	if err != nil {
		t.Fatal(err)
	}
	d := dbtest.Open(t, db.Options{Dir: dir})
	if err := d.Read(t.Context(), func(tx *db.Tx) error {
		value, err := db.Setting(tx, "kept")
		if err == nil && value != "yes" {
			t.Errorf("the setting is %q", value)
		}
		return err
	}); err != nil {
		t.Error(err)
	}
	return c
}

func identity(t *testing.T) *age.X25519Identity {
	t.Helper()
	i, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	return i
}

// A backup can be restored from each target, with and without encryption, and names its keys.
func TestBackupIsRestored(t *testing.T) {
	for kind, target := range targets(t) {
		t.Run(kind, func(t *testing.T) {
			s, own := source(t), identity(t)
			plain, err := Make(t.Context(), s, target, nil)
			if err != nil {
				t.Fatal(err)
			}
			encrypted, err := Make(t.Context(), s, target, []age.Recipient{own.Recipient()})
			if err != nil {
				t.Fatal(err)
			}
			if plain.Name != "kaibao-20260304T120000Z.tar.zst" || encrypted.Name != plain.Name+".age" || plain.Size == 0 || plain.SHA256 == encrypted.SHA256 {
				t.Errorf("made %+v and %+v", plain, encrypted)
			}
			restored(t, target, plain.Name)
			if c := restored(t, target, encrypted.Name, own); !c.MadeAt.Equal(noon) || c.Version != "1.2.3" || !slices.Equal(c.Keys, s.Keys) {
				t.Errorf("the backup says %+v", c)
			}
			if names := stored(t, target); !slices.Equal(names, []string{plain.Name, encrypted.Name, "shop"}) {
				t.Errorf("stored %v", names)
			}
			if second, err := Make(t.Context(), s, target, nil); err != nil || second.Name != "kaibao-20260304T120001Z.tar.zst" {
				t.Errorf("a second backup in the same second is %q (%v)", second.Name, err)
			}
			restored(t, target, plain.Name) // not overwritten
			if _, err := target.Get(t.Context(), "kaibao-missing"); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("a missing backup: %v", err)
			}
		})
	}
}

// stored returns the sorted names of the files in a target.
func stored(t *testing.T, target Target) (names []string) {
	t.Helper()
	files, err := target.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		names = append(names, file.Name)
	}
	slices.Sort(names)
	return names
}

// Backups that begin in the same second are all stored.
func TestBackupsAtTheSameTime(t *testing.T) {
	for kind, target := range targets(t) {
		t.Run(kind, func(t *testing.T) {
			s := source(t)
			if err := Claim(t.Context(), target, s.Shop); err != nil {
				t.Fatal(err)
			}
			const number = 3
			made := make(chan error, number)
			for range number {
				go func() {
					_, err := Make(t.Context(), s, target, nil)
					made <- err
				}()
			}
			for range number {
				if err := <-made; err != nil {
					t.Error(err)
				}
			}
			if names := stored(t, target); kind == "folder" && len(names) != number+1 { // S3 can't put only if absent
				t.Errorf("stored %v", names)
			}
		})
	}
}

// A target belongs to the shop that first stored a backup there. Another shop can't store one.
func TestTargetBelongsToOneShop(t *testing.T) {
	for kind, target := range targets(t) {
		t.Run(kind, func(t *testing.T) {
			ctx := t.Context()
			if err := target.Put(ctx, name(noon.Add(-time.Hour), false), strings.NewReader("x"), 1); err != nil { // by an earlier version
				t.Fatal(err)
			}
			if claimed, err := CheckShop(ctx, target, "ours"); claimed || err != nil {
				t.Errorf("before the first backup: claimed %t, %v", claimed, err)
			}
			ours, other := source(t), source(t)
			if _, err := Make(ctx, ours, target, nil); err != nil {
				t.Fatal(err)
			}
			before := stored(t, target)
			other.Shop = "other"
			other.Verify = func(context.Context, string) error {
				t.Error("the database was copied, although the target belongs to another shop")
				return nil
			}
			if _, err := Make(ctx, other, target, nil); err == nil || !strings.Contains(err.Error(), "contains the backups of another shop (ours; this one is other)") {
				t.Errorf("a backup of another shop: %v", err)
			}
			if _, err := CheckShop(ctx, target, ""); err == nil || !strings.Contains(err.Error(), "this database is new") {
				t.Errorf("a new database: %v", err)
			}
			if after := stored(t, target); !slices.Equal(after, before) {
				t.Errorf("the target has %v, before %v", after, before)
			}
			if claimed, err := CheckShop(ctx, target, "ours"); !claimed || err != nil {
				t.Errorf("after the first backup: claimed %t, %v", claimed, err)
			}
		})
	}
}

// packed returns a backup's bytes.
func packed(t *testing.T, recipients ...age.Recipient) []byte {
	t.Helper()
	folder := Folder(t.TempDir())
	r, err := Make(t.Context(), source(t), folder, recipients)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(string(folder), r.Name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A backup that ends early or has a wrong byte is refused, wherever that is.
func TestDamagedBackupsAreRefused(t *testing.T) {
	own := identity(t)
	for kind, whole := range map[string][]byte{"plain": packed(t), "encrypted": packed(t, own.Recipient())} {
		t.Run(kind, func(t *testing.T) {
			refused := func(text []byte, where string) {
				t.Helper()
				if _, err := Unpack(bytes.NewReader(text), []age.Identity{own}, filepath.Join(t.TempDir(), "db"), acceptAny); err == nil {
					t.Errorf("%s: accepted", where)
				}
			}
			for n := 0; n < len(whole); n += 1 + len(whole)/200 {
				refused(whole[:n], "cut off")
				wrong := bytes.Clone(whole)
				wrong[n] ^= 0x40
				if kind == "encrypted" {
					refused(wrong, "changed") // without encryption, padding of the archive has no meaning
				}
			}
			refused(whole[:len(whole)-1], "without its last byte")
		})
	}
}

// Files that aren't backups, other recipients and missing identities each have their own error.
func TestForeignFilesAreNamed(t *testing.T) {
	own, other := identity(t), identity(t)
	encrypted := packed(t, own.Recipient())
	database, err := os.ReadFile(filepath.Join(source(t).Dir, sqlite.File))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		text       []byte
		identities []age.Identity
		want       string
	}{
		"empty":            {nil, nil, ErrNotABackup.Error()},
		"a text":           {[]byte("hello, this is not a backup at all"), nil, ErrNotABackup.Error()},
		"half a database":  {database[:10], nil, ErrNotABackup.Error()},
		"no identity":      {encrypted, nil, ErrNeedsIdentity.Error()},
		"another identity": {encrypted, []age.Identity{other}, "encrypted for another recipient"},
	} {
		if _, err := Unpack(bytes.NewReader(c.text), c.identities, filepath.Join(t.TempDir(), "db"), acceptAny); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// broken is a folder that fails or stores something else.
type broken struct {
	Folder
	put func(content io.Reader) (io.Reader, error)
}

func (b broken) Put(ctx context.Context, name string, content io.Reader, size int64) error {
	content, err := b.put(content)
	if err != nil {
		return err
	}
	return b.Folder.Put(ctx, name, content, size)
}

// A copy that can't be verified, a target that is full, and one that stores other bytes than were sent
// are failures. They store nothing.
func TestFailedBackupsAreReported(t *testing.T) {
	folder := Folder(t.TempDir())
	if err := Claim(t.Context(), folder, "ours"); err != nil {
		t.Fatal(err)
	}
	wrong := source(t)
	wrong.Verify = func(context.Context, string) error { return errors.New("3 broken rows") }
	if _, err := Make(t.Context(), wrong, folder, nil); err == nil || !strings.Contains(err.Error(), "3 broken rows") {
		t.Errorf("a wrong copy: %v", err)
	}
	full := broken{folder, func(io.Reader) (io.Reader, error) { return nil, errors.New("no space left on device") }}
	if _, err := Make(t.Context(), source(t), full, nil); err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("a full target: %v", err)
	}
	if names := stored(t, folder); !slices.Equal(names, []string{"shop"}) {
		t.Errorf("stored %v", names)
	}
	lossy := broken{folder, func(content io.Reader) (io.Reader, error) {
		return io.MultiReader(content, strings.NewReader("x")), nil
	}}
	if _, err := Make(t.Context(), source(t), lossy, nil); err == nil || !strings.Contains(err.Error(), "other content") {
		t.Errorf("other content: %v", err)
	}
	if names := stored(t, folder); !slices.Equal(names, []string{"shop"}) {
		t.Errorf("stored %v with other content", names)
	}
}

// A folder keeps the last backup of each of 24 hours, 14 days and 12 months. S3 keeps all.
func TestRetention(t *testing.T) {
	var names []string
	for hours := range 24 * 400 {
		names = append(names, name(noon.Add(-time.Duration(hours)*time.Hour), true))
	}
	names = append(names, "notes.txt", "kaibao-20260304T120000Z.tar.zst.age.part", "kaibao-x.tar.zst")
	expired := expiredOf(names)
	kept := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return slices.Contains(expired, n) })
	// 24 hours are in two days, whose last backups are among them. Of the other 12 days, one is the last of
	// a month, and so is one of the hours: 10 more months.
	if len(kept) != 24+12+10+3 || !slices.Contains(kept, "notes.txt") || slices.Contains(expired, names[0]) {
		t.Errorf("%d are kept: %v", len(kept), kept)
	}
	if old := name(noon.AddDate(0, -12, -1), true); !slices.Contains(expiredOf([]string{old, names[0]}), old) {
		t.Error("a backup older than 12 months is kept, because there were few since")
	}
	if !slices.Contains(kept, name(time.Date(2025, 12, 31, 23, 0, 0, 0, time.UTC), true)) {
		t.Error("the last backup of December is deleted")
	}
}

// expiredOf returns the names that needn't be kept at noon.
func expiredOf(names []string) []string {
	files := make([]File, len(names))
	for n, name := range names {
		files[n].Name = name
	}
	return DefaultRetention.expired(stockOf(files, noon))
}

// A backup that a wrong clock dated in the future counts neither as the newest nor as a reason to
// delete others. It stays, and is named. The backup just made is never deleted.
func TestBackupsInTheFutureAreIgnored(t *testing.T) {
	for kind, target := range targets(t) {
		t.Run(kind, func(t *testing.T) {
			ctx := t.Context()
			put := func(name string) string {
				t.Helper()
				if err := target.Put(ctx, name, strings.NewReader("x"), 1); err != nil {
					t.Fatal(err)
				}
				return name
			}
			future := put(name(noon.AddDate(2, 0, 0), true))
			if _, _, err := Newest(ctx, target, noon); !errors.Is(err, ErrNone) || !strings.Contains(err.Error(), future) {
				t.Errorf("only one in the future: %v", err)
			}
			put(name(noon.Add(-time.Minute), true)) // of the same hour, so that the next one needn't be kept
			made := put(name(noon.Add(-30*time.Minute), true))
			soon := put(name(noon.Add(2*time.Minute), true)) // by a machine whose clock differs a little
			warning, err := Expire(ctx, target, DefaultRetention, made, noon)
			if err != nil || !strings.Contains(warning, future) || strings.Contains(warning, soon) {
				t.Errorf("the warning is %q (%v)", warning, err)
			}
			names := stored(t, target)
			for _, name := range []string{future, made, soon} {
				if !slices.Contains(names, name) {
					t.Errorf("%s was deleted", name)
				}
			}
			newest, warning, err := Newest(ctx, target, noon)
			if err != nil || newest != soon || !strings.Contains(warning, future) {
				t.Errorf("the newest is %s (%v), warning %q", newest, err, warning)
			}
		})
	}
}

// Personal data doesn't leave the machine in the clear by accident.
func TestEncryptionIsRequiredElsewhere(t *testing.T) {
	own := identity(t)
	for kind, target := range targets(t) {
		for _, c := range []struct {
			recipients  []age.Recipient
			unencrypted bool
			refused     bool
		}{{nil, false, kind == "s3"}, {nil, true, false}, {[]age.Recipient{own.Recipient()}, false, false}} {
			if err := CheckEncryption(target, c.recipients, c.unencrypted); (err != nil) != c.refused {
				t.Errorf("%s with %d recipients, --unencrypted %t: %v", kind, len(c.recipients), c.unencrypted, err)
			}
		}
	}
}

// A refused backup writes nothing.
func TestUnpackWritesNothingRefused(t *testing.T) {
	refusal := errors.New("a key is missing")
	database, err := os.ReadFile(filepath.Join(source(t).Dir, sqlite.File))
	if err != nil {
		t.Fatal(err)
	}
	for kind, text := range map[string][]byte{"archive": packed(t), "database": database} {
		file := filepath.Join(t.TempDir(), "db")
		if _, err := Unpack(bytes.NewReader(text), nil, file, func(Contents) error { return refusal }); !errors.Is(err, refusal) {
			t.Errorf("%s: %v, want the refusal", kind, err)
		}
		if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: the file was written (%v)", kind, err)
		}
	}
}

// The newest backup is found by its name, whatever else is in the target, and the list of deleted users
// can be replaced.
func TestNewestAndDeletedUsers(t *testing.T) {
	for kind, target := range targets(t) {
		t.Run(kind, func(t *testing.T) {
			ctx := t.Context()
			for _, text := range []string{"first", "second"} {
				if err := target.Replace(ctx, DeletedUsers, text); err != nil {
					t.Fatal(err)
				}
			}
			if _, _, err := Newest(ctx, target, noon); !errors.Is(err, ErrNone) || strings.Contains(err.Error(), "file does not exist") {
				t.Errorf("without a backup: %v", err)
			}
			for _, hours := range []time.Duration{2, 3, 1} {
				if err := target.Put(ctx, name(noon.Add(-hours*time.Hour), hours == 1), strings.NewReader("x"), 1); err != nil {
					t.Fatal(err)
				}
			}
			if newest, warning, err := Newest(ctx, target, noon); warning != "" || err != nil || newest != "kaibao-20260304T110000Z.tar.zst.age" {
				t.Errorf("the newest is %s (%v)", newest, err)
			}
			in, err := target.Get(ctx, DeletedUsers)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(in)
			if err := errors.Join(err, in.Close()); err != nil || string(text) != "second" {
				t.Errorf("the list is %q (%v)", text, err)
			}
			if folder, ok := target.(Folder); ok {
				if files, err := os.ReadDir(string(folder)); err != nil || len(files) != 4 {
					t.Errorf("left behind %v (%v)", files, err)
				}
			}
		})
	}
}

// A drill keeps the time of the last successful one. A reported backup is verified once a drill has
// proven one, and a failure ends with the next backup.
func TestStateOfBackups(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		write := func(do func(*db.Tx) error) {
			t.Helper()
			if err := d.InTx(t.Context(), do); err != nil {
				t.Fatal(err)
			}
		}
		read := func() (s State) {
			t.Helper()
			if err := d.Read(t.Context(), func(tx *db.Tx) (err error) { s, err = ReadState(tx); return err }); err != nil {
				t.Fatal(err)
			}
			return s
		}
		if s := read(); s != (State{}) || s.Verified() || s.Drill.Proven() {
			t.Errorf("before the first: %+v", s)
		}
		write(func(tx *db.Tx) error { return NoteReported(tx, "pg_dump at night") })
		if s := read(); s.ReportedBy() != "pg_dump at night" || s.Verified() || s.Last().IsZero() {
			t.Errorf("after a report: %+v", s)
		}
		write(func(tx *db.Tx) error {
			return NoteFailure(tx, errors.New("no\nspace "+strings.Repeat("é", maxMessage)))
		})
		if s := read(); !strings.HasPrefix(s.Failure.Message, "no space é") || len(s.Failure.Message) > maxMessage+len("…") {
			t.Errorf("the failure is %+v", s.Failure)
		}
		write(func(tx *db.Tx) error { return NoteDrill(tx, "first", noon, nil) })
		proven := read()
		if !proven.Verified() || !proven.Drill.LastSuccess.Equal(proven.Drill.At) || !proven.Drill.SignedAt.Equal(noon) {
			t.Errorf("after a drill: %+v", proven)
		}
		write(func(tx *db.Tx) error { return NoteDrill(tx, "second", time.Time{}, errors.New("damaged")) })
		if s := read(); s.Verified() || s.Drill.Proven() || s.Drill.Backup != "second" || s.Drill.Failure != "damaged" || !s.Drill.LastSuccess.Equal(proven.Drill.At) {
			t.Errorf("after a failed drill: %+v", s)
		}
		write(NoteMade)
		if s := read(); s.Made.IsZero() || !s.Stored.IsZero() {
			t.Errorf("after a backup into a file: %+v", s)
		}
		write(NoteStored)
		if s := read(); !s.Stored.Equal(s.Made) {
			t.Errorf("after a stored backup: %+v", s)
		}
		if s := read(); s.Failure != (Failure{}) || !s.Verified() || s.ReportedBy() != "" {
			t.Errorf("after a backup: %+v", s)
		}
		fast := time.Now().AddDate(2, 0, 0).Format(time.RFC3339)
		for setting, next := range map[string]func(*db.Tx) error{madeSetting: func(tx *db.Tx) error { return NoteReported(tx, "pg_dump") }, reportedSetting: NoteMade} {
			write(func(tx *db.Tx) error { return db.SetSetting(tx, setting, fast+" x") })
			write(next)
			if s := read(); s.Last().After(time.Now().Add(time.Hour)) {
				t.Errorf("%s hides the next backup: %+v", setting, s)
			}
		}
		for _, by := range []string{"", "two\nlines", strings.Repeat("x", 65)} {
			if err := d.InTx(t.Context(), func(tx *db.Tx) error { return NoteReported(tx, by) }); err == nil {
				t.Errorf("a report by %q is accepted", by)
			}
		}
	})
}

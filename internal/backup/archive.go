package backup

import (
	"archive/tar"
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"filippo.io/age"
	"github.com/klauspost/compress/zstd"

	"kaibao/internal/db/sqlite"
)

// contentsFile is the first file of the archive.
const contentsFile = "backup.json"

// ErrNotABackup means that a file isn't a backup of this program.
var ErrNotABackup = errors.New("the file is not a backup made by kaibao")

// ErrNeedsIdentity means that a backup is encrypted and no identity was given.
var ErrNeedsIdentity = errors.New("the backup is encrypted: give the file of its age identity with --identity")

// ErrOtherRecipient means that none of the given identities can decrypt a backup.
var ErrOtherRecipient = errors.New("the identity can't decrypt the backup, which is encrypted for another recipient")

// pack writes a database file and its description into a new archive.
func pack(archive, database string, c Contents, recipients []age.Recipient) (err error) {
	out, err := os.OpenFile(archive, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Sync(), out.Close()) }()
	var sink io.WriteCloser = nopCloser{out}
	if len(recipients) > 0 {
		sink, err = age.Encrypt(out, recipients...)
		if err != nil {
			return err
		}
	}
	compressed, err := zstd.NewWriter(sink)
	if err != nil {
		return err
	}
	files := tar.NewWriter(compressed)
	err = errors.Join(writeContents(files, c), writeDatabase(files, database, c))
	return errors.Join(err, files.Close(), compressed.Close(), sink.Close())
}

func writeContents(files *tar.Writer, c Contents) error {
	text, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	text = append(text, '\n')
	if err := files.WriteHeader(&tar.Header{Name: contentsFile, Mode: 0o600, Size: int64(len(text)), ModTime: c.MadeAt}); err != nil {
		return err
	}
	_, err = files.Write(text)
	return err
}

func writeDatabase(files *tar.Writer, database string, c Contents) error {
	in, err := os.Open(database)
	if err != nil {
		return err
	}
	err = files.WriteHeader(&tar.Header{Name: sqlite.File, Mode: 0o600, Size: c.Size, ModTime: c.MadeAt})
	if err == nil {
		_, err = io.Copy(files, in)
	}
	return errors.Join(err, in.Close())
}

type nopCloser struct{ io.Writer }

// Close does nothing.
func (nopCloser) Close() error { return nil }

// Unpack reads an archive, with the identities that can decrypt it, and writes its database into a new
// file, which is complete only if Unpack returns no error. It calls accept with the contents before it
// writes anything, and returns its error. It returns ErrNotABackup, ErrNeedsIdentity, or an error that
// says how the archive is damaged.
//
// The archive may also be a database, such as kaibao backup FILE writes. Its Contents are empty.
func Unpack(archive io.Reader, identities []age.Identity, file string, accept func(Contents) error) (c Contents, err error) {
	in := bufio.NewReader(archive)
	if head, err := in.Peek(len(databaseMagic)); err == nil && string(head) == databaseMagic {
		if err := accept(c); err != nil {
			return c, err
		}
		return c, write(file, in, io.Discard)
	}
	compressed, err := decrypt(in, identities)
	if err != nil {
		return c, err
	}
	decompressed, err := zstd.NewReader(compressed)
	if err != nil {
		return c, err
	}
	defer decompressed.Close()
	files := tar.NewReader(decompressed)
	c, err = readContents(files)
	if err != nil {
		return c, err
	}
	if err := accept(c); err != nil {
		return c, err
	}
	return c, readDatabase(files, c, file)
}

// IsIdentity reports whether a text contains an age identity, which is a secret.
func IsIdentity(text string) bool {
	return strings.Contains(strings.ToUpper(text), "AGE-SECRET-KEY-")
}

// ReadIdentities reads a file with age identities, as age-keygen writes it. Its error contains no
// identity, even if that was given instead of the file.
func ReadIdentities(file string) (identities []age.Identity, err error) {
	if IsIdentity(file) {
		return nil, errors.New("--identity is the secret identity itself: give the name of the file that contains it")
	}
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	identities, err = age.ParseIdentities(in)
	if err != nil {
		err = fmt.Errorf("%s isn't an age identity file, as age-keygen writes it", file) // age's error has parts of the text
	}
	return identities, errors.Join(err, in.Close())
}

// decrypt returns the compressed archive.
func decrypt(archive *bufio.Reader, identities []age.Identity) (io.Reader, error) {
	head, err := archive.Peek(len(ageHeader))
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return nil, err
	case bytes.HasPrefix(head, []byte(zstdMagic)):
		return archive, nil
	case string(head) != ageHeader:
		return nil, ErrNotABackup
	case len(identities) == 0:
		return nil, ErrNeedsIdentity
	}
	decrypted, err := age.Decrypt(archive, identities...)
	if _, wrong := errors.AsType[*age.NoIdentityMatchError](err); wrong {
		return nil, ErrOtherRecipient
	}
	if err != nil {
		return nil, damaged(err)
	}
	return decrypted, nil
}

const (
	ageHeader     = "age-encryption.org/v1"
	zstdMagic     = "\x28\xb5\x2f\xfd"
	databaseMagic = "SQLite format 3\x00"
)

// maxContents is the maximum size of the description, in bytes.
const maxContents = 1 << 20

func readContents(files *tar.Reader) (c Contents, err error) {
	header, err := files.Next()
	if err != nil {
		return c, damaged(err)
	}
	if header.Name != contentsFile || header.Size > maxContents {
		return c, ErrNotABackup
	}
	text, err := io.ReadAll(files)
	if err != nil {
		return c, damaged(err)
	}
	if err := json.Unmarshal(text, &c); err != nil || c.Format == "" {
		return c, ErrNotABackup
	}
	if c.Format != format {
		return c, fmt.Errorf("the backup has the format %s, which this version doesn't know: use a newer kaibao", c.Format)
	}
	return c, nil
}

func readDatabase(files *tar.Reader, c Contents, file string) (err error) {
	header, err := files.Next()
	if err != nil {
		return damaged(err)
	}
	if header.Name != sqlite.File || header.Size != c.Size {
		return ErrNotABackup
	}
	sum := sha256.New()
	if err := write(file, files, sum); err != nil {
		return err
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != c.SHA256 {
		return fmt.Errorf("the backup is damaged: its database has the SHA-256 %s, want %s", got, c.SHA256)
	}
	if _, err := files.Next(); !errors.Is(err, io.EOF) { // reads to the end, so that a missing end is noticed
		return damaged(err)
	}
	return nil
}

// write copies into a new file and a sum. A read error says that the archive is damaged; errors of the
// file, such as a full disk, stay as they are.
func write(file string, from io.Reader, sum io.Writer) error {
	out, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, copyErr := io.Copy(io.MultiWriter(out, sum), from)
	if err := errors.Join(out.Sync(), out.Close()); err != nil {
		return err
	}
	if _, writing := errors.AsType[*fs.PathError](copyErr); writing || copyErr == nil {
		return copyErr
	}
	return damaged(copyErr)
}

// damaged says that an archive can't be read to its end.
func damaged(err error) error {
	if err == nil {
		return ErrNotABackup
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("the backup is damaged or incomplete: %w", err)
}

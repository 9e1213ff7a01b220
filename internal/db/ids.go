package db

import (
	"database/sql/driver"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"time"

	"kaibao/internal/db/engine"
	"kaibao/internal/policy"
)

// IDPattern matches the ids in requests and statements: those of NewID, and those of the catalogue's
// items and packs.
var IDPattern = fmt.Sprintf("^[a-z0-9-]{1,%d}$", policy.MaxIDLength)

var idPattern = regexp.MustCompile(IDPattern)

// IsID reports whether a text has the form of an id: 1 to 64 lowercase letters, digits and hyphens.
func IsID(text string) bool { return idPattern.MatchString(text) }

// ID is an id made by NewID, as a statement argument. Use it in Rows, where a plain string would be
// text, and for nullable columns: the empty ID is NULL. PostgreSQL refuses text that is not an id.
type ID string

// Value implements driver.Valuer.
func (id ID) Value() (driver.Value, error) {
	if id == "" {
		return nil, nil
	}
	return string(id), nil
}

// UUIDText implements engine.ID.
func (id ID) UUIDText() string { return string(id) }

// List is the list of values that InList searches.
type List []string

// Value implements driver.Valuer.
func (l List) Value() (driver.Value, error) {
	if l == nil {
		l = List{} // SQL NULL would match neither IN nor NOT IN
	}
	text, err := json.Marshal([]string(l))
	return string(text), err
}

// Strings implements engine.List.
func (l List) Strings() []string { return l }

// NewID returns a UUIDv7 (RFC 9562) with the transaction's time.
func (tx *Tx) NewID() string {
	id := minID(tx.Now)
	copy(id[6:], tx.Random(10))
	id[6] = id[6]&0x0f | 0x70
	id[8] = id[8]&0x3f | 0x80
	return id.String()
}

// MinID returns a lower bound for the ids that NewID makes from a time on, in whole milliseconds. It is
// greater than all ids made before.
func MinID(at time.Time) string { return minID(at).String() }

// MaxID is greater than any id that NewID makes.
const MaxID = "ffffffff-ffff-ffff-ffff-ffffffffffff"

// UUID is an id in binary form.
type UUID [16]byte

func minID(at time.Time) (id UUID) {
	var stamp [8]byte
	binary.BigEndian.PutUint64(stamp[:], uint64(at.UnixMilli())<<16)
	copy(id[:], stamp[:6])
	return id
}

// Time returns when NewID made the id, in whole milliseconds. It is 1970 for text that is no id.
func (id ID) Time() time.Time {
	value, _ := ParseID(string(id))
	var stamp [8]byte
	copy(stamp[2:], value[:6])
	return time.UnixMilli(int64(binary.BigEndian.Uint64(stamp[:]))).UTC()
}

// String formats an id as NewID does.
func (id UUID) String() string {
	text := make([]byte, 36)
	hex.Encode(text[0:8], id[0:4])
	hex.Encode(text[9:13], id[4:6])
	hex.Encode(text[14:18], id[6:8])
	hex.Encode(text[19:23], id[8:10])
	hex.Encode(text[24:36], id[10:16])
	text[8], text[13], text[18], text[23] = '-', '-', '-', '-'
	return string(text)
}

// Packed returns the id in 16 bytes, to embed it in a binary value. UnpackID reverses it.
func (id ID) Packed() ([]byte, error) {
	value, ok := ParseID(string(id))
	if !ok {
		return nil, errInvalidID
	}
	return value[:], nil
}

// UnpackID returns the id in 16 bytes that Packed returned.
func UnpackID(bytes []byte) (string, error) {
	if len(bytes) != len(UUID{}) {
		return "", errInvalidID
	}
	return UUID(bytes).String(), nil
}

var errInvalidID = errors.New("invalid id")

// ParseID parses an id in NewID's format. For any other text it returns the zero UUID and false.
func ParseID(text string) (UUID, bool) {
	id, ok := engine.ParseUUID(text)
	return UUID(id), ok
}

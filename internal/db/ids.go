package db

import (
	"database/sql/driver"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"
)

// ID is what NewID made, as a statement writes it: into Rows, where a plain string
// would be text, and wherever it may be NULL, which the empty one is. One that is none
// is refused by PostgreSQL.
type ID string

// Value implements driver.Valuer.
func (id ID) Value() (driver.Value, error) {
	if id == "" {
		return nil, nil
	}
	return string(id), nil
}

// List is what InList looks for.
type List []string

// Value implements driver.Valuer.
func (l List) Value() (driver.Value, error) {
	if l == nil {
		l = List{} // null holds nothing, and leaves out nothing either
	}
	text, err := json.Marshal([]string(l))
	return string(text), err
}

// NewID makes a UUIDv7 (RFC 9562) of the transaction's time.
func (tx *Tx) NewID() string {
	id := firstID(tx.Now)
	copy(id[6:], tx.Random(10))
	id[6] = id[6]&0x0f | 0x70
	id[8] = id[8]&0x3f | 0x80
	return id.String()
}

// FirstID is not greater than any id that NewID makes at a time or later, in whole
// milliseconds, and greater than all before it.
func FirstID(at time.Time) string { return firstID(at).String() }

// BehindIDs is greater than any id that NewID makes.
const BehindIDs = "ffffffff-ffff-ffff-ffff-ffffffffffff"

// UUID is an id as it is counted, not written.
type UUID [16]byte

func firstID(at time.Time) (id UUID) {
	var stamp [8]byte
	binary.BigEndian.PutUint64(stamp[:], uint64(at.UnixMilli())<<16)
	copy(id[:], stamp[:6])
	return id
}

// Time is when NewID made an id, in whole milliseconds; of what is none, 1970.
func (id ID) Time() time.Time {
	value, _ := ParseID(string(id))
	var stamp [8]byte
	copy(stamp[2:], value[:6])
	return time.UnixMilli(int64(binary.BigEndian.Uint64(stamp[:]))).UTC()
}

// String writes an id as NewID does.
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

// Packed is an id in 16 bytes, for what is no column of its own; Unpacked reads it back.
func (id ID) Packed() ([]byte, error) {
	value, ok := ParseID(string(id))
	if !ok {
		return nil, errNoID
	}
	return value[:], nil
}

// Unpacked is the id that Packed gave.
func Unpacked(bytes []byte) (string, error) {
	if len(bytes) != len(UUID{}) {
		return "", errNoID
	}
	return UUID(bytes).String(), nil
}

var errNoID = errors.New("an id that is none")

// ParseID reads an id that is written as NewID writes it; whatever else is that of zeros.
func ParseID(text string) (id UUID, ok bool) {
	if len(text) != 36 {
		return UUID{}, false
	}
	at := 0
	for n := range id {
		if n == 4 || n == 6 || n == 8 || n == 10 {
			if text[at] != '-' {
				return UUID{}, false
			}
			at++
		}
		high, low := digits[text[at]], digits[text[at+1]]
		if high|low > 15 {
			return UUID{}, false
		}
		id[n] = high<<4 | low
		at += 2
	}
	return id, true
}

// digits are the values of an id's digits, by their letters; 255 is none.
var digits = func() (values [256]byte) {
	for n := range values {
		values[n] = 255
	}
	for value, letter := range []byte("0123456789abcdef") {
		values[letter] = byte(value)
	}
	return values
}()

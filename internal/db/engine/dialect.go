package engine

// Dialect describes an engine: its properties and its SQL.
type Dialect struct {
	Name           string
	Goose          string // name of the dialect in the library that migrates
	Writers        int    // writing transactions that are worth running at the same time
	ForUpdate      string // clause that locks the rows of a SELECT
	ForShare       string // clause that locks them against changes but lets others share the lock
	SkipLocked     string // ForUpdate that skips locked rows
	AdvisoryLock   string // statement that locks the name $1; empty = not needed with a single writer
	ExcludeWriters string // statement that keeps all other transactions from writing; empty = not needed with a single writer
	SharedLock     string // AdvisoryLock that several transactions can hold; they wait behind one that wants it alone
	Clock          string // the server's clock in microseconds; empty = the engine has no clock of its own
	AutoID         string // column type of a number that the database counts up
	Bytewise       string // collation that compares bytes
	IDType         string // column type of the ids that db.Tx.NewID makes
	AsID           string // the text column %[1]s as an id; NULL where it holds none
	InList         string // condition after a column: it is in the List %s
	AppendOnly     string // makes the rows of the table $1 immutable: no UPDATE, no DELETE
	Erasable       string // lets rows of the append-only table $1 be updated where the condition $2 on OLD and NEW holds
	DropForeignKey string // drops the foreign key $2 of the table $1; empty = keeps it
	Indexes        string // names and statements of the indexes that Tx.WithoutIndexes drops; empty = none

	MigratesOnServe bool // the server migrates an older schema when it starts
}

// ID is a statement argument for a column of the type IDType: a db.ID.
type ID interface{ UUIDText() string }

// List is a statement argument for the condition InList: a db.List.
type List interface{ Strings() []string }

// ParseUUID parses an id in the format of db.Tx.NewID: lowercase, with hyphens. For any other text
// it returns zeros and false.
func ParseUUID(text string) (id [16]byte, ok bool) {
	if len(text) != 36 {
		return [16]byte{}, false
	}
	at := 0
	for i := range id {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			if text[at] != '-' {
				return [16]byte{}, false
			}
			at++
		}
		high, low := digits[text[at]], digits[text[at+1]]
		if high|low > 15 {
			return [16]byte{}, false
		}
		id[i] = high<<4 | low
		at += 2
	}
	return id, true
}

// digits maps each hexadecimal letter to its value; 255 marks an invalid one.
var digits = func() (values [256]byte) {
	for n := range values {
		values[n] = 255
	}
	for value, letter := range []byte("0123456789abcdef") {
		values[letter] = byte(value)
	}
	return values
}()

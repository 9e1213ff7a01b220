package protocol

import (
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"kaibao/internal/money"
)

// timeLayout is RFC 3339 in UTC with milliseconds.
const timeLayout = "2006-01-02T15:04:05.000Z"

// reader reads a text of "key value" lines, each terminated by a newline. The first failure is
// sticky and includes its line number; later calls do nothing and return zero values, so callers
// check err once at the end.
type reader struct {
	rest string
	line int // the last line read, from 1
	err  error
}

func newReader(text []byte) *reader { return &reader{rest: string(text)} }

// check refuses the current line unless ok.
func (r *reader) check(ok bool, why string) {
	if !ok {
		r.refuse("%s", why)
	}
}

// checkText is like check and quotes text in the error.
func (r *reader) checkText(ok bool, why, text string) {
	if !ok {
		r.refuse("%s: %s", why, quote(text))
	}
}

func (r *reader) refuse(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("line %d: "+format, append([]any{r.line}, args...)...)
	}
}

// header reads the first line, which must equal want.
func (r *reader) header(want string) {
	if r.nextLine() != want {
		r.refuse("expected %s", want)
	}
}

// nextIs reports whether the next line has this key.
func (r *reader) nextIs(key string) bool {
	return r.err == nil && strings.HasPrefix(r.rest, key+" ")
}

// field reads the next line, which must have this key, and returns its value.
func (r *reader) field(key string) string {
	line := r.nextLine()
	if n := len(key); len(line) > n && line[:n] == key && line[n] == ' ' {
		return line[n+1:]
	}
	r.refuse("expected %s", key)
	return ""
}

// end checks that the whole text has been read.
func (r *reader) end() {
	if r.err == nil && r.rest != "" {
		r.line++
		r.check(false, "unexpected text")
	}
}

func (r *reader) nextLine() string {
	if r.err != nil {
		return ""
	}
	r.line++
	line, rest, ended := strings.Cut(r.rest, "\n")
	r.check(ended, "missing newline at the end of a line")
	r.rest = rest
	return line
}

// parts splits a value at single spaces into exactly n parts; the last part may contain spaces.
func (r *reader) parts(value string, n int) []string {
	parts := strings.SplitN(value, " ", n)
	if len(parts) != n {
		r.refuse("expected %d values", n)
	}
	if r.err != nil {
		return make([]string, n)
	}
	return parts
}

// number reads a canonical 64-bit decimal: digits without a leading zero.
func (r *reader) number(text string) uint64 {
	n, err := strconv.ParseUint(text, 10, 64)
	r.checkText(err == nil && (text == "0" || text[0] != '0'), "not a canonical decimal", text)
	return n
}

// count reads a canonical decimal from 0 to limit.
func (r *reader) count(text string, limit uint64) int64 {
	n := r.number(text)
	r.checkText(n <= limit, "too large", text)
	if r.err != nil {
		return 0
	}
	return int64(n)
}

func (r *reader) amount(text string) money.Cents {
	return money.Cents(r.count(text, uint64(MaxAmount)))
}

// supply reads a count, or -1 for no limit.
func (r *reader) supply(text string) int64 {
	if text == "-1" {
		return Unlimited
	}
	return r.count(text, math.MaxInt64)
}

func (r *reader) id(text string) string {
	r.checkText(validID(text), "not an id of 1 to 64 of a-z, 0-9 and -", text)
	return text
}

func (r *reader) label(text string) string {
	r.checkText(validLabel(text), "not a text without control characters", text)
	return text
}

// hex decodes lower-case hex into out, which it must fill exactly.
func (r *reader) hex(out []byte, text string) {
	if len(text) != 2*len(out) || text != strings.ToLower(text) {
		r.refuse("not %d bytes in lower case hex", len(out))
	}
	if r.err == nil {
		_, err := hex.Decode(out, []byte(text))
		r.check(err == nil, "not hex")
	}
}

func (r *reader) hash(text string) (hash [32]byte) {
	r.hex(hash[:], text)
	return hash
}

func (r *reader) time(text string) time.Time {
	at, err := time.Parse(timeLayout, text)
	r.checkText(err == nil && at.Format(timeLayout) == text, "not RFC 3339 in UTC with milliseconds", text)
	return at
}

// quote quotes text for an error message, truncated to 40 bytes.
func quote(text string) string {
	const limit = 40
	if len(text) > limit {
		return strconv.Quote(text[:limit]) + "…"
	}
	return strconv.Quote(text)
}

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

// timeLayout is RFC 3339 in UTC with exactly three decimals.
const timeLayout = "2006-01-02T15:04:05.000Z"

// reader walks a text of "key value" lines, each ended by a newline. The first
// failure sticks with the number of its line, and every later call does nothing
// and gives zero values, so that a caller reads a whole text and asks once.
type reader struct {
	rest string
	line int // the line read last, from 1
	err  error
}

func newReader(text []byte) *reader { return &reader{rest: string(text)} }

// check records why the current line is refused, unless ok.
func (r *reader) check(ok bool, why string) {
	if !ok {
		r.refuse("%s", why)
	}
}

// checkText is check for a text that the reason shows.
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

// header takes the first line.
func (r *reader) header(want string) {
	if r.takeLine() != want {
		r.refuse("expected %s", want)
	}
}

// at tells whether the next line has this key.
func (r *reader) at(key string) bool {
	return r.err == nil && strings.HasPrefix(r.rest, key+" ")
}

// field takes the next line, which must have this key, and gives its value.
func (r *reader) field(key string) string {
	line := r.takeLine()
	if n := len(key); len(line) > n && line[:n] == key && line[n] == ' ' {
		return line[n+1:]
	}
	r.refuse("expected %s", key)
	return ""
}

// end takes the end of the text.
func (r *reader) end() {
	if r.err == nil && r.rest != "" {
		r.line++
		r.check(false, "unexpected text")
	}
}

func (r *reader) takeLine() string {
	if r.err != nil {
		return ""
	}
	r.line++
	line, rest, ended := strings.Cut(r.rest, "\n")
	r.check(ended, "a newline ends every line")
	r.rest = rest
	return line
}

// parts splits a value at single spaces into exactly n parts; the last one keeps
// its spaces.
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

// number reads a canonical decimal of 64 bits: digits without a leading zero.
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

// hex reads bytes in lower case hex into all of out.
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

// quote shows text in an error, cut to a length that stays readable.
func quote(text string) string {
	const most = 40
	if len(text) > most {
		return strconv.Quote(text[:most]) + "…"
	}
	return strconv.Quote(text)
}

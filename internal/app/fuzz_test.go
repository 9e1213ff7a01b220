package app_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"kaibao/internal/app/apptest"
	"kaibao/internal/beacon"
)

// fuzzVariable and seedVariable set the number of requests per engine and the random seed.
const (
	fuzzVariable = "KAIBAO_FUZZ"
	seedVariable = "KAIBAO_FUZZ_SEED"

	defaultRequests = 3200 // takes seconds on each engine
	maxFailures     = 20
)

// Random requests by any caller get documented responses and leave the books and the log
// consistent.
func TestRandomRequestsGetDocumentedResponses(t *testing.T) {
	requests, seed := envInt(t, fuzzVariable, defaultRequests), envInt(t, seedVariable, 1)
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		f := newFuzzer(t, s, uint64(seed))
		for n := range requests {
			r := f.generate()
			if fault := f.send(t, r); fault != "" {
				t.Errorf("request %d of seed %d (%s=%d %s=%d): %s\n%s", n, seed, fuzzVariable, n+1, seedVariable, seed, fault, r)
				f.faults++
				if f.faults == maxFailures {
					break
				}
			}
		}
		t.Logf("statuses: %v; successful requests: %v", f.statuses, f.succeeded)
		f.wantCoverage(t)
		s.WaitForLog(t)
		s.Audit(t)
	})
}

func envInt(t *testing.T, variable string, fallback int) int {
	t.Helper()
	n, err := strconv.Atoi(cmp.Or(os.Getenv(variable), strconv.Itoa(fallback)))
	if err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return n
}

// request is a generated request.
type request struct {
	operation    operation
	caller       caller
	method, path string
	body         *string
	headers      http.Header
}

func (r request) String() string {
	body := "none"
	if r.body != nil {
		body = fmt.Sprintf("%.2000q", *r.body)
	}
	return fmt.Sprintf("%s %s as %s\nheaders: %q\nbody: %s", r.method, r.path, r.caller.name, r.headers, body)
}

// fuzzer generates requests. They depend only on its seed and the server's responses.
type fuzzer struct {
	*rand.Rand
	callers       []caller
	admin         caller
	blockedCaller caller // the only caller that excludes themselves, takes time-outs, sets limits and is frozen
	blockedUser   string // their id
	callerName    string // of the request being generated
	valid         bool   // whether the request follows the document
	operations    []operation
	known         map[string][]string // values from responses, by name or folder
	statuses      map[int]int         // by status
	succeeded     map[string]int      // successful requests of each operation
	faults        int
}

func newFuzzer(t *testing.T, s *apptest.Server, seed uint64) *fuzzer {
	t.Helper()
	h := newAccessTest(t, s)
	f := &fuzzer{
		Rand:          rand.New(rand.NewPCG(seed, 0)),
		callers:       []caller{h.owner, h.owner, h.other, h.other, h.admin, {"an anonymous client", s.NewClient(t), nil, false}},
		admin:         h.admin,
		blockedCaller: caller{"the blocked caller", s.SignIn(t), []string{"session"}, false},
		known: map[string][]string{
			"inventoryId": h.entries, "openId": {h.openID}, "packId": {"1", "2", "demo-pack-1"}, "itemId": {"pkm-001"},
			"hash": {strings.Repeat("0", 64)}, "chain": {fmt.Sprintf("%x", beacon.Quicknet().Hash())}, "cursor": {"1"}, "/api/gifts": h.giveToOwner(t),
		},
		statuses: map[int]int{}, succeeded: map[string]int{},
	}
	f.blockedUser = apptest.Get[struct{ ID string }](t, f.blockedCaller.Client, "/api/auth/user").ID
	for _, o := range operations(t, h.owner.Client) {
		f.operations = append(f.operations, slices.Repeat([]operation{o}, o.weight())...)
	}
	for _, c := range f.callers {
		c.HTTP.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	}
	return f
}

// giveToOwner has the other user give four entries to the owner, two of them by links with the secret of
// sampleBodies. It returns the ids of the gifts.
func (h *accessTest) giveToOwner(t *testing.T) (gifts []string) {
	t.Helper()
	h.other.Deposit(t, 25)
	h.other.Post(t, "/api/packs/demo-pack-1/open", payload{"clientSeed": "seed"}).Want(t, http.StatusOK, nil)
	for i, card := range owned(t, h.other.Client)[:4] {
		to := apptest.ToWallet(h.owner.Client)
		if i%2 == 0 {
			to = apptest.ToLink(strings.Repeat("0", 32))
		}
		gifts = append(gifts, h.other.Give(t, to, card))
	}
	return gifts
}

// weight is the relative frequency of an operation. Operations with more input are tried more
// often.
func (o operation) weight() int {
	switch {
	case o.body != nil && !o.blocksCaller():
		return 5
	case len(o.parameters) > 0:
		return 2
	}
	return 1
}

// blocksCaller reports whether an operation blocks nearly everything for its caller.
func (o operation) blocksCaller() bool { return o.id == "exclude-self" || o.id == "take-time-out" }

// chance returns true in n of 100 cases.
func (f *fuzzer) chance(n int) bool { return f.IntN(100) < n }

// corrupts reports whether to make a part of the request invalid, in n of 100 cases.
func (f *fuzzer) corrupts(n int) bool { return !f.valid && f.chance(n) }

func pick[T any](f *fuzzer, values []T) T { return values[f.IntN(len(values))] }

// generate generates a request. Half follow the document, so that there are objects to act on; the
// others are partly invalid.
func (f *fuzzer) generate() request {
	o := pick(f, f.operations)
	f.valid = f.chance(50)
	r := request{operation: o, caller: pick(f, f.callers), method: o.method, headers: http.Header{}}
	if o.blocksCaller() || o.id == "set-limits" {
		r.caller = f.blockedCaller
	}
	if o.access == "admin" && f.chance(60) {
		r.caller = f.admin
	}
	f.callerName = r.caller.name
	if f.corrupts(3) {
		r.method = pick(f, []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", "X"})
	}
	r.path = o.fillPath(func(name string) string { return f.pathValue(o, name) })
	if query := f.query(o); query != "" {
		r.path += "?" + query
	}
	if o.body != nil || f.corrupts(3) {
		body := f.body(o)
		r.body = &body
		r.headers.Set("Content-Type", "application/json")
	}
	if !f.valid {
		f.addHeaders(r)
	}
	return r
}

// hostileTexts are texts that often break programs.
var hostileTexts = []string{
	"", " ", "0", "-1", "null", "true", "1e3", "NaN", "\x00", "a\x00b", "\xff", "\xed\xa0\x80", "%", "%00", "'", "' OR 1=1 --", `"`, `\`, "../../etc/passwd",
	"<script>", "\r\nX: y", "١٢", "🙈", "a\u0301\u202e", "\u212a", "{{7*7}}", "9223372036854775808", "2147483648", "-9223372036854775809",
	"1e999", "0x10", "1_000", strings.Repeat("9", 400), strings.Repeat("x", 65), strings.Repeat("é", 300), strings.Repeat("a ", 40), strings.Repeat("x", 2500),
}

func (f *fuzzer) pathValue(o operation, name string) string {
	if f.corrupts(20) {
		return url.PathEscape(cmp.Or(pick(f, hostileTexts), "x"))
	}
	if o.id == "freeze-user" || o.id == "unfreeze-user" || o.id == "debit-user" {
		return f.blockedUser
	}
	if name == "id" {
		name = o.kind()
	}
	return f.id(name)
}

// kind returns the kind of the ids in an operation's path or response.
func (o operation) kind() string {
	folder, _, one := strings.Cut(o.path, "/{")
	if !one && o.method == http.MethodGet {
		folder = strings.TrimSuffix(folder, "/me")
	}
	switch path.Base(folder) {
	case "packs":
		return "packId"
	case "items", "watchlist":
		return "itemId"
	case "opens":
		return "openId"
	case "inventory":
		return "inventoryId"
	}
	return folder
}

// id returns an id from earlier responses, usually one of this kind and caller.
func (f *fuzzer) id(name string) string {
	if own := f.known[f.callerName+name]; len(own) > 0 && f.chance(70) {
		return pick(f, own)
	}
	if known := f.known[name]; len(known) > 0 && !f.corrupts(10) {
		return pick(f, known)
	}
	return pick(f, f.known[pick(f, slices.Sorted(maps.Keys(f.known)))])
}

// query returns some of an operation's parameters, possibly repeated, and sometimes invalid ones.
func (f *fuzzer) query(o operation) string {
	var parts []string
	for _, p := range o.parameters {
		for p.In == "query" && f.chance(35) {
			name := p.Name
			if f.corrupts(5) {
				name = pick(f, similarNames(name))
			}
			parts = append(parts, url.QueryEscape(name)+"="+url.QueryEscape(f.queryValue(p)))
		}
	}
	if f.corrupts(5) {
		parts = append(parts, pick(f, []string{"%zz", ";", "a=%", "&&", "=", "limit", "limit=", "cursor[]=1", "%00=1", "a=" + strings.Repeat("b", 9000)}))
	}
	return strings.Join(parts, "&")
}

func (f *fuzzer) queryValue(p parameter) string {
	switch {
	case p.Name == "cursor" && f.chance(40):
		return pick(f, f.known["cursor"])
	case p.Name == "cursor" && f.corrupts(50):
		return f.withChangedByte(pick(f, f.known["cursor"]))
	case f.corrupts(25):
		return pick(f, hostileTexts)
	}
	var value any
	if err := json.Unmarshal([]byte(f.validValue(operation{}, p.Name, p.Schema)), &value); err != nil {
		return pick(f, hostileTexts)
	}
	return fmt.Sprint(value)
}

// withChangedByte returns the text with a random byte changed.
func (f *fuzzer) withChangedByte(text string) string {
	b := []byte(text)
	b[f.IntN(len(b))] = byte(f.IntN(256))
	return string(b)
}

// addHeaders adds headers, most of which should have no effect.
func (f *fuzzer) addHeaders(r request) {
	maybeSet := func(chance int, name string, values ...string) {
		if f.chance(chance) {
			r.headers.Set(name, pick(f, values))
		}
	}
	maybeSet(10, "Authorization", "Wallet "+r.caller.Address, "Wallet "+r.caller.Address, "Wallet x", "Bearer x", "Wallet", "Wallet  "+r.caller.Address)
	maybeSet(30, "Idempotency-Key", "a", strconv.Itoa(f.Int()), strconv.Itoa(f.Int()), strconv.Itoa(f.Int()), strings.Repeat("k", 128), strings.Repeat("k", 129), "a b", "é", "\xff", "minted x")
	maybeSet(3, "Content-Type", "text/plain", "application/xml", "application/cbor", "application/json; charset=utf-16", "application/problem+json", "multipart/form-data", "*/*", "")
	maybeSet(3, "Origin", "https://elsewhere.example", "null", "", r.caller.Base)
	maybeSet(3, "Sec-Fetch-Site", "cross-site", "same-site", "same-origin", "none", "x")
	maybeSet(3, "Content-Encoding", "gzip", "br", "x")
	maybeSet(5, "Accept-Encoding", "gzip", "br, zstd", "identity;q=0", "*", "gzip;q=x")
	maybeSet(5, "Accept", "text/html", "application/cbor", "*/*;q=0", "x")
	maybeSet(5, "If-None-Match", "*", `"x"`, `W/"x"`, ",,,", `"`)
	maybeSet(3, "Range", "bytes=0-0", "bytes=9-1", "bytes=-1", "bytes=99999999999999999999-", "x")
	maybeSet(2, "Cookie", "kaibao_session=", "kaibao_session=x; kaibao_session=y", "=;;=", "kaibao_session="+strings.Repeat("x", 5000), "kaibao_challenge=%00")
	maybeSet(3, "X-Forwarded-For", "1.2.3.4", "::1", "x", strings.Repeat("1.1.1.1,", 500))
	maybeSet(2, "X-Http-Method-Override", "DELETE")
	maybeSet(2, "Expect", "100-continue")
}

// body generates a body from the operation's sample and schema, possibly invalid.
func (f *fuzzer) body(o operation) string {
	if f.corrupts(4) || o.body == nil {
		return pick(f, []string{
			"", " ", "null", "[]", "{", "}", "{}{}", `"x"`, "1", "{\"a\":}", "\x00", "\xef\xbb\xbf{}", "\xff", `{"a":1,}`, "{'a':1}", "// x\n{}",
			strings.Repeat("[", 10_000), strings.Repeat(`{"a":`, 40) + "1" + strings.Repeat("}", 40), `{"x":"` + strings.Repeat("x", 16<<10) + `"}`,
		})
	}
	sample := sampleBodies(f.id("inventoryId"))[o.path]
	delete(sample, "commitment") // no open has the sample's commitment, so every open would fail
	if f.valid || f.chance(30) {
		return jsonText(sample)
	}
	return f.object(o, o.resolve(*o.body), sample)
}

// object generates an object. Most fields are from the sample; some are generated, left out,
// duplicated or renamed.
func (f *fuzzer) object(o operation, schema fieldSchema, sample payload) string {
	var members []string
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		missing := 40
		if slices.Contains(schema.Required, name) {
			missing = 4
		}
		if !f.chance(missing) {
			members = append(members, member(name, f.field(o, name, schema.Properties[name], sample[name])))
		}
		if f.chance(2) {
			members = append(members, member(pick(f, append(similarNames(name), name)), f.value(o, name, schema.Properties[name])))
		}
	}
	if f.chance(3) {
		members = append(members, member(pick(f, hostileTexts), f.value(o, "", fieldSchema{})))
	}
	f.Shuffle(len(members), func(a, b int) { members[a], members[b] = members[b], members[a] })
	return "{" + strings.Join(members, ",") + "}"
}

// field generates a field's value, usually that of the sample.
func (f *fuzzer) field(o operation, name string, schema fieldSchema, sample any) string {
	inner, nested := sample.(payload)
	switch {
	case nested && f.chance(90):
		return f.object(o, o.resolve(schema), inner)
	case sample != nil && f.chance(85):
		return jsonText(sample)
	}
	return f.value(o, name, schema)
}

// oddValues are unusual or invalid values; some aren't JSON.
var oddValues = []string{
	"null", "true", "false", "0", "-0", "1", "-1", "0.1", "1.5e0", "1e2", "1E400", "-1e-400", "9007199254740993", "9223372036854775807", "9223372036854775808",
	"-9223372036854775809", strings.Repeat("9", 400), "01", "+1", ".5", "1.", "NaN", "Infinity", "[]", "{}", "[[]]", `[1,"a",null]`, `{"a":1,"a":2}`, `{"":{}}`,
	`"\u0000"`, `"a\u0000b"`, `"\ud800"`, `"\udc00\ud800"`, "\"\xff\"", `"\x"`, "\"\n\"", `"a`, strings.Repeat("[", 40) + strings.Repeat("]", 40), "undefined",
}

// value generates a value that fits the schema, just violates it, or is arbitrary.
func (f *fuzzer) value(o operation, name string, schema fieldSchema) string {
	schema = o.resolve(schema)
	value, bounded := schema.outOfBounds()
	switch roll := f.IntN(100); {
	case roll < 50:
		return f.validValue(o, name, schema)
	case roll < 65 && bounded:
		return jsonText(value)
	case roll < 82:
		return jsonText(pick(f, hostileTexts))
	}
	return pick(f, oddValues)
}

// validValue generates a value that the schema allows, often at its limits.
func (f *fuzzer) validValue(o operation, name string, schema fieldSchema) string {
	schema = o.resolve(schema)
	switch {
	case len(schema.OneOf) > 0:
		return f.validValue(o, name, pick(f, schema.OneOf))
	case len(schema.Enum) > 0:
		return jsonText(pick(f, schema.Enum))
	case schema.Pattern != "":
		return jsonText(f.id(name))
	case schema.Properties != nil:
		return f.object(o, schema, nil)
	case schema.Items != nil:
		return "[" + strings.Join([]string{f.value(o, name, *schema.Items), f.value(o, name, *schema.Items)}[:f.IntN(3)], ",") + "]"
	case schema.is("integer"), schema.is("number"):
		return f.validNumber(schema)
	case name == "sealed":
		return "false" // the packs here aren't sealed, and an open is a condition of many other calls
	case schema.is("boolean"):
		return pick(f, []string{"true", "false"})
	}
	return jsonText(f.validText(schema))
}

func (d fieldSchema) is(kind string) bool {
	return d.Type == kind || slices.Contains(typeNames(d.Type), any(kind))
}

func typeNames(kinds any) []any {
	several, _ := kinds.([]any)
	return several
}

func (f *fuzzer) validNumber(schema fieldSchema) string {
	least, most := -1e6, 1e6
	if schema.Minimum != nil {
		least = *schema.Minimum
	}
	if schema.Maximum != nil {
		most = *schema.Maximum
	}
	span := min(most-least, 10_000) // small values succeed more often
	return jsonText(pick(f, []float64{least, most, float64(int64(least)) + float64(f.IntN(int(span)+1))}))
}

// validText generates a text up to the maximum length.
func (f *fuzzer) validText(schema fieldSchema) string {
	most := 40
	if schema.MaxLength != nil {
		most = *schema.MaxLength
	}
	word := pick(f, []string{"Pokemon", "Labubu", "PSA 10", "a", "é", "卡", "🙈", "x y ", "https://pictures.example/1.png", f.callers[0].Address})
	text := []rune(strings.Repeat(word, 1+f.IntN(2)*most))
	return string(text[:min(len(text), most)])
}

// send sends a request and describes what is wrong with the response, if anything.
func (f *fuzzer) send(t *testing.T, r request) string {
	t.Helper()
	answer, err := r.do(t.Context())
	if err != nil {
		return "no response: " + err.Error()
	}
	f.statuses[answer.Status]++
	if answer.Status == http.StatusUnauthorized && f.valid && r.caller.access != nil {
		r.caller.SignIn(t) // an admin may have signed the user out
	}
	if wrong := answer.Mismatch(r.method, r.path); wrong != "" {
		return wrong
	}
	if answer.Status < http.StatusBadRequest {
		f.learn(r, answer)
		if r.operation.id == "logout" && answer.Status == http.StatusNoContent && r.caller.access != nil {
			r.caller.SignIn(t)
		}
		return ""
	}
	disabled := answer.Status == http.StatusNotImplemented && r.operation.id == "check-out-pack"
	if answer.Status >= http.StatusInternalServerError && !disabled {
		return fmt.Sprintf("failed with %d %s", answer.Status, answer.Body)
	}
	return answer.Fault(r.method, r.path)
}

func (r request) do(ctx context.Context) (apptest.Answer, error) {
	var body io.Reader
	if r.body != nil {
		body = strings.NewReader(*r.body)
	}
	sent, err := http.NewRequestWithContext(ctx, r.method, r.caller.Base+r.path, body)
	if err != nil {
		return apptest.Answer{}, err
	}
	sent.Header = r.headers.Clone()
	answer, err := r.caller.HTTP.Do(sent)
	if err != nil {
		return apptest.Answer{}, err
	}
	defer func() { _ = answer.Body.Close() }()
	read, err := readDecompressed(answer)
	return apptest.Answer{Status: answer.StatusCode, Header: answer.Header, Body: read}, err
}

// readDecompressed reads a response's body and decompresses it if necessary.
func readDecompressed(answer *http.Response) ([]byte, error) {
	switch answer.Header.Get("Content-Encoding") {
	case "gzip":
		body, err := gzip.NewReader(answer.Body)
		if err != nil {
			return nil, err
		}
		return io.ReadAll(body)
	case "zstd":
		body, err := zstd.NewReader(answer.Body)
		if err != nil {
			return nil, err
		}
		defer body.Close()
		return io.ReadAll(body)
	}
	return apptest.Read(answer)
}

// idFields matches ids in responses.
var idFields = regexp.MustCompile(`"(id|inventoryId|openId|packId|itemId|listingId|commitment|manifest|manifestHash)":"([a-z0-9-]{1,64})"`)

// learn stores ids and cursors for later requests.
func (f *fuzzer) learn(r request, a apptest.Answer) {
	if r.method == r.operation.method {
		f.succeeded[r.operation.id]++
	}
	for _, found := range idFields.FindAllSubmatch(a.Body, 5) {
		name, value := strings.Replace(string(found[1]), "manifestHash", "hash", 1), string(found[2])
		if name == "id" {
			name = r.operation.kind()
		}
		f.remember(name, value)
		if r.operation.access == "session" && r.operation.id != "list-listings" {
			f.remember(r.caller.name+name, value)
		}
	}
	if cursor := a.Header.Get("X-Next-Cursor"); cursor != "" {
		f.remember("cursor", cursor)
	}
}

// remember stores a value; once there are 60, it replaces a random one.
func (f *fuzzer) remember(kind, value string) {
	if known := f.known[kind]; len(known) < 60 {
		f.known[kind] = append(known, value)
	} else {
		known[f.IntN(len(known))] = value
	}
}

// wantCoverage fails the test if more than a quarter of all operations never succeeded.
func (f *fuzzer) wantCoverage(t *testing.T) {
	t.Helper()
	var never []string
	all := slices.CompactFunc(f.operations, func(a, b operation) bool { return a.id == b.id })
	for _, o := range all {
		if f.succeeded[o.id] == 0 {
			never = append(never, o.id)
		}
	}
	if len(never) > len(all)/4 {
		t.Errorf("of %d calls these never succeeded: %v", len(all), never)
	}
}

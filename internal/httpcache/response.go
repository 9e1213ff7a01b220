// Package httpcache serves responses that are the same for everyone, with an ETag: clients that
// have the response already get 304. Cache holds such responses on the server, encoded and
// compressed.
package httpcache

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"kaibao/internal/httpapi"
)

// Headers of lists, as in httpapi.List.
const (
	nextCursor = "X-Next-Cursor"
	totalCount = "X-Total-Count"
)

const (
	current = "no-cache" // revalidate each time
	forGood = "public, max-age=31536000, immutable"
)

// response is a response in the form it is sent in, ready to be sent many times.
type response struct {
	contentType, cacheControl, etag, next, total string

	body   []byte
	zipped func() []byte // for frequent responses; nil = compress while sending
}

// Text is a response that isn't JSON and never changes at its URL.
type Text struct {
	ContentType string
	Body        []byte
}

// list is implemented by *httpapi.List[T] for every T.
type list interface {
	Parts() (body any, next, total string)
}

// encode encodes a value, an *httpapi.List or a Text.
func encode(value any) (*response, error) {
	if text, ok := value.(Text); ok {
		return &response{contentType: text.ContentType, cacheControl: forGood, etag: ETag(text.Body), body: text.Body}, nil
	}
	res := &response{contentType: httpapi.JSONType, cacheControl: current}
	if l, ok := value.(list); ok {
		value, res.next, res.total = l.Parts()
	}
	body, err := httpapi.EncodeJSON(value)
	res.body, res.etag = body, ETag(body)
	return res, err
}

// minZipped is the body length in bytes from which compression pays off.
const minZipped = 1 << 10

// cacheGzip caches the compressed body; the first client that accepts gzip computes it.
func (res *response) cacheGzip() {
	if len(res.body) < minZipped {
		return
	}
	res.zipped = sync.OnceValue(func() []byte {
		var b bytes.Buffer
		zip := gzip.NewWriter(&b)
		_, _ = zip.Write(res.body) // a buffer never fails
		_ = zip.Close()
		return b.Bytes()
	})
}

// Current responds with bytes that may change, or 304 if the client has them already.
func Current(w http.ResponseWriter, r *http.Request, contentType string, body []byte) {
	(&response{contentType: contentType, cacheControl: current, etag: ETag(body), body: body}).send(w, r)
}

// Immutable responds with bytes that never change at this URL.
func Immutable(w http.ResponseWriter, r *http.Request, contentType string, body []byte) {
	(&response{contentType: contentType, cacheControl: forGood, etag: ETag(body), body: body}).send(w, r)
}

// ImmutableGzip is Immutable for gzipped bytes. It decompresses them only for clients that don't
// accept gzip.
func ImmutableGzip(api *httpapi.API, w http.ResponseWriter, r *http.Request, contentType string, zipped []byte) {
	res := &response{contentType: contentType, cacheControl: forGood, etag: ETag(zipped), zipped: func() []byte { return zipped }}
	if !takesGzip(r) {
		var err error
		res.body, err = Gunzip(bytes.NewReader(zipped))
		if err != nil {
			api.Fail(w, r, fmt.Errorf("unpack a file: %w", err))
			return
		}
	}
	res.send(w, r)
}

// Gunzip returns the decompressed bytes of a gzip stream.
func Gunzip(zipped io.Reader) ([]byte, error) {
	unzip, err := gzip.NewReader(zipped)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(unzip)
}

// send writes the response, or 304 if the client has it already.
func (res *response) send(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", res.cacheControl)
	h.Set("ETag", res.etag)
	if res.next != "" {
		h.Set(nextCursor, res.next)
	}
	if res.total != "" {
		h.Set(totalCount, res.total)
	}
	if matches(r, res.etag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", res.contentType)
	body := res.body
	if res.zipped != nil && takesGzip(r) {
		h.Set("Content-Encoding", "gzip")
		body = res.zipped()
	}
	_, _ = w.Write(body)
}

// ETag returns an ETag computed from the given bytes. Both encodings of a response share it, so
// matches compares weakly.
func ETag(body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
}

// matches reports whether the client already has the body with this ETag. The comparison is weak
// because compression in transit weakens ETags (RFC 9110, 13.1.2).
func matches(r *http.Request, etag string) bool {
	for candidate := range strings.SplitSeq(r.Header.Get("If-None-Match"), ",") {
		candidate = strings.TrimPrefix(strings.TrimSpace(candidate), "W/")
		if candidate == etag || candidate == "*" {
			return true
		}
	}
	return false
}

// takesGzip reports whether a client accepts gzip (RFC 9110, 12.5.3).
func takesGzip(r *http.Request) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		coding, weight, weighed := strings.Cut(part, ";")
		if strings.TrimSpace(coding) == "gzip" {
			// A weight of 0, however it is written, leaves nothing after trimming.
			return !weighed || strings.Trim(weight, " q=0.") != ""
		}
	}
	return false
}

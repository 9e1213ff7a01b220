package httpkit

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
)

// encoded is a response in the form it is sent in, ready to be sent many times.
type encoded struct {
	contentType, cacheControl, etag, next, total string

	body   []byte
	zipped func() []byte // for frequent responses; nil = compress while sending
}

// Text is a response that isn't JSON and never changes at its address.
type Text struct {
	ContentType string
	Body        []byte
}

// encode encodes a value, a *List or a Text.
func encode(value any) (*encoded, error) {
	if text, ok := value.(Text); ok {
		return &encoded{contentType: text.ContentType, cacheControl: forGood, etag: ETag(text.Body), body: text.Body}, nil
	}
	e := &encoded{contentType: jsonType, cacheControl: current}
	if list, ok := value.(listed); ok {
		value, e.next, e.total = list.sent()
	}
	body, err := marshal(value)
	e.body, e.etag = body, ETag(body)
	return e, err
}

// leastZipped is the body length in bytes from which compression pays off.
const leastZipped = 1 << 10

// keep caches the compressed body; the first client that accepts gzip computes it.
func (e *encoded) keep() {
	if len(e.body) < leastZipped {
		return
	}
	e.zipped = sync.OnceValue(func() []byte {
		var b bytes.Buffer
		zip := gzip.NewWriter(&b)
		_, _ = zip.Write(e.body) // a buffer never fails
		_ = zip.Close()
		return b.Bytes()
	})
}

// Packed is Immutable for gzipped bytes. It decompresses them only for clients that don't accept
// gzip.
func (k *Kit) Packed(w http.ResponseWriter, r *http.Request, contentType string, zipped []byte) {
	e := &encoded{contentType: contentType, cacheControl: forGood, etag: ETag(zipped), zipped: func() []byte { return zipped }}
	if !takesGzip(r) {
		var err error
		e.body, err = Unpacked(bytes.NewReader(zipped))
		if err != nil {
			k.Fail(w, r, fmt.Errorf("unpack a file: %w", err))
			return
		}
	}
	e.send(w, r)
}

// Unpacked returns the decompressed bytes of a gzip stream.
func Unpacked(zipped io.Reader) ([]byte, error) {
	unzip, err := gzip.NewReader(zipped)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(unzip)
}

// send writes the response, or 304 if the client has it already.
func (e *encoded) send(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", e.cacheControl)
	h.Set("ETag", e.etag)
	if e.next != "" {
		h.Set(nextCursor, e.next)
	}
	if e.total != "" {
		h.Set(totalCount, e.total)
	}
	if Matches(r, e.etag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", e.contentType)
	body := e.body
	if e.zipped != nil && takesGzip(r) {
		h.Set("Content-Encoding", "gzip")
		body = e.zipped()
	}
	_, _ = w.Write(body)
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

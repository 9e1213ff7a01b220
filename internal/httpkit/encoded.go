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

// encoded is an answer as it is sent, as often as it is asked for.
type encoded struct {
	contentType, cacheControl, etag, next, total string

	body   []byte
	zipped func() []byte // of what is sent often; nil = it is compressed on its way
}

// Text is an answer that is no JSON, under an address where it never changes.
type Text struct {
	ContentType string
	Body        []byte
}

// encode makes an answer of a value, which may be a list or a Text.
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

// leastZipped is the length from which on compression is worth it.
const leastZipped = 1 << 10

// keep has what is sent often compressed once, when it is first asked for like that.
func (e *encoded) keep() {
	if len(e.body) < leastZipped {
		return
	}
	e.zipped = sync.OnceValue(func() []byte {
		var b bytes.Buffer
		zip := gzip.NewWriter(&b)
		_, _ = zip.Write(e.body) // a buffer takes everything
		_ = zip.Close()
		return b.Bytes()
	})
}

// Packed is Immutable for bytes that lie compressed by gzip, as most clients take them.
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

// Unpacked is what gzip made smaller.
func Unpacked(zipped io.Reader) ([]byte, error) {
	unzip, err := gzip.NewReader(zipped)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(unzip)
}

// send answers a request, briefly where the client has the answer already.
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

// takesGzip tells whether a client reads gzip (RFC 9110, 12.5.3).
func takesGzip(r *http.Request) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		coding, weight, weighed := strings.Cut(part, ";")
		if strings.TrimSpace(coding) == "gzip" {
			// Of a weight of 0, however it is written, nothing is left.
			return !weighed || strings.Trim(weight, " q=0.") != ""
		}
	}
	return false
}

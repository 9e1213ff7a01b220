package httpkit

import (
	"bytes"
	"net/http"
	"strconv"

	"github.com/klauspost/compress/gzhttp"
)

// compress sends what it compresses when it is whole: whoever takes no bytes
// then holds those bytes, and not a compressor that is many times their size.
func compress(next http.Handler) http.Handler {
	h := gzhttp.GzipHandler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := &wholeAnswer{ResponseWriter: w}
		h.ServeHTTP(answer, r)
		answer.send()
	})
}

// wholeAnswer keeps a compressed answer and lets every other through.
type wholeAnswer struct {
	http.ResponseWriter
	status int // of the answer that is kept
	body   bytes.Buffer
}

func (a *wholeAnswer) kept() bool { return a.Header().Get("Content-Encoding") != "" }

// WriteHeader implements http.ResponseWriter.
func (a *wholeAnswer) WriteHeader(status int) {
	if !a.kept() {
		a.ResponseWriter.WriteHeader(status)
		return
	}
	a.status = status
}

// Write implements http.ResponseWriter.
func (a *wholeAnswer) Write(p []byte) (int, error) {
	if !a.kept() {
		return a.ResponseWriter.Write(p)
	}
	return a.body.Write(p)
}

func (a *wholeAnswer) send() {
	if !a.kept() {
		return
	}
	a.Header().Set("Content-Length", strconv.Itoa(a.body.Len()))
	if a.status != 0 {
		a.ResponseWriter.WriteHeader(a.status)
	}
	_, _ = a.ResponseWriter.Write(a.body.Bytes())
}

// Unwrap is for http.ResponseController.
func (a *wholeAnswer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

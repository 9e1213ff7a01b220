package httpapi

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"regexp"
	"strings"
	"time"
	"unicode"
)

// requestRecord is a request's log line. It leaves out query and headers, which can hold private
// data.
type requestRecord struct {
	id     string
	client string // address, as Options.LogAddresses says
	method string
	path   string
	route  string // the registered path; empty if no route matched
	stream bool   // the response is long-lived, so its duration says nothing
	quiet  bool   // a health check, which is only interesting if it fails
	user   string // the user's id
}

// EndedRequest describes a request without private data.
type EndedRequest struct {
	Method   string // as sent by the caller, of at most 16 bytes
	Route    string // the registered path; empty if no route matched
	Stream   bool   // the response was long-lived
	Status   int
	Duration time.Duration
}

type requestLogKey struct{}

func requestLogOf(ctx context.Context) *requestRecord {
	if record, ok := ctx.Value(requestLogKey{}).(*requestRecord); ok {
		return record
	}
	return &requestRecord{}
}

// LogUser sets the user in the request's log line, for a sign-in. Requests with a session have it
// already.
func LogUser(ctx context.Context, id string) { requestLogOf(ctx).user = id }

// RequestID returns the id that the request's log lines and error response carry.
func RequestID(ctx context.Context) string { return requestLogOf(ctx).id }

// maxMethodLength and maxPathLength keep a caller from filling the log, in bytes.
const (
	maxMethodLength = 16
	maxPathLength   = 256
)

// AddressLogging is how much of a client's address the log contains.
type AddressLogging string

// The values of Options.LogAddresses.
const (
	FullAddresses  AddressLogging = "full"
	ShortAddresses AddressLogging = "short" // the network: /24 of an IPv4 address, /48 of an IPv6 address
	NoAddresses    AddressLogging = "none"
)

// format returns what the log contains of an address.
func (l AddressLogging) format(address netip.Addr) string {
	if l == NoAddresses || !address.IsValid() {
		return ""
	}
	address = address.WithZone("") // any text, if it comes from a header
	if l != ShortAddresses {
		return address.String()
	}
	bits := 48
	if address.Is4() {
		bits = 24
	}
	network, err := address.Prefix(bits)
	if err != nil {
		return ""
	}
	return network.String()
}

// loggedPath returns a request's path without unprintable characters, and not longer than
// maxPathLength.
func loggedPath(path string) string {
	path = strings.ToValidUTF8(path[:min(len(path), maxPathLength)], "")
	return strings.Map(func(c rune) rune {
		if unicode.IsPrint(c) {
			return c
		}
		return -1
	}, path)
}

// forwardedID matches the request ids that are taken from a proxy.
var forwardedID = regexp.MustCompile(`^[0-9A-Za-z._:-]{1,64}$`)

// requestID returns the id that a trusted proxy has given to the request, or a new one.
func (a *API) requestID(r *http.Request) string {
	id := r.Header.Get("X-Request-Id")
	if id != "" && forwardedID.MatchString(id) {
		if proxy, err := peerAddress(r); err == nil && a.isTrusted(proxy) {
			return id
		}
	}
	return a.NewRequestID()
}

// logRequests assigns each request its id and logs one line when it ends, even by a panic.
func (a *API) logRequests(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		record := &requestRecord{id: a.requestID(r), method: r.Method[:min(len(r.Method), maxMethodLength)], path: loggedPath(r.URL.Path)}
		if client, err := a.clientAddress(r); err == nil {
			record.client = a.LogAddresses.format(client)
		}
		w.Header().Set("X-Request-Id", record.id)
		r = r.WithContext(context.WithValue(r.Context(), requestLogKey{}, record))
		began, writer := a.Clock(), &countingWriter{ResponseWriter: w}
		defer func() {
			status, took := cmp.Or(writer.status, http.StatusOK), a.Clock().Sub(began)
			a.logRequest(record, status, writer.bytes, took)
			if a.Observe != nil {
				a.Observe(EndedRequest{record.method, record.route, record.stream, status, took})
			}
		}()
		next.ServeHTTP(writer, r)
	})
}

// countingWriter records the response's status and size.
type countingWriter struct {
	http.ResponseWriter
	status int // 0 until it is set
	bytes  int64
}

// WriteHeader implements http.ResponseWriter.
func (a *countingWriter) WriteHeader(status int) {
	if a.status == 0 && status >= http.StatusOK { // 1xx statuses come before the final one
		a.status = status
	}
	a.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (a *countingWriter) Write(p []byte) (int, error) {
	a.status = cmp.Or(a.status, http.StatusOK)
	n, err := a.ResponseWriter.Write(p)
	a.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (a *countingWriter) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// logRequest logs a request that has ended, and again if it was slow.
func (a *API) logRequest(record *requestRecord, status int, bytes int64, took time.Duration) {
	attrs := []slog.Attr{
		slog.String("requestId", record.id), slog.String("client", record.client), slog.String("method", record.method),
		slog.String("path", record.path), slog.String("route", record.route), slog.Int("status", status), slog.Int64("bytes", bytes),
		slog.Float64("durationMs", Milliseconds(took)), slog.String("user", record.user),
	}
	level := slog.LevelInfo
	if record.quiet && status < http.StatusBadRequest {
		level = slog.LevelDebug
	}
	a.Log.LogAttrs(context.Background(), level, "request", attrs...)
	if a.SlowRequest > 0 && took > a.SlowRequest && !record.stream {
		a.Log.LogAttrs(context.Background(), slog.LevelWarn, "slow request", attrs...)
	}
}

// Milliseconds returns a duration as the log shows it, rounded to microseconds.
func Milliseconds(d time.Duration) float64 {
	return float64(d.Round(time.Microsecond)) / float64(time.Millisecond)
}

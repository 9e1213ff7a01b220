package verify

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Size limits for served resources, in bytes. They protect the verifier's machine from a hostile
// server.
const (
	maxNote     = 64 << 10
	maxTile     = tileWidth * 32
	maxBundle   = tileWidth * (2 + 1<<16)
	maxManifest = 8 << 20
	maxProof    = 16 << 20
)

// source is a place to read a log from: a server or a mirror on disk.
type source interface {
	// read returns a resource by its name in a mirror. It fails above limit bytes.
	read(ctx context.Context, name string, limit int64) ([]byte, error)
}

// readError says that something could not be read for a reason that proves nothing about the log, such as a
// broken connection.
type readError struct{ error }

// Unwrap returns the reason.
func (e readError) Unwrap() error { return e.error }

// newSource returns the source for a server URL or the path of a mirror.
func newSource(location string) (source, error) {
	if !strings.Contains(location, "://") {
		return mirrorDir(location), nil
	}
	u, err := url.Parse(location)
	if err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") {
		return nil, fmt.Errorf("%q must have the form https://host", location)
	}
	return logServer{&url.URL{Scheme: u.Scheme, Host: u.Host}, &http.Client{Timeout: time.Minute}}, nil
}

type logServer struct {
	base   *url.URL
	client *http.Client
}

func (s logServer) read(ctx context.Context, name string, limit int64) ([]byte, error) {
	path := "/log/" + name
	if strings.HasPrefix(name, manifestPrefix) || strings.HasPrefix(name, beaconPrefix) {
		path = "/api/fairness/" + name
	}
	return s.get(ctx, s.base.String()+path, limit)
}

func (s logServer) get(ctx context.Context, target string, limit int64) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return nil, err
	}
	response, err := s.client.Do(request)
	if err != nil {
		return nil, readError{err}
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode == http.StatusNotFound {
		return nil, fmt.Errorf("%s responded with %s: %w", target, response.Status, fs.ErrNotExist)
	}
	if response.StatusCode != http.StatusOK {
		return nil, readError{fmt.Errorf("%s responded with %s", target, response.Status)}
	}
	return readAll(response.Body, target, limit)
}

// mirrorDir is the path of a mirror.
type mirrorDir string

func (f mirrorDir) read(_ context.Context, name string, limit int64) ([]byte, error) {
	file, err := os.Open(filepath.Join(string(f), filepath.FromSlash(name)))
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return readAll(file, name, limit)
}

func readAll(r io.Reader, name string, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, readError{fmt.Errorf("%s: %w", name, err)}
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("%s has more than %d bytes", name, limit)
	}
	return data, nil
}

// Names in a mirror. On a server they are under /log, manifests and beacons under /api/fairness.
const (
	checkpointName = "checkpoint"
	keyName        = "key"
	manifestPrefix = "manifests/"
	beaconPrefix   = "beacons/"
)

// tilePath returns the path of a tile or an entry bundle (C2SP tlog-tiles).
func tilePath(level string, number int64, width int) string {
	name := fmt.Sprintf("%03d", number%1000)
	for number /= 1000; number > 0; number /= 1000 {
		name = fmt.Sprintf("x%03d/%s", number%1000, name)
	}
	name = "tile/" + level + "/" + name
	if width < tileWidth {
		name += fmt.Sprintf(".p/%d", width)
	}
	return name
}

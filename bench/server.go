package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"kaibao/internal/loadgen"
)

// storage is a database that a server can use.
type storage struct {
	name, dir string
	url       string // of PostgreSQL; empty = SQLite in dir
}

var engines = []string{"PostgreSQL", "SQLite"}

// newStorage creates a storage on an engine.
func (b *bench) newStorage(ctx context.Context, engine, name string) (storage, error) {
	if engine == "PostgreSQL" {
		return b.newDatabase(ctx, name)
	}
	return storage{name: name + " on SQLite", dir: filepath.Join(b.dir, name+".sqlite")}, nil
}

// newDatabase creates a PostgreSQL database.
func (b *bench) newDatabase(ctx context.Context, name string) (storage, error) {
	if err := b.cluster.execute(ctx, b.cluster.url.String(), "CREATE DATABASE "+name); err != nil {
		return storage{}, err
	}
	address := *b.cluster.url
	address.Path = "/" + name
	return storage{name: name + " on PostgreSQL", dir: filepath.Join(b.dir, name), url: address.String()}, nil
}

func (s storage) flags() []string {
	flags := []string{"--data", s.dir}
	if s.url != "" {
		flags = append(flags, "--database-url", s.url)
	}
	return flags
}

// server is a running kaibao.
type server struct {
	url     *url.URL
	ops     *url.URL // of the operator's listener
	command *exec.Cmd
	started time.Duration // time from process start until it listened
	// stallTimeout is the timeout if the server makes no progress.
	stallTimeout time.Duration
}

func (b *bench) serve(ctx context.Context, s storage) (*server, error) {
	args := append([]string{"serve", "--addr", "127.0.0.1:0", "--ops-addr", "127.0.0.1:0", "--rate-limits", "off"}, s.flags()...)
	return b.start(exec.CommandContext(ctx, b.binary, args...), s.name)
}

// start starts a server and waits for its address. Its log goes to a file, since reading it here
// would use the measured CPUs.
func (b *bench) start(command *exec.Cmd, name string) (*server, error) {
	command.Cancel = func() error { return command.Process.Signal(syscall.SIGTERM) }
	command.WaitDelay = 10 * time.Second
	logFile, err := os.CreateTemp(b.dir, "server.*.log")
	if err != nil {
		return nil, err
	}
	defer func() { _ = logFile.Close() }()
	command.Stderr = logFile
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	if err := command.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	address, found := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	var opsAddress string
	if err == nil && found {
		line, err = lines.ReadString('\n')
		opsAddress, found = strings.CutPrefix(strings.TrimSpace(line), "operator's listener on ")
	}
	running := &server{command: command, started: time.Since(begin), stallTimeout: b.stallTimeout}
	if err != nil || !found {
		_ = running.stop()
		logText, _ := os.ReadFile(logFile.Name())
		return nil, fmt.Errorf("start the server on %s: %q: %s", name, line, logText)
	}
	b.mutex.Lock()
	b.servers = append(b.servers, running)
	b.mutex.Unlock()
	running.url, err = url.Parse(address)
	if err == nil {
		running.ops, err = url.Parse(opsAddress)
	}
	return running, err
}

// stop shuts the server down gracefully. It may be called twice.
func (s *server) stop() error {
	if s.command.ProcessState != nil {
		return nil
	}
	_ = s.command.Process.Signal(syscall.SIGTERM)
	late := time.AfterFunc(15*time.Second, func() { _ = s.command.Process.Kill() })
	defer late.Stop()
	return s.command.Wait()
}

// load returns options for opening the ordinary pack on this server.
func (s *server) load(clients int) loadgen.Options {
	return loadgen.Options{Nodes: []*url.URL{s.url}, Concurrency: clients, Pack: ordinaryPack}
}

// verify checks the players' results and records how many were verified.
func (b *bench) verify(ctx context.Context, players loadgen.Players, o loadgen.Options) error {
	verified, err := players.Verify(ctx, o)
	b.record("verified", float64(verified))
	return err
}

// get requests a public resource.
func (s *server) get(ctx context.Context, path string) ([]byte, error) {
	return fetch(ctx, s.url, path)
}

// jobs returns the background jobs' states from the operator's listener.
func (s *server) jobs(ctx context.Context) (jobs []job, err error) {
	body, err := fetch(ctx, s.ops, "/readyz")
	if err != nil {
		return nil, err
	}
	var status struct{ Jobs []job }
	err = json.Unmarshal(body, &status)
	return status.Jobs, err
}

type job struct {
	Name, LastSuccess string
	Behind            int64
}

func fetch(ctx context.Context, base *url.URL, path string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base.String()+path, nil)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("GET %s: %s: %s", path, response.Status, body)
	}
	return body, err
}

func (s *server) read(ctx context.Context, path string, into any) error {
	body, err := s.get(ctx, path)
	if err != nil {
		return err
	}
	return json.Unmarshal(body, into)
}

// waitUntilZero waits until remaining returns 0. If the server makes no progress, it returns an
// error with the server's readiness report.
func (s *server) waitUntilZero(ctx context.Context, remaining func() (int64, error)) error {
	last, since := int64(math.MaxInt64), time.Now()
	for {
		now, err := remaining()
		if err != nil || now <= 0 {
			return err
		}
		if now != last { // an increase counts too: one job's output is another job's input
			last, since = now, time.Now()
		}
		if time.Since(since) > s.stallTimeout {
			jobs, err := s.jobs(ctx)
			return errors.Join(fmt.Errorf("the log is stuck: %d leaves have waited for %s; jobs: %+v", now, s.stallTimeout, jobs), err)
		}
		if err := sleep(ctx, 20*time.Millisecond); err != nil {
			return err
		}
	}
}

// manifestHash returns the hash of a pack's manifest in force.
func (s *server) manifestHash(ctx context.Context, pack string) (string, error) {
	var shown struct{ ManifestHash string }
	err := s.read(ctx, "/api/packs/"+pack, &shown)
	return shown.ManifestHash, err
}

// manifest returns the published text of a pack's manifest.
func (s *server) manifest(ctx context.Context, pack string) ([]byte, error) {
	hash, err := s.manifestHash(ctx, pack)
	if err != nil {
		return nil, err
	}
	return s.get(ctx, "/api/fairness/manifests/"+hash)
}

// audit audits a measured database: results are worthless if the books are wrong.
func (b *bench) audit(ctx context.Context, s storage) error {
	out, err := exec.CommandContext(ctx, b.binary, append([]string{"audit", "--full"}, s.flags()...)...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("audit of %s: %w: %s", s.name, err, out)
	}
	b.record("audits", 1)
	b.logf("audit of %s passed", s.name)
	return nil
}

func fileSize(path string) float64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return float64(info.Size())
}

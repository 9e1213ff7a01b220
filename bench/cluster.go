package main

import (
	"bufio"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

//go:embed minimal_open.sql
var minimalTables string

//go:embed minimal_open.pgbench
var minimalOpen []byte

// cluster is the PostgreSQL server started by scripts/with-postgres.
type cluster struct {
	url     *url.URL
	bin     string // directory of its programs
	pid     int    // of the postmaster; its child processes do the work
	version string
}

func findCluster(ctx context.Context, address *url.URL) (c cluster, err error) {
	c.url = address
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/pgbench")
	if len(found) > 0 {
		slices.Sort(found)
		c.bin = filepath.Dir(found[len(found)-1])
	} else if path, err := exec.LookPath("pgbench"); err == nil {
		c.bin = filepath.Dir(path)
	} else {
		return c, errors.New("pgbench is not installed; run scripts/setup test")
	}
	answer, err := c.query(ctx, address.String(), "SELECT current_setting('data_directory'), current_setting('server_version'),"+
		" current_setting('fsync'), current_setting('synchronous_commit')")
	if err != nil {
		return c, err
	}
	fields := strings.Split(answer, "|")
	if fields[2] != "on" || fields[3] != "on" {
		return c, errors.New("PostgreSQL commits without waiting for the disk: start it with scripts/with-postgres --durable")
	}
	c.version = fields[1]
	text, err := os.ReadFile(filepath.Join(fields[0], "postmaster.pid"))
	if err != nil {
		return c, err
	}
	first, _, _ := strings.Cut(string(text), "\n")
	c.pid, err = strconv.Atoi(first)
	return c, err
}

// execute runs statements in a database, each in a separate transaction.
func (c cluster) execute(ctx context.Context, database, text string) error {
	command := exec.CommandContext(ctx, filepath.Join(c.bin, "psql"), "-X", "-q", "-v", "ON_ERROR_STOP=1", database)
	command.Stdin = strings.NewReader(text)
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("psql: %w: %s", err, out)
	}
	return nil
}

// hold starts a transaction with a query and keeps it open until release is called.
func (c cluster) hold(ctx context.Context, database, query string) (release func() error, err error) {
	command := exec.CommandContext(ctx, filepath.Join(c.bin, "psql"), "-X", "-q", "-At", "-v", "ON_ERROR_STOP=1", database)
	in, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	release = func() error { return errors.Join(in.Close(), command.Wait()) }
	_, err = io.WriteString(in, "BEGIN;\n"+query+";\n")
	if err == nil {
		_, err = bufio.NewReader(out).ReadString('\n')
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("hold %s: %w", query, err), release())
	}
	return release, nil
}

func (c cluster) query(ctx context.Context, database, statement string) (string, error) {
	out, err := exec.CommandContext(ctx, filepath.Join(c.bin, "psql"), "-X", "-At", "-c", statement, database).Output()
	return strings.TrimSpace(string(out)), err
}

var tpsLine = regexp.MustCompile(`(?m)^tps = ([0-9.]+)`)

// pgbench returns the transactions per second of its built-in test, or of the script in more. It
// fails if any transaction fails. It runs for at least 5 s, since clients take seconds to connect
// on a busy machine, unless the plan sets a number of transactions per client.
func (c cluster) pgbench(ctx context.Context, database string, clients int, of plan, more ...string) (float64, error) {
	end := []string{"-T", strconv.Itoa(max(5, int(of.duration.Seconds())))}
	if of.transactions > 0 {
		end = []string{"-t", strconv.Itoa(of.transactions)}
	}
	args := slices.Concat([]string{"-n", "-M", "prepared", "-j", "2", "-c", strconv.Itoa(clients)}, end, more)
	out, err := exec.CommandContext(ctx, filepath.Join(c.bin, "pgbench"), append(args, database)...).CombinedOutput()
	found := tpsLine.FindSubmatch(out)
	if err != nil || found == nil || !strings.Contains(string(out), "number of failed transactions: 0 ") {
		return 0, fmt.Errorf("pgbench: %w: %s", err, out[:min(len(out), 500)])
	}
	return strconv.ParseFloat(string(found[1]), 64)
}

// initTPCB creates the tables of pgbench's built-in test.
func (c cluster) initTPCB(ctx context.Context, database string) error {
	out, err := exec.CommandContext(ctx, filepath.Join(c.bin, "pgbench"), "-i", "-q", "-s", "10", database).CombinedOutput()
	if err != nil {
		return fmt.Errorf("pgbench -i: %w: %s", err, out)
	}
	return nil
}

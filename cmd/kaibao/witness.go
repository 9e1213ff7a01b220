package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"kaibao/internal/witness"
)

type witnessCommand struct {
	Data   string   `help:"Directory of the witness's key and of what it has seen." default:"./witness" type:"path" env:"KAIBAO_WITNESS_DATA"`
	Listen string   `help:"Address to listen on; port 0 picks a free one." default:"127.0.0.1:8095" env:"KAIBAO_WITNESS_LISTEN"`
	Log    []string `help:"Verifier key of a log, as at https://HOST/log/key. Repeat it for several." placeholder:"KEY" required:"" sep:"," env:"KAIBAO_WITNESS_LOG"`
	Name   string   `help:"Name of the key that is created at the first start, such as witness.example/1. Default: a random one." env:"KAIBAO_WITNESS_NAME"`
}

// witnessShutdown is how long a stopping witness waits for requests.
const witnessShutdown = 5 * time.Second

// Run serves until a signal arrives. The first line on standard output contains the verifier key, the
// second one the address.
func (c witnessCommand) Run(ctx context.Context) (err error) {
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	w, err := witness.Open(witness.Options{Dir: c.Data, Name: c.Name, Logs: c.Log, Now: time.Now, Log: log, Random: rand.Reader})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", c.Listen)
	if err != nil {
		return err
	}
	fmt.Println("witness " + w.VerifierKey())
	fmt.Println("listening on http://" + listener.Addr().String())
	s := &http.Server{
		Handler: w.Handler(), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	failed := make(chan error, 1)
	go func() { failed <- s.Serve(listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), witnessShutdown)
	defer cancel()
	return s.Shutdown(ending)
}

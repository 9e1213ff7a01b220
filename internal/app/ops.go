package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"time"
)

// opsServer is the operator's listener. Without an address it does nothing.
type opsServer struct {
	listener net.Listener
	server   *http.Server
}

func (o *opsServer) listen(ctx context.Context, address string) (err error) {
	if address == "" {
		return nil
	}
	o.listener, err = new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return fmt.Errorf("%w: each node needs its own --ops-addr (KAIBAO_OPS_ADDR); an empty one turns the operator's listener off", err)
	}
	return nil
}

// pprofHandlers returns the handlers of pprof by pattern. They leave out the command line, which
// can have secrets.
func pprofHandlers() map[string]http.Handler {
	return map[string]http.Handler{
		"GET /debug/pprof/":        http.HandlerFunc(pprof.Index),
		"GET /debug/pprof/profile": http.HandlerFunc(pprof.Profile),
		"GET /debug/pprof/trace":   http.HandlerFunc(pprof.Trace),
		"GET /debug/pprof/symbol":  http.HandlerFunc(pprof.Symbol),
		"POST /debug/pprof/symbol": http.HandlerFunc(pprof.Symbol),
	}
}

// handle sets the handler. A response has a minute, because a profile takes 30 s.
func (o *opsServer) handle(h http.Handler, log *slog.Logger) {
	o.server = &http.Server{
		Handler: h, ReadHeaderTimeout: 10 * time.Second, WriteTimeout: time.Minute, IdleTimeout: 2 * time.Minute,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}

// serve serves until ctx ends. If it fails, the node goes on without the operator's listener.
func (o *opsServer) serve(ctx context.Context, log *slog.Logger) {
	if o.listener == nil {
		return
	}
	defer context.AfterFunc(ctx, func() { _ = o.server.Close() })()
	err := o.server.Serve(o.listener)
	if !errors.Is(err, http.ErrServerClosed) {
		log.ErrorContext(ctx, "the operator's listener failed", "error", err)
	}
}

// url returns the listener's address as a URL, or "" if there is none.
func (o *opsServer) url() string {
	if o.listener == nil {
		return ""
	}
	return "http://" + o.listener.Addr().String()
}

func (o *opsServer) close() error {
	if o.listener == nil {
		return nil
	}
	if err := o.listener.Close(); !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}

package main

import (
	"context"
	"fmt"
	"time"
)

// start measures an idle server.
type start struct {
	*bench
	number int
}

func (*start) prepare(context.Context) error { return nil }

func (s *start) round(ctx context.Context) error {
	s.number++
	fresh := storage{name: "fresh", dir: fmt.Sprintf("%s/fresh.%d", s.dir, s.number)}
	running, err := s.serve(ctx, fresh)
	if err != nil {
		return err
	}
	s.record("start fresh", running.started.Seconds()*1000)
	if err := sleep(ctx, time.Second); err != nil {
		return err
	}
	resident, err := residentMemory(running.command.Process.Pid)
	if err != nil {
		return err
	}
	s.record("resident", resident)
	s.logf("fresh start in %.0f ms, %.0f MB", s.latest("start fresh"), resident/1e6)
	return running.stop()
}

func (s *start) finish(ctx context.Context) error {
	s.record("binary", fileSize(s.binary))
	return s.audit(ctx, storage{name: "fresh", dir: fmt.Sprintf("%s/fresh.%d", s.dir, s.number)})
}

package main

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// succeedAlone runs a command that must succeed in a network of its own, which has no interface that is
// up. Where that isn't permitted, every address that Go could resolve or dial through a proxy leads to
// a closed port.
func succeedAlone(t *testing.T, args ...string) string {
	t.Helper()
	alone := func() *exec.Cmd {
		c := program(t.Context(), args...)
		c.Env = append(os.Environ(), "HTTP_PROXY=http://127.0.0.1:1", "HTTPS_PROXY=http://127.0.0.1:1")
		return c
	}
	c := alone()
	c.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	out, err := c.CombinedOutput()
	if c.ProcessState == nil { // it didn't start
		t.Logf("no network of its own: %v", err)
		out, err = alone().CombinedOutput()
	}
	if err != nil {
		t.Fatalf("%v: %v: %s", args, err, out)
	}
	return string(out)
}

package app

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

// maxCheckpoint is far more bytes than a checkpoint has.
const maxCheckpoint = 64 << 10

// newestCheckpoint reads the checkpoint named by --log-checkpoint; it is empty if that isn't set.
// Its source need not be trusted, because the checkpoint is signed with the log's key.
func (c Config) newestCheckpoint(ctx context.Context) (string, error) {
	if c.LogCheckpoint == "" {
		return "", nil
	}
	text, err := c.readCheckpoint(ctx)
	if err == nil && !strings.Contains(text, "\n\n\u2014 ") { // which begins a signature (C2SP signed-note)
		err = fmt.Errorf("%s isn't a checkpoint of the log: set --log-checkpoint (KAIBAO_LOG_CHECKPOINT) to https://HOST/log/checkpoint or to a copy of a node's log.checkpoint", c.LogCheckpoint)
	}
	return text, err
}

// readCheckpoint reads the file or address named by --log-checkpoint.
func (c Config) readCheckpoint(ctx context.Context) (string, error) {
	if !strings.Contains(c.LogCheckpoint, "://") {
		text, err := os.ReadFile(c.LogCheckpoint)
		return string(text), err
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.LogCheckpoint, nil)
	if err != nil {
		return "", err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s responded with %s: give the address of a running node", c.LogCheckpoint, response.Status)
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, maxCheckpoint))
	return string(text), err
}

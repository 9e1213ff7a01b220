package witness

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const (
	// maxRequest limits requests, in bytes.
	maxRequest = 64 << 10
	// maxProof is the maximum number of hashes of a consistency proof (C2SP tlog-witness).
	maxProof = 63
)

// refusal is a response other than a cosignature.
type refusal struct {
	status int
	text   string
	size   *int64 // of the last cosigned tree; nil unless the log's old size is another one
}

// Error implements error.
func (r refusal) Error() string { return r.text }

// Handler returns the witness's HTTP interface (C2SP tlog-witness).
func (w *Witness) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /add-checkpoint", func(rw http.ResponseWriter, r *http.Request) {
		line, err := w.addCheckpoint(http.MaxBytesReader(rw, r.Body, maxRequest))
		refused, ok := errors.AsType[refusal](err)
		switch {
		case err == nil:
			rw.Header().Set("Content-Type", "text/plain; charset=utf-8")
			_, _ = io.WriteString(rw, line)
		case !ok:
			w.log.ErrorContext(r.Context(), "could not cosign a checkpoint", "error", err)
			http.Error(rw, "internal error", http.StatusInternalServerError)
		case refused.size != nil:
			rw.Header().Set("Content-Type", "text/x.tlog.size")
			rw.WriteHeader(refused.status)
			_, _ = fmt.Fprintf(rw, "%d\n", *refused.size)
		default:
			http.Error(rw, refused.text, refused.status)
		}
	})
	return mux
}

// submission is the content of a request.
type submission struct {
	old   int64
	proof tlog.TreeProof
	note  string
	Seen
}

// addCheckpoint cosigns a checkpoint, or returns a refusal.
func (w *Witness) addCheckpoint(body io.Reader) (line string, err error) {
	data, err := io.ReadAll(body)
	if err != nil {
		return "", refusal{status: http.StatusBadRequest, text: "the request can't be read"}
	}
	s, err := parseSubmission(string(data))
	if err != nil {
		return "", refusal{status: http.StatusBadRequest, text: err.Error()}
	}
	verifiers := w.verifiers(s.Origin)
	if len(verifiers) == 0 {
		return "", refusal{status: http.StatusNotFound, text: "unknown log"}
	}
	opened, err := note.Open([]byte(s.note), note.VerifierList(verifiers...))
	if err != nil {
		return "", refusal{status: http.StatusForbidden, text: "the checkpoint isn't signed by the log's key"}
	}
	h, err := w.history(s.Origin)
	if err != nil {
		return "", err
	}
	h.Lock()
	defer h.Unlock()
	if err := s.check(h.last); err != nil {
		if s.forks(h.last) {
			w.log.Error("the log shows two different trees", "origin", s.Origin, "leaves", s.Size, "checkpoint", s.note, "before", h.last.Checkpoint)
		}
		return "", err
	}
	s.Time = w.now().UTC().Truncate(time.Second)
	if s.Time.Before(h.last.Time) {
		return "", fmt.Errorf("the clock is behind the last cosignature, which is from %s: correct it", h.last.Time.Format(time.RFC3339))
	}
	s.Checkpoint = s.note
	if err := h.save(s.Seen); err != nil {
		return "", err
	}
	return w.key.cosign(opened.Text, s.Time), nil
}

// check checks that a checkpoint extends the last cosigned one.
func (s submission) check(last Seen) error {
	switch {
	case s.old > s.Size:
		return refusal{status: http.StatusBadRequest, text: "the old size is above the checkpoint's size"}
	case s.old != last.Size, s.old == s.Size && s.Root != last.Root:
		return refusal{status: http.StatusConflict, text: "another tree was cosigned before", size: &last.Size}
	}
	if s.old == 0 || s.old == s.Size {
		if len(s.proof) > 0 {
			return refusal{status: http.StatusUnprocessableEntity, text: "the consistency proof must be empty"}
		}
		return nil
	}
	if err := tlog.CheckTree(s.proof, s.Size, s.Root, last.Size, last.Root); err != nil {
		return refusal{status: http.StatusUnprocessableEntity, text: "the checkpoint doesn't extend the tree that was cosigned before"}
	}
	return nil
}

// forks reports whether a checkpoint and the last cosigned one prove that the log showed two trees.
func (s submission) forks(last Seen) bool { return s.Size == last.Size && s.Root != last.Root }

// parseSubmission parses a request: old size, consistency proof, empty line, checkpoint.
func parseSubmission(body string) (s submission, err error) {
	head, signed, found := strings.Cut(body, "\n\n")
	lines := strings.Split(head, "\n")
	old, isOld := strings.CutPrefix(lines[0], "old ")
	if !found || !isOld || len(lines)-1 > maxProof {
		return s, errors.New("expected the line old SIZE, at most 63 hashes, an empty line and a checkpoint")
	}
	s.note = signed
	s.old, err = parseSize(old)
	if err != nil {
		return s, err
	}
	for _, line := range lines[1:] {
		hash, err := parseHash(line)
		if err != nil {
			return s, err
		}
		s.proof = append(s.proof, hash)
	}
	checkpoint := strings.SplitN(signed, "\n", 4)
	if len(checkpoint) < 4 || checkpoint[0] == "" {
		return s, errors.New("not a signed checkpoint")
	}
	s.Origin = checkpoint[0]
	s.Size, err = parseSize(checkpoint[1])
	if err != nil {
		return s, err
	}
	s.Root, err = parseHash(checkpoint[2])
	return s, err
}

// parseSize parses a canonical size of a tree.
func parseSize(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || strconv.FormatInt(n, 10) != text {
		return 0, errors.New("not the size of a tree")
	}
	return n, nil
}

func parseHash(text string) (h tlog.Hash, err error) {
	data, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || len(data) != tlog.HashSize {
		return h, errors.New("not a hash in base64")
	}
	return tlog.Hash(data), nil
}

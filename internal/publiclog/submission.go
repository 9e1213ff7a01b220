package publiclog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"kaibao/internal/db"
	"kaibao/internal/protocol"
)

// maxAnswer is the maximum size of a witness's answer, in bytes. Some witnesses have several keys.
const maxAnswer = 16 << 10

// endOfTime is after every Unix second.
const endOfTime = math.MaxInt64

// submission is a request for a witness's cosignature.
type submission struct {
	protocol.Witness
	url    string
	origin string // of the log
	old    int64  // size of the last tree that the witness has cosigned, as far as known
}

// submissionOutcome is how a submission ended.
type submissionOutcome struct {
	cosignature
	size   int64 // of the tree that the witness has cosigned now, as far as known
	result SubmissionResult
	cause  error // why there is no cosignature
}

// requestCosignature submits an attempt's checkpoint to a witness (C2SP tlog-witness). If the witness
// has cosigned another size than assumed, it tries once more with that one.
func (l *Log) requestCosignature(ctx context.Context, r *cosigningAttempt, s submission) submissionOutcome {
	failed := func(size int64, result SubmissionResult, cause error) submissionOutcome {
		return submissionOutcome{size: size, result: result, cause: cause}
	}
	for retry := false; ; retry = true {
		proof, err := l.proveConsistency(ctx, r.epoch, s.old, r.size)
		if err != nil {
			return failed(s.old, Unreachable, fmt.Errorf("prove that the tree extends the witness's: %w", err))
		}
		status, answer, err := l.post(ctx, s, proof, r.checkpoint)
		switch {
		case err != nil:
			return failed(s.old, Unreachable, err)
		case status == http.StatusOK:
			c, result, cause := l.accept(r.checkpoint, s.Witness, answer)
			return submissionOutcome{c, r.size, result, cause}
		case status != http.StatusConflict:
			return failed(s.old, Refused, fmt.Errorf("it answered with status %d", status))
		}
		size, err := strconv.ParseInt(strings.TrimSuffix(answer, "\n"), 10, 64)
		if err != nil || size < 0 {
			return failed(s.old, Refused, errors.New("it answered with status 409, but without a size"))
		}
		if retry || size > r.size || size == s.old {
			return failed(size, Conflicting, fmt.Errorf("it has cosigned a tree of %d leaves that this log's %d don't extend", size, r.size))
		}
		s.old = size
	}
}

// accept verifies a witness's answer, and that its time is plausible.
func (l *Log) accept(checkpoint string, w protocol.Witness, answer string) (c cosignature, result SubmissionResult, cause error) {
	c, err := openCosignature(checkpoint, w, answer)
	if err != nil {
		return c, Invalid, err
	}
	now := l.db.Now()
	if at := time.Unix(c.at, 0); at.After(now.Add(maxAhead)) || at.Before(now.Add(-maxBehind)) {
		return c, WrongTime, fmt.Errorf("its clock shows %s, this node's %s", at.UTC().Format(time.RFC3339), now.UTC().Format(time.RFC3339))
	}
	return c, Cosigned, nil
}

// post sends a submission and returns the answer.
func (l *Log) post(ctx context.Context, s submission, proof tlog.TreeProof, checkpoint string) (status int, answer string, err error) {
	var body strings.Builder
	_, _ = fmt.Fprintf(&body, "old %d\n", s.old)
	for _, hash := range proof {
		body.WriteString(hash.String() + "\n")
	}
	body.WriteString("\n" + checkpoint)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+"/add-checkpoint", strings.NewReader(body.String()))
	if err != nil {
		return 0, "", err
	}
	request.Header.Set("Content-Type", "text/plain; charset=utf-8")
	response, err := l.cosigning.client.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	return response.StatusCode, string(text), err
}

// proveConsistency proves that a tree extends a smaller one. The proof is empty for the empty tree,
// the same tree and larger ones.
func (l *Log) proveConsistency(ctx context.Context, epoch, old, size int64) (proof tlog.TreeProof, err error) {
	if old == 0 || old >= size {
		return nil, nil
	}
	err = l.db.Read(ctx, func(tx *db.Tx) (err error) {
		proof, err = tlog.ProveTree(size, old, storedHashes{tx, epoch, tiles{}})
		return err
	})
	return proof, err
}

// isPublic reports whether a witness's address may be on the public internet. Loopback and private
// addresses, localhost and names without a dot aren't.
func isPublic(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return true
	}
	host := u.Hostname()
	if ip, err := netip.ParseAddr(host); err == nil {
		return !ip.IsLoopback() && !ip.IsPrivate() && !ip.IsLinkLocalUnicast()
	}
	return strings.Contains(host, ".") && !strings.HasSuffix(host, ".internal") && !strings.HasSuffix(host, ".localhost")
}

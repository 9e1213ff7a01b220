package publiclog

import (
	"context"
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

// requestCosignature submits a round's checkpoint to a witness (C2SP tlog-witness). If the witness
// has cosigned another size than assumed, it tries once more with that one. It returns the size that
// the witness has cosigned now.
func (l *Log) requestCosignature(ctx context.Context, r *cosigningRound, s submission) (c cosignature, size int64, result SubmissionResult) {
	for retry := false; ; retry = true {
		proof, err := l.proveConsistency(ctx, r.epoch, s.old, r.size)
		if err != nil {
			return c, s.old, Unreachable
		}
		status, answer, err := l.post(ctx, s, proof, r.checkpoint)
		switch {
		case err != nil:
			return c, s.old, Unreachable
		case status == http.StatusOK:
			c, result := l.accept(r.checkpoint, s.Witness, answer)
			return c, r.size, result
		case status != http.StatusConflict:
			return c, s.old, Refused
		}
		size, err := strconv.ParseInt(strings.TrimSuffix(answer, "\n"), 10, 64)
		if err != nil || size < 0 {
			return c, s.old, Refused
		}
		if retry || size > r.size || size == s.old {
			return c, size, Conflicting
		}
		s.old = size
	}
}

// accept verifies a witness's answer, and that its time is plausible.
func (l *Log) accept(checkpoint string, w protocol.Witness, answer string) (cosignature, SubmissionResult) {
	c, err := openCosignature(checkpoint, w, answer)
	if err != nil {
		return c, Invalid
	}
	now := l.db.Now()
	if at := time.Unix(c.at, 0); at.After(now.Add(maxAhead)) || at.Before(now.Add(-maxBehind)) {
		return c, WrongTime
	}
	return c, Cosigned
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

package publiclog_test

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"kaibao/internal/protocol"
	log "kaibao/internal/publiclog"
)

// witnessDouble is a witness written from the text of C2SP tlog-witness and tlog-cosignature. It
// checks the consistency of what it gets, but not the log's signature.
type witnessDouble struct {
	log.WitnessAddress
	key ed25519.PrivateKey
	now func() time.Time

	mutex    sync.Mutex
	size     int64
	root     tlog.Hash
	requests []string                        // first lines
	behave   func(http.Handler) http.Handler // nil = honestly
	alter    func(line string) string        // nil = not at all
	ahead    time.Duration                   // of its clock
}

func newWitness(t *testing.T, name string, now func() time.Time) *witnessDouble {
	t.Helper()
	public, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	w := &witnessDouble{key: key, now: now, root: sha256.Sum256(nil)}
	w.Witness = protocol.Witness{Name: name, Key: [ed25519.PublicKeySize]byte(public)}
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.mutex.Lock()
		behave := w.behave
		w.mutex.Unlock()
		honest := http.Handler(http.HandlerFunc(w.addCheckpoint))
		if behave != nil {
			honest = behave(honest)
		}
		honest.ServeHTTP(rw, r)
	}))
	t.Cleanup(server.Close)
	w.URL = server.URL
	return w
}

// set changes the witness while others may use it.
func (w *witnessDouble) set(change func()) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	change()
}

func (w *witnessDouble) addCheckpoint(rw http.ResponseWriter, r *http.Request) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	body, err := io.ReadAll(r.Body)
	head, note, found := strings.Cut(string(body), "\n\n")
	lines := strings.Split(head, "\n")
	w.requests = append(w.requests, lines[0])
	if err != nil || !found || r.Method != http.MethodPost || r.URL.Path != "/add-checkpoint" {
		http.Error(rw, "malformed", http.StatusBadRequest)
		return
	}
	old, err := strconv.ParseInt(strings.TrimPrefix(lines[0], "old "), 10, 64)
	text, _, _ := strings.Cut(note, "\n\n")
	checkpoint := strings.Split(text, "\n")
	size, sizeErr := strconv.ParseInt(checkpoint[1], 10, 64)
	root, rootErr := tlog.ParseHash(checkpoint[2])
	var proof tlog.TreeProof
	for _, line := range lines[1:] {
		hash, err := tlog.ParseHash(line)
		if err != nil {
			http.Error(rw, "malformed", http.StatusBadRequest)
			return
		}
		proof = append(proof, hash)
	}
	switch {
	case err != nil || sizeErr != nil || rootErr != nil || old > size || strings.Count(note, "\u2014") != 1:
		http.Error(rw, "malformed", http.StatusBadRequest)
	case old != w.size, old == size && root != w.root:
		rw.Header().Set("Content-Type", "text/x.tlog.size")
		rw.WriteHeader(http.StatusConflict)
		_, _ = fmt.Fprintf(rw, "%d\n", w.size)
	case (old == 0 || old == size) && len(proof) > 0, old > 0 && old < size && tlog.CheckTree(proof, size, root, old, w.root) != nil:
		http.Error(rw, "not consistent", http.StatusUnprocessableEntity)
	default:
		w.size, w.root = size, root
		line := w.cosign(text+"\n", w.now().Add(w.ahead))
		if w.alter != nil {
			line = w.alter(line)
		}
		_, _ = io.WriteString(rw, line)
	}
}

// cosign returns a signature line.
func (w *witnessDouble) cosign(text string, at time.Time) string {
	id := sha256.Sum256(append([]byte(w.Name+"\n\x04"), w.Key[:]...))
	body := binary.BigEndian.AppendUint64(id[:4:4], uint64(at.Unix()))
	body = append(body, ed25519.Sign(w.key, fmt.Appendf(nil, "cosignature/v1\ntime %d\n%s", at.Unix(), text))...)
	return "\u2014 " + w.Name + " " + base64.StdEncoding.EncodeToString(body) + "\n"
}

// count returns how many requests the witness got.
func (w *witnessDouble) count() int {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return len(w.requests)
}

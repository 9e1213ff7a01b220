package publiclog

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/klauspost/compress/flate"

	"kaibao/internal/protocol"
)

// openID returns the id of the open that a leaf belongs to, or "" for other kinds of leaf. An order
// has the id of its later open or void.
func openID(leaf string) string {
	kind, rest, _ := strings.Cut(leaf, "\nid ")
	switch kind {
	case protocol.OpenHeader, protocol.OrderHeader, protocol.SealedOpenHeader, protocol.VoidHeader:
		id, _, _ := strings.Cut(rest, "\n")
		return id
	}
	return ""
}

func isOrder(leaf string) bool { return strings.HasPrefix(leaf, protocol.OrderHeader+"\n") }

// leafRow is a run of consecutive leaves within one entry bundle.
type leafRow struct {
	position
	leaves []string
}

// splitRows splits leaves into rows. The first leaf goes to the given position.
func splitRows(at position, leaves []string) (rows []leafRow) {
	for len(leaves) > 0 {
		n := min(int64(len(leaves)), tileWidth-at.index%tileWidth)
		rows = append(rows, leafRow{at, leaves[:n]})
		leaves, at.index = leaves[n:], at.index+n
	}
	return rows
}

// openIDRange returns the smallest and largest id of opens in the leaves.
func openIDRange(leaves []string) (oldest, newest string) {
	for _, leaf := range leaves {
		id := openID(leaf)
		if id == "" {
			continue
		}
		if oldest == "" || id < oldest {
			oldest = id
		}
		newest = max(newest, id)
	}
	return oldest, newest
}

// encodeBundle encodes leaves as an entry bundle: each is prefixed with its length in two bytes.
func encodeBundle(leaves []string) []byte {
	var data []byte
	for _, leaf := range leaves {
		data = binary.BigEndian.AppendUint16(data, uint16(len(leaf)))
		data = append(data, leaf...)
	}
	return data
}

// compressors pools compressors, since each is larger than its output.
var compressors = sync.Pool{New: func() any {
	w, _ := flate.NewWriter(nil, flate.BestSpeed) // the level is valid
	return w
}}

// compress compresses a bundle for storage. Leaves contain much hex, which is twice as long as its
// data.
func compress(data []byte) []byte {
	var b bytes.Buffer
	w := compressors.Get().(*flate.Writer)
	defer compressors.Put(w)
	w.Reset(&b)
	_, _ = w.Write(data) // can't fail: writes to memory
	_ = w.Close()
	return b.Bytes()
}

// decodeLeaves decodes a stored bundle.
func decodeLeaves(stored []byte) (leaves []string, err error) {
	data, err := io.ReadAll(flate.NewReader(bytes.NewReader(stored)))
	if err != nil {
		return nil, fmt.Errorf("inflate leaves: %w", err)
	}
	for text := string(data); text != ""; {
		if len(text) < 2 || len(text) < 2+int(binary.BigEndian.Uint16([]byte(text[:2]))) {
			return nil, fmt.Errorf("%d leaves are followed by %d stray bytes", len(leaves), len(text))
		}
		end := 2 + int(binary.BigEndian.Uint16([]byte(text[:2])))
		leaves, text = append(leaves, text[2:end]), text[end:]
	}
	return leaves, nil
}

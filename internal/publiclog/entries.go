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

// openHead is how the leaf of an open begins, up to its id.
const openHead = protocol.OpenHeader + "\nid "

// openID is the id of the open that a leaf is of, "" of any other leaf.
func openID(leaf string) string {
	rest, ok := strings.CutPrefix(leaf, openHead)
	id, _, _ := strings.Cut(rest, "\n")
	if !ok {
		return ""
	}
	return id
}

// row is leaves that lie beside each other, within one entry bundle.
type row struct {
	place
	leaves []string
}

// rowsOf cuts leaves, of which the first one is to be at a place, into rows.
func rowsOf(at place, leaves []string) (rows []row) {
	for len(leaves) > 0 {
		n := min(int64(len(leaves)), tileWidth-at.index%tileWidth)
		rows = append(rows, row{at, leaves[:n]})
		leaves, at.index = leaves[n:], at.index+n
	}
	return rows
}

// span is the smallest and the largest id of the opens among some leaves.
func span(leaves []string) (oldest, newest string) {
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

// bundle is leaves as an entry bundle has them, each behind its length in two bytes.
func bundle(leaves []string) []byte {
	var data []byte
	for _, leaf := range leaves {
		data = binary.BigEndian.AppendUint16(data, uint16(len(leaf)))
		data = append(data, leaf...)
	}
	return data
}

// deflaters are kept, as each is larger than what it writes.
var deflaters = sync.Pool{New: func() any {
	w, _ := flate.NewWriter(nil, flate.BestSpeed) // the level is one there is
	return w
}}

// deflated is a bundle as it is stored: hex is twice as long as what it says.
func deflated(data []byte) []byte {
	var b bytes.Buffer
	w := deflaters.Get().(*flate.Writer)
	defer deflaters.Put(w)
	w.Reset(&b)
	_, _ = w.Write(data) // into memory
	_ = w.Close()
	return b.Bytes()
}

// leavesOf reads a stored bundle.
func leavesOf(stored []byte) (leaves []string, err error) {
	data, err := io.ReadAll(flate.NewReader(bytes.NewReader(stored)))
	if err != nil {
		return nil, fmt.Errorf("inflate leaves: %w", err)
	}
	for text := string(data); text != ""; {
		if len(text) < 2 || len(text) < 2+int(binary.BigEndian.Uint16([]byte(text[:2]))) {
			return nil, fmt.Errorf("%d leaves are followed by %d bytes of another one", len(leaves), len(text))
		}
		end := 2 + int(binary.BigEndian.Uint16([]byte(text[:2])))
		leaves, text = append(leaves, text[2:end]), text[end:]
	}
	return leaves, nil
}

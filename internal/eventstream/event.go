package eventstream

import (
	"bytes"
	"context"
)

// Event is one server-sent event (WHATWG HTML, section 9.2).
type Event struct {
	ID   string // a reader that reconnects continues after this id; one line
	Name string // the event type; one line
	Data []byte // text; nil = the reader only stores the id
}

// Append appends the encoded event to a text.
func (e Event) Append(text []byte) []byte {
	if e.ID != "" {
		text = append(append(append(text, "id: "...), e.ID...), '\n')
	}
	if e.Name != "" {
		text = append(append(append(text, "event: "...), e.Name...), '\n')
	}
	if e.Data != nil {
		for line := range bytes.SplitSeq(e.Data, []byte("\n")) {
			text = append(append(append(text, "data: "...), line...), '\n')
		}
	}
	return append(text, '\n')
}

// Next returns the encoded events that a reader has not received yet, or nothing. It is called again
// after Streams.Wake. An error ends the stream; io.EOF ends it without a log line.
type Next func(ctx context.Context) (text []byte, err error)

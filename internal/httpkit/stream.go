package httpkit

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// Event is what a stream tells at once (WHATWG HTML, 9.2 Server-sent events).
type Event struct {
	ID   string // what a reader that comes again names to go on after it; one line
	Name string // of the kind; one line
	Data []byte // text
}

func (e Event) text() []byte {
	var b bytes.Buffer
	if e.ID != "" {
		b.WriteString("id: " + e.ID + "\n")
	}
	if e.Name != "" {
		b.WriteString("event: " + e.Name + "\n")
	}
	for line := range bytes.SplitSeq(e.Data, []byte("\n")) {
		b.WriteString("data: ")
		b.Write(line)
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
	return b.Bytes()
}

const (
	eventStream = "text/event-stream"
	lastEventID = "Last-Event-ID"

	// streamTime is how long a stream lasts, unless its route says otherwise. Then the
	// browser comes again by itself, and who it is is looked at again.
	streamTime = time.Hour
	// quietTime is after how long without an event a stream shows that it lives, or
	// whoever stands between would end it.
	quietTime = 15 * time.Second
	// takingTime is how long a reader may take to take what it is told, and endingTime
	// to take the end: together less than a node has to end.
	takingTime = 5 * time.Second
	endingTime = time.Second
)

// heartbeat is a comment: readers pass over it.
const heartbeat = ":\n\n"

// Stream registers an event stream. open is called for each reader that is let in,
// with the id of the last event that it has, or nothing; it refuses, or gives the
// events to come. They end when the channel is closed, and the context of open ends
// when nobody reads any more: the reader has left or is too slow, the route's time is
// over, or the node ends.
func (k *Kit) Stream(route Route, open func(ctx context.Context, last string) (<-chan Event, error)) {
	route.stream, route.TimeLimit = true, cmp.Or(route.TimeLimit, streamTime)
	k.Raw(route, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, end := context.WithCancel(r.Context())
		defer end()
		defer context.AfterFunc(k.streaming, end)()
		events, err := open(ctx, r.Header.Get(lastEventID))
		if err != nil {
			k.Fail(w, r, err)
			return
		}
		w.Header().Set("Content-Type", eventStream)
		w.Header().Set("X-Accel-Buffering", "no") // nginx would hold events back
		if r.Method != http.MethodHead {
			k.tell(ctx, w, events)
		}
	}))
	k.describeRaw(route, eventStream, &huma.Param{
		Name: lastEventID, In: "header", Description: "Of the last event that the reader has.", Schema: &huma.Schema{Type: huma.TypeString},
	})
}

// tell writes events until there are no more, or nobody to read them.
func (k *Kit) tell(ctx context.Context, w http.ResponseWriter, events <-chan Event) {
	connection := http.NewResponseController(w)
	text, going := []byte(heartbeat), true // at once, so that the reader knows that it was let in
	quiet := time.NewTimer(quietTime)
	defer quiet.Stop()
	for going {
		if !k.write(connection, w, text) {
			return
		}
		quiet.Reset(quietTime)
		select {
		case <-ctx.Done():
			_ = connection.SetWriteDeadline(k.Clock().Add(endingTime))
			return
		case e, more := <-events:
			text, going = e.text(), more
		case <-quiet.C:
			text = []byte(heartbeat)
		}
	}
}

// write says whether the reader took the text in time.
func (k *Kit) write(connection *http.ResponseController, w io.Writer, text []byte) bool {
	if err := connection.SetWriteDeadline(k.Clock().Add(takingTime)); err != nil {
		return false
	}
	if _, err := w.Write(text); err != nil {
		return false
	}
	return connection.Flush() == nil
}

package apptest

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// FeedEvent is an event of the feed. An own event has no ID.
type FeedEvent struct {
	ID         int64
	Kind, Data string // empty if the stream only states its position
}

// Feed is an open event stream.
type Feed struct{ lines *bufio.Reader }

// Follow opens the feed after an event, or from now on if last is empty, until ctx ends.
func (c *Client) Follow(ctx context.Context, last string) (*Feed, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.Base+"/api/feed", http.NoBody)
	if err != nil {
		return nil, err
	}
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	answer, err := c.HTTP.Do(r)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the feed answers %s: %w", answer.Status, answer.Body.Close())
	}
	return &Feed{bufio.NewReader(answer.Body)}, nil
}

// Next waits for the next event and skips comments.
func (f *Feed) Next() (event FeedEvent, err error) {
	for begun := false; ; {
		line, err := f.lines.ReadString('\n')
		if err != nil {
			return event, err
		}
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch name {
		case "id":
			begun = true
			event.ID, err = strconv.ParseInt(value, 10, 64)
		case "event":
			event.Kind = value
		case "data":
			event.Data += value
		case "":
			if begun || event.Kind == "own" {
				return event, nil
			}
			event = FeedEvent{}
		}
		if err != nil {
			return event, err
		}
	}
}

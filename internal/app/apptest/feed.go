package apptest

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// Told is an event of the feed.
type Told struct {
	ID         int64
	Kind, Data string // empty where the stream only says where it is
}

// Feed is a stream of events that is being read.
type Feed struct{ lines *bufio.Reader }

// Follow reads the feed behind an event, or from now on where last is empty, until ctx ends.
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

// Next waits for the next event. Comments it passes over.
func (f *Feed) Next() (told Told, err error) {
	for begun := false; ; {
		line, err := f.lines.ReadString('\n')
		if err != nil {
			return told, err
		}
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch name {
		case "id":
			begun = true
			told.ID, err = strconv.ParseInt(value, 10, 64)
		case "event":
			told.Kind = value
		case "data":
			told.Data += value
		case "":
			if begun {
				return told, nil
			}
		}
		if err != nil {
			return told, err
		}
	}
}

package feed

import (
	"kaibao/internal/eventstream"
	"kaibao/internal/httpapi"
)

const feedDescription = `Server-sent events, each with a JSON object as its data. Event ids count up from 1 and are the same on every node; ` +
	`after a restore of the database they skip a billion. To resume after a disconnect, send the last id received: the stream continues after it, without duplicates. ` +
	`Without an id the stream starts now, with a message that contains only the current id. If the id is unknown, or older than 24 hours, the first event is a reset.

| event | data |
|---|---|
| open | a pack was opened; same format as in /api/activity/recent, with the handle only right after it. At most the 20 most valuable per second |
| more | {count, packIds}: the other opens of that second, including those of users who have since excluded themselves |
| listing | {inventoryId, listingId, priceCents, item}: new listing, or new price |
| delisted | {inventoryId, itemId}: no longer for sale |
| sale | {inventoryId, kind, priceCents, item, at}: sale between users; kind is what was accepted: listing, bid or counter |
| left | {inventoryId, itemId}: the item was sold back or claimed |
| book | {itemId, inventoryId}: bids changed; an id is empty if the change isn't specific to it |
| value | {itemId, valueCents}: new value of an item |
| item | {itemId}: the item's name, picture or other fields changed |
| leaderboard | {}: the leaderboards changed; at most once a second |
| reset | {}: events were missed; reload all data |
| own | {ids}: which of the events that follow are about an entry or bid of the signed-in user: listing, delisted, sale, left, book. Without an id, and only in that user's stream |

item is {id, name, imageUrl, series, rarity}. After 15 seconds without an event a heartbeat {} without an id is sent. The server ends the stream after at most an hour, or if the client reads too slowly.`

// Routes registers the stream's route.
func (s *Service) Routes(api *httpapi.API) {
	streams := eventstream.New(api)
	s.wake, s.viewer, s.streams = streams.Wake, api.Viewer, streams.Len
	route := httpapi.Get(httpapi.Public, "/api/feed", "follow-feed", "Stream of market events")
	route.Description = feedDescription
	streams.Handle(route, s.open)
}

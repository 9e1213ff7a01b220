package feed

import (
	"kaibao/internal/eventstream"
	"kaibao/internal/httpapi"
)

const contract = `Server-sent events, each with a JSON object as its data. Its id is its number among the market's events, the same on every node: 1, 2, 3 …; ` +
	`after a restore of the database a thousand million are left out. Who comes again names the last id that they have and is told what followed, nothing twice. ` +
	`Without one the stream begins now, and the first thing in it is an id alone. Where what followed is kept no more (24 hours), or nobody has given that id, the first event is a reset.

| event | data |
|---|---|
| open | a pack was opened: as an element of /api/activity/recent. At most 20 a second, the most valuable |
| more | {count, packIds}: opens of that second beside those 20, and those of who excluded themselves since |
| listing | {inventoryId, listingId, priceCents, item}: for sale now, or at another price |
| delisted | {inventoryId, itemId}: for sale no more |
| sale | {inventoryId, kind, priceCents, item, at}: between users; kind says what was taken: listing, bid, counter |
| left | {inventoryId, itemId}: sold back, or claimed |
| book | {itemId, inventoryId}: bids on it changed; each empty where it is not about one |
| value | {itemId, valueCents}: what an item is worth now |
| item | {itemId}: it has another name, picture or kind |
| leaderboard | {}: the boards have changed; at most once a second |
| reset | {}: read everything afresh |

item is {id, name, imageUrl, series, rarity}. After 15 seconds without an event a heartbeat {} shows that the stream lives; it has no id. The stream ends after an hour at most, and when its reader is too slow.`

// Routes registers the stream's route.
func (s *Service) Routes(api *httpapi.API) {
	streams := eventstream.New(api)
	s.wake = streams.Wake
	route := httpapi.Get(httpapi.Public, "/api/feed", "follow-feed", "What happens, while it happens")
	route.Description = contract
	streams.Handle(route, s.open)
}

package packs

import (
	"context"
	"encoding/binary"
	"slices"
	"strconv"

	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/houserules"
	"kaibao/internal/httpapi"
	"kaibao/internal/money"
	"kaibao/internal/protocol"
)

type cardsInput struct {
	ID httpapi.PathID `path:"id"`
	httpapi.Page
	Search string `query:"search" maxLength:"100" doc:"Up to 8 different words, or the starts of words, in any order."`
}

// cardOrder is the order of protocol.CompareCards, for cursors. The cards aren't read from the database,
// so it has no columns. Values are negated because all keys of an order have the same direction.
var cardOrder = db.Order[protocol.CardChance]{Keys: []db.Key[protocol.CardChance]{
	db.Number("", func(c protocol.CardChance) money.Cents { return -c.Value }),
	db.BytewiseText("", func(c protocol.CardChance) string { return c.ID }),
}}

// listCards returns a page of the cards that the pack can yield now.
func (s *Service) listCards(ctx context.Context, in cardsInput) (list *httpapi.List[CardView], err error) {
	page, err := cardOrder.Select(in.Limit, in.Cursor)
	if err != nil {
		return nil, err
	}
	err = s.readLivePack(ctx, s.DB.Search, string(in.ID), func(tx *db.Tx, live *LivePack) error {
		cards := s.figuresOf(live).cards
		if in.Search != "" {
			found, err := catalogue.MatchingIDs(tx, idsOf(cards), in.Search)
			if err != nil {
				return err
			}
			cards = slices.DeleteFunc(slices.Clone(cards), func(c protocol.CardChance) bool { return !found[c.ID] })
		}
		list, err = cardPage(tx, cards, page)
		return err
	})
	return list, err
}

// cardPage returns a page of sorted cards.
func cardPage(tx *db.Tx, cards []protocol.CardChance, page *db.Selection[protocol.CardChance]) (*httpapi.List[CardView], error) {
	list := &httpapi.List[CardView]{Body: []CardView{}, Total: strconv.Itoa(len(cards))}
	if after, _ := page.Start(); after != nil {
		last := protocol.Card{Value: -money.Cents(after[0].(int64)), ID: after[1].(string)}
		n, found := slices.BinarySearchFunc(cards, last, func(c protocol.CardChance, last protocol.Card) int { return protocol.CompareCards(c.Card, last) })
		if found {
			n++
		}
		cards = cards[n:]
	}
	if len(cards) > page.Limit() {
		cards = cards[:page.Limit()]
		page.EndAt(cards[len(cards)-1])
	}
	items, err := catalogue.Items(tx, idsOf(cards))
	for _, card := range cards {
		list.Body = append(list.Body, CardView{Item: cardItem(items, card.Card), ValueCents: card.Value, Chance: card.Chance})
	}
	list.Next = page.Next()
	return list, err
}

func idsOf(cards []protocol.CardChance) []string {
	ids := make([]string, len(cards))
	for n, card := range cards {
		ids[n] = card.ID
	}
	return ids
}

// demo draws the card of a demo open, by the house rule.
func (s *Service) demo(ctx context.Context, in *detailInput) (v DemoView, err error) {
	err = s.readLivePack(ctx, s.DB.Read, string(in.ID), func(tx *db.Tx, live *LivePack) error {
		cards := s.figuresOf(live).cards
		if len(cards) == 0 { // sold out: show what the pack could yield when it was published
			cards = protocol.Chances(live.Current.Manifest, nil)
		}
		if len(cards) == 0 {
			return protocol.ErrSoldOut
		}
		card := pickDemoCard(cards, s.Rules.DemoOdds, binary.BigEndian.Uint64(tx.Random(8)))
		items, err := catalogue.Items(tx, []string{card.ID})
		v = DemoView{Item: cardItem(items, card.Card), Chance: card.Chance}
		return err
	})
	return v, err
}

// pickDemoCard picks a card with a random number: by the cards' chances, or each with the same one.
func pickDemoCard(cards []protocol.CardChance, rule houserules.DemoOdds, random uint64) protocol.CardChance {
	roll := float64(random>>11) / (1 << 53) // 0 ≤ roll < 1
	if rule == houserules.UniformOdds {
		return cards[int(roll*float64(len(cards)))]
	}
	for _, card := range cards {
		roll -= card.Chance
		if roll < 0 {
			return card
		}
	}
	return cards[len(cards)-1] // the chances add up to 1 except for rounding
}

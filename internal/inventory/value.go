package inventory

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

const (
	maxMicros = math.MaxInt64
	day       = 24 * time.Hour
)

// CollectionValue is what a user's items were worth on each day, and what the user paid for them.
type CollectionValue struct {
	FirstDay *string    `json:"firstDay" nullable:"true" format:"date" doc:"The day on which the caller got their first item; null if they never had one."`
	Days     []ValueDay `json:"days" nullable:"false" doc:"All requested days up to today, oldest first."`
}

// ValueDay is the collection at the end of a day, or now.
type ValueDay struct {
	Day        string      `json:"day" format:"date" doc:"In UTC."`
	ValueCents money.Cents `json:"valueCents" doc:"Value of the items that the caller owned at the end of the day (today: owns now), including listed ones and those being shipped or given."`
	PaidCents  money.Cents `json:"paidCents" doc:"What the caller paid for those items."`
}

type valueInput struct {
	From string `query:"from" format:"date" doc:"First day (UTC). By default 29 days before the last one."`
	To   string `query:"to" format:"date" doc:"Last day (UTC), by default today. A request covers at most 1,830 days."`
}

func valueRoutes(api *httpapi.API) {
	httpapi.JSON(api, httpapi.Get(httpapi.Session, "/api/inventory/value", "get-collection-value", "Value of the caller's items by day, and what they cost"),
		func(ctx context.Context, in *valueInput) (value CollectionValue, err error) {
			err = api.DB.Search(ctx, func(tx *db.Tx) error {
				value, err = collectionValue(tx, httpapi.Caller(ctx).UserID, in)
				return err
			})
			return value, err
		})
}

// days returns the starts (midnight UTC) of the first and the last requested day.
func (in *valueInput) days(now time.Time) (first, last time.Time, err error) {
	last = now.UTC().Truncate(day)
	if in.To != "" {
		last, err = parseDay("to", in.To)
	}
	if err != nil {
		return first, last, err
	}
	first = last.Add(-(policy.DefaultValueDays - 1) * day)
	if in.From != "" {
		first, err = parseDay("from", in.From)
	}
	switch {
	case err != nil:
	case first.After(last):
		err = apperr.InvalidField("from", "must not be after to")
	case last.Sub(first) >= policy.MaxValueDays*day:
		err = apperr.InvalidField("from", "must be less than 1,830 days before to")
	}
	return first, last, err
}

func parseDay(field, text string) (time.Time, error) {
	at, err := time.Parse(time.DateOnly, text)
	if err != nil || at.Year() < 1970 {
		return at, apperr.InvalidField(field, "must be a day such as 2026-01-31")
	}
	return at, nil
}

func collectionValue(tx *db.Tx, user string, in *valueInput) (CollectionValue, error) {
	first, last, err := in.days(tx.Now)
	if err != nil {
		return CollectionValue{}, err
	}
	changes, err := ownerChanges(tx, user)
	if err != nil {
		return CollectionValue{}, err
	}
	value, ends := CollectionValue{Days: []ValueDay{}}, []int64{}
	for at := first; !at.After(last) && !at.After(tx.Now); at = at.Add(day) {
		value.Days = append(value.Days, ValueDay{Day: at.Format(time.DateOnly)})
		ends = append(ends, min(db.Micros(at.Add(day)), db.Micros(tx.Now)+1))
	}
	periods := ownerships(user, changes)
	if len(periods) == 0 {
		return value, nil
	}
	since := slices.MinFunc(periods, func(a, b ownership) int { return cmp.Compare(a.from, b.from) }).from
	value.FirstDay = new(db.Time(since).Format(time.DateOnly))
	if len(ends) == 0 {
		return value, nil
	}
	periods = slices.DeleteFunc(periods, func(p ownership) bool { return p.to < ends[0] })
	history, err := catalogue.RecentValues(tx, itemsOf(periods), first)
	if err != nil {
		return value, err
	}
	for n, total := range totals(periods, history, ends) {
		value.Days[n].ValueCents, value.Days[n].PaidCents = total.value, total.paid
	}
	return value, nil
}

// itemsOf returns the distinct items of periods, which must be sorted by item.
func itemsOf(periods []ownership) (items []string) {
	for _, p := range periods {
		items = append(items, p.item)
	}
	return slices.Compact(items)
}

// total is what a collection was worth at some time, and what it had cost.
type total struct{ value, paid money.Cents }

// totals returns the totals just before each of ends, which are ascending times in microseconds. periods
// is sorted by item. history has, for each item, the last value before ends[0] and all later ones.
func totals(periods []ownership, history map[string]catalogue.RecentHistory, ends []int64) []total {
	sums, paid := make([]total, len(ends)), make([]money.Cents, len(ends)+1)
	counts := make([]int64, len(ends)+1) // changes in the number of copies of one item
	for len(periods) > 0 {
		clear(counts)
		item := periods[0].item
		for ; len(periods) > 0 && periods[0].item == item; periods = periods[1:] {
			p := periods[0]
			got, lost := firstAfter(ends, p.from), firstAfter(ends, p.to)
			counts[got]++
			counts[lost]--
			paid[got] += p.paid
			paid[lost] -= p.paid
		}
		copies, values, value := int64(0), history[item], money.Cents(0)
		for n, end := range ends {
			for len(values) > 0 && db.Micros(values[0].At) < end {
				value, values = values[0].Value, values[1:]
			}
			copies += counts[n]
			sums[n].value += money.Cents(copies) * value
		}
	}
	cost := money.Cents(0)
	for n := range sums {
		cost += paid[n]
		sums[n].paid = cost
	}
	return sums
}

// firstAfter returns the index of the first of ends, which are ascending, that is after at.
func firstAfter(ends []int64, at int64) int {
	return sort.Search(len(ends), func(n int) bool { return ends[n] > at })
}

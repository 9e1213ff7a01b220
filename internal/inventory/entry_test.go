package inventory

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	states  = []State{Held, Listed, Claimed, Giving, SoldBack, Delivered, MadeGood}
	sources = []Source{FromPack, FromMarket, FromOffer, FromGift}
)

// The CHECK constraints must list the same states and sources as the code, and the partial indexes
// must match the queries.
func TestDatabaseConstraintsMatchStates(t *testing.T) {
	text, err := os.ReadFile("../db/migrations/00001_base.sql")
	if err != nil {
		t.Fatal(err)
	}
	latest, err := os.ReadFile("../db/migrations/00025_gifts.sql") // the last that changed the constraints
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(latest), "ALTER TABLE inventory DROP")
	table, _, _ = strings.Cut(table, "CREATE TABLE")
	for column, want := range map[string]string{"state": stateList(states...), "acquired_from": "'" + strings.Join(words(sources), "', '") + "'"} {
		check := regexp.MustCompile(`\b`+column+` IN \(([^)]*)\)`).FindAllStringSubmatch(table, -1)
		if len(check) != 1 || check[0][1] != want {
			t.Errorf("the CHECK of %s lists %q, want %s as in the code", column, check, want)
		}
	}
	partial := regexp.MustCompile(`ON inventory [^;]* WHERE state = ('[^']*')`).FindAllStringSubmatch(string(text), -1)
	if len(partial) == 0 || slices.ContainsFunc(partial, func(p []string) bool { return p[1] != stateList(Listed) }) {
		t.Errorf("the partial indexes are %q, want some, and all over %s", partial, stateList(Listed))
	}
}

func words[T ~string](values []T) (all []string) {
	for _, v := range values {
		all = append(all, string(v))
	}
	return all
}

// The rules in transitions must match this table from the design.
func TestActsMatchDesign(t *testing.T) {
	const owner, another = "owner", "another"
	allowed := map[string]bool{}
	for act := range transitions {
		for _, state := range states {
			for _, vaulted := range []bool{false, true} {
				for _, by := range []string{owner, another, House} {
					e := Entry{Owner: owner, State: state, Vaulted: vaulted}
					if e.Allows(act, by) {
						allowed[fmt.Sprintf("%s a %s one, vaulted %t: %s", act, state, vaulted, by)] = true
					}
				}
			}
		}
	}
	want := map[string]bool{"send to vault a held one, vaulted false: owner": true, "claim a held one, vaulted true: owner": true}
	for _, line := range []string{
		"list a held one: owner", "reprice a listed one: owner", "delist a listed one: owner", "delist a listed one: house",
		"buy a listed one: another", "fill a bid a held one: another", "fill a bid a listed one: another",
		"sell back a held one: owner", "cancel the claim a claimed one: owner", "cancel the claim a claimed one: house",
		"pack a claimed one: house", "ship a claimed one: house", "lose a claimed one: house", "replace a claimed one: house",
		"deliver a claimed one: house", "refund a claimed one: house",
		"offer as a gift a held one: owner", "accept the gift a giving one: another", "return the gift a giving one: owner", "return the gift a giving one: house",
		"extend the floor a held one: house", "extend the floor a claimed one: house",
	} {
		for _, vaulted := range []string{"false", "true"} {
			want[strings.Replace(line, ":", ", vaulted "+vaulted+":", 1)] = true
		}
	}
	if !maps.Equal(allowed, want) {
		t.Errorf("allowed:\n%s\nwant:\n%s", lines(allowed), lines(want))
	}
}

func lines(set map[string]bool) string { return strings.Join(slices.Sorted(maps.Keys(set)), "\n") }

// Every state can be reached from Held, and ended states can't be left.
func TestAllStatesAreReachable(t *testing.T) {
	reached := map[State]bool{}
	for queue := []State{Held}; len(queue) > 0; queue = queue[1:] {
		if reached[queue[0]] {
			continue
		}
		reached[queue[0]] = true
		out := false
		for _, r := range transitions {
			if slices.Contains(r.from, queue[0]) {
				queue, out = append(queue, cmp.Or(r.to, queue[0])), true
			}
		}
		if out == (Entry{State: queue[0]}).Ended() {
			t.Errorf("state %s counts as ended: %t, but acts lead out of it: %t", queue[0], out, out)
		}
	}
	if len(reached) != len(states) {
		t.Errorf("the reachable states are %v, want %v", reached, states)
	}
}

// After any act, an entry has a price and a listing exactly while it is listed, and a floor exactly
// while the puller owns it.
func TestActsKeepEntriesConsistent(t *testing.T) {
	now := time.UnixMicro(1)
	for act, r := range transitions {
		for _, from := range r.from {
			before := Entry{Owner: "owner", State: from, Vaulted: r.custody == inside, AcquiredFrom: FromPack, SellBackFloor: 90, SellBackUntil: now, EndedListing: "1"}
			if from == Listed {
				before.ListingID, before.SalePrice = "2", 100
			}
			for _, by := range []string{"owner", "another", House} {
				e, err := before.after(act, by, now)
				switch {
				case !before.Allows(act, by):
					if err == nil || e != before {
						t.Errorf("forbidden act %q by %s has the error %v and leads to %+v, want an error and no change", act, by, err, e)
					}
				case err != nil || e.State != cmp.Or(r.to, from):
					t.Errorf("act %q by %s has the error %v and leads to state %s, want %s", act, by, err, e.State, cmp.Or(r.to, from))
				case e.ListingID != "" || e.SalePrice != 0 || (e.EndedListing == "2") != (from == Listed):
					t.Errorf("act %q by %s leaves %+v, want no price and listing, and the listing ended if it was listed", act, by, e)
				case (e.SellBackFloor == 0) != (r.source != "") || e.SellBackUntil.IsZero() != (r.source != ""):
					t.Errorf("act %q by %s leaves the floor %s until %s, want one exactly if the owner stays", act, by, e.SellBackFloor, e.SellBackUntil)
				}
			}
		}
	}
}

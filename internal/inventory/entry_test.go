package inventory

import (
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
	states  = []State{Held, Listed, Claimed, SoldBack, Delivered, MadeGood}
	sources = []Source{FromPack, FromMarket, FromOffer}
)

// The CHECK constraints must list the same states and sources as the code, and the partial indexes
// must match the queries.
func TestDatabaseConstraintsMatchStates(t *testing.T) {
	text, err := os.ReadFile("../db/migrations/00001_base.sql")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "CREATE TABLE inventory (")
	table, _, _ = strings.Cut(table, "\n);")
	for column, want := range map[string]string{"state": stateList(states...), "acquired_from": "'" + strings.Join(words(sources), "', '") + "'"} {
		check := regexp.MustCompile(`\b`+column+` IN \(([^)]*)\)`).FindAllStringSubmatch(table, -1)
		if len(check) != 1 || check[0][1] != want {
			t.Errorf("the CHECK of %s has %q, the code %s", column, check, want)
		}
	}
	partial := regexp.MustCompile(`ON inventory [^;]* WHERE state = ('[^']*')`).FindAllStringSubmatch(string(text), -1)
	if len(partial) == 0 || slices.ContainsFunc(partial, func(p []string) bool { return p[1] != stateList(Listed) }) {
		t.Errorf("partial indexes %q; the marketplace needs those over %s", partial, stateList(Listed))
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
	for ways := []State{Held}; len(ways) > 0; ways = ways[1:] {
		if reached[ways[0]] {
			continue
		}
		reached[ways[0]] = true
		out := false
		for _, r := range transitions {
			if slices.Contains(r.from, ways[0]) {
				ways, out = append(ways, r.to), true
			}
		}
		if out == (Entry{State: ways[0]}).Ended() {
			t.Errorf("%s: ended %t, but acts lead out of it: %t", ways[0], !out, out)
		}
	}
	if len(reached) != len(states) {
		t.Errorf("only %v are reachable", reached)
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
						t.Errorf("%s by %s: %v, %+v", act, by, err, e)
					}
				case err != nil || e.State != r.to:
					t.Errorf("%s by %s: %v, %s", act, by, err, e.State)
				case e.ListingID != "" || e.SalePrice != 0 || (e.EndedListing == "2") != (from == Listed):
					t.Errorf("%s by %s leaves %+v", act, by, e)
				case (e.SellBackFloor == 0) != (r.source != "") || e.SellBackUntil.IsZero() != (r.source != ""):
					t.Errorf("%s by %s leaves the floor %s until %s", act, by, e.SellBackFloor, e.SellBackUntil)
				}
			}
		}
	}
}

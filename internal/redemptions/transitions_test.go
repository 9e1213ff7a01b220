package redemptions

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var allSteps = []Step{Request, Cancel, Pack, Ship, Deliver, Lose, Replace, Refund}

// For every combination of state, step and actor, only the designed transitions are allowed.
func TestStepsMatchDesign(t *testing.T) {
	want := strings.Split(strings.TrimSpace(`
requested cancel owner requested -> cancelled
requested cancel house requested -> cancelled
requested pack house requested -> packed
packed ship house packed -> shipped
packed lose house packed -> lost
shipped ship house shipped -> shipped
shipped deliver house shipped -> delivered
shipped lose house shipped -> lost
lost replace house lost -> replacing
lost refund house lost -> refunded
replacing ship house replacing -> shipped
replacing refund house replacing -> refunded`), "\n")
	var got []string
	for _, state := range states {
		for _, step := range allSteps {
			for _, actor := range []actor{{user: "owner"}, {user: "another"}, {user: "admin", house: true}, {user: "owner", house: true}} {
				c := Claim{User: "owner", State: state}
				nextState, err := c.nextState(step, actor)
				if (err == nil) != c.allows(step, actor) {
					t.Errorf("in state %s, %s by %+v: nextState returns %v, but allows returns %t", state, step, actor, err, c.allows(step, actor))
				}
				if err == nil && actor.user != "admin" == !actor.house {
					got = append(got, fmt.Sprintf("%s %s %s %s -> %s", state, step, map[bool]string{true: "house", false: actor.user}[actor.house], state, nextState))
				}
			}
		}
	}
	slices.Sort(got)
	got = slices.Compact(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("allowed:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// The CHECK constraint must list the same states as the code.
func TestDatabaseConstraintMatchesStates(t *testing.T) {
	text, err := os.ReadFile("../db/migrations/00001_base.sql")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, s := range states {
		want = append(want, "'"+string(s)+"'")
	}
	_, table, _ := strings.Cut(string(text), "CREATE TABLE claims (")
	if check := regexp.MustCompile(`state IN \(([^)]*)\)`).FindStringSubmatch(table); check[1] != strings.Join(want, ", ") {
		t.Errorf("the CHECK constraint has the states %s, want %s", check[1], strings.Join(want, ", "))
	}
	if stateListSQL(true) != "'delivered', 'cancelled', 'refunded'" {
		t.Errorf("the final states are %s", stateListSQL(true))
	}
}

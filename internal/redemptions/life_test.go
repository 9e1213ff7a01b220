package redemptions

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var acts = []Act{Request, Cancel, Pack, Ship, Deliver, Lose, Replace, Refund}

// For every combination of state, act and doer, exactly the designed steps are allowed.
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
	for _, from := range states {
		for _, act := range acts {
			for _, by := range []doer{{user: "owner"}, {user: "another"}, {user: "admin", house: true}, {user: "owner", house: true}} {
				c := Claim{User: "owner", State: from}
				to, err := c.next(act, by)
				if (err == nil) != c.allows(act, by) {
					t.Errorf("%s %s by %+v: %v", from, act, by, err)
				}
				if err == nil && by.user != "admin" == !by.house {
					got = append(got, fmt.Sprintf("%s %s %s %s -> %s", from, act, map[bool]string{true: "house", false: by.user}[by.house], from, to))
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
		t.Errorf("the CHECK has %s", check[1])
	}
	if spelt(true) != "'delivered', 'cancelled', 'refunded'" {
		t.Errorf("the ended states are %s", spelt(true))
	}
}

// Package houserules loads the legal and operational rules of a deployment, such as minimum age and
// countries, from JSON profiles. Some profiles are built in.
package houserules

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// Rules are the rules of a deployment. A profile must specify every one.
type Rules struct {
	Name            string      `json:"name" doc:"Name of the profile."`
	MinimumAge      int64       `json:"minimumAge" doc:"In years, confirmed at the first sign-in; 0 = no age limit."`
	GuardianBelow   int64       `json:"guardianBelow" doc:"Users below this age need a guardian's consent; 0 = no such rule."`
	Countries       []string    `json:"countries" nullable:"false" doc:"Countries we ship to (ISO 3166 alpha-2); empty = wherever we ship."`
	MaxPackCents    money.Cents `json:"highestPackCents" doc:"Maximum price of a pack; 0 = no limit."`
	SpentDayCents   money.Cents `json:"spentDayCents" doc:"Maximum spend on packs per user and day (UTC); 0 = no limit."`
	OpensDay        int64       `json:"opensDay" doc:"Maximum packs per user and day; 0 = no limit."`
	SecondsBetween  int64       `json:"secondsBetween" doc:"Minimum seconds between two opens of a user; 0 = no wait."`
	Market          bool        `json:"market" doc:"Users can trade with each other."`
	GiftsDayCents   money.Cents `json:"giftsDayCents" doc:"Maximum value of the items that a user can give away per day (UTC); 0 = no limit."`
	SellBack        bool        `json:"sellBack" doc:"Kaibao buys items back."`
	CelebrateLosses bool        `json:"celebrateLosses" doc:"Results worth less than the price are celebrated, too."`
	DollarsShown    bool        `json:"dollarsShown" doc:"Prices state that 1 point is $1."`
	DemoOdds        DemoOdds    `json:"demo" enum:"uniform,real" doc:"How demo opens draw: every card with the same chance, or by the pack's odds."`
}

// DemoOdds says by which odds demo opens draw.
type DemoOdds string

// The odds of demo opens.
const (
	UniformOdds DemoOdds = "uniform" // every card that the pack can yield has the same chance
	RealOdds    DemoOdds = "real"    // the pack's odds
)

// Off is the rule that disables a feature, in the details of an error.
type Off struct {
	Rule string `json:"rule" enum:"market,sellBack"`
}

//go:embed profiles/*.json
var profiles embed.FS

// Default returns the default rules: those of the specification.
func Default() Rules {
	r, err := BuiltIn("open")
	if err != nil {
		panic(err) // a test parses all built-in profiles
	}
	return r
}

// Names lists the built-in profiles.
func Names() []string {
	files, _ := profiles.ReadDir("profiles") // embedded, so it exists
	names := make([]string, len(files))
	for n, f := range files {
		names[n] = strings.TrimSuffix(f.Name(), ".json")
	}
	return names
}

// BuiltIn returns the rules of a built-in profile.
func BuiltIn(name string) (Rules, error) {
	text, err := profiles.ReadFile("profiles/" + name + ".json")
	if err != nil {
		return Rules{}, fmt.Errorf("unknown profile %q: the built-in profiles are %s", name, strings.Join(Names(), ", "))
	}
	return Parse(text)
}

// Parse parses a profile. It must have every rule, no other fields, and valid values.
func Parse(text []byte) (r Rules, err error) {
	var named map[string]json.RawMessage
	if err := json.Unmarshal(text, &named); err != nil {
		return r, fmt.Errorf("a profile must be a JSON object: %w", err)
	}
	for _, rule := range all() {
		if value, ok := named[rule]; !ok || string(value) == "null" {
			return r, fmt.Errorf("rule %q is missing", rule)
		}
		delete(named, rule)
	}
	if len(named) > 0 {
		return r, fmt.Errorf("unknown rule %q", slices.Min(slices.Collect(maps.Keys(named))))
	}
	read := json.NewDecoder(bytes.NewReader(text))
	read.DisallowUnknownFields()
	if err := read.Decode(&r); err != nil {
		return r, err
	}
	return r, r.check()
}

// all returns the names of all rules.
func all() (names []string) {
	of := reflect.TypeFor[Rules]()
	for field := range of.Fields() {
		names = append(names, field.Tag.Get("json"))
	}
	return names
}

var (
	profileName = regexp.MustCompile(`^[a-z0-9-]{1,32}$`)
	countryCode = regexp.MustCompile(`^[A-Z]{2}$`)
)

func (r Rules) check() error {
	if !profileName.MatchString(r.Name) {
		return errors.New("the name must have 1 to 32 lowercase letters, digits and hyphens")
	}
	const oldest, longest = 120, 24 * 60 * 60
	for _, b := range []struct {
		rule        string
		value, most int64
	}{
		{"minimumAge", r.MinimumAge, oldest}, {"guardianBelow", r.GuardianBelow, oldest},
		{"highestPackCents", int64(r.MaxPackCents), int64(policy.MaxPackPrice)}, {"spentDayCents", int64(r.SpentDayCents), int64(policy.MaxLimit)},
		{"giftsDayCents", int64(r.GiftsDayCents), int64(policy.MaxLimit)}, {"opensDay", r.OpensDay, 1_000_000}, {"secondsBetween", r.SecondsBetween, longest},
	} {
		if b.value < 0 || b.value > b.most {
			return fmt.Errorf("%s must be from 0 to %d", b.rule, b.most)
		}
	}
	if r.DemoOdds != UniformOdds && r.DemoOdds != RealOdds {
		return fmt.Errorf("demo must be %q or %q", UniformOdds, RealOdds)
	}
	if r.GuardianBelow > 0 && r.GuardianBelow <= r.MinimumAge {
		return errors.New("guardianBelow must be above minimumAge, or 0")
	}
	for n, c := range r.Countries {
		if !countryCode.MatchString(c) || slices.Index(r.Countries, c) < n {
			return fmt.Errorf("country %q is not a two-letter uppercase code, or listed twice", c)
		}
	}
	return nil
}

// Consents reports whether a user of a confirmed age may play, given whether a guardian consents.
func (r Rules) Consents(age int64, guardian bool) bool {
	return age >= r.MinimumAge && (age >= r.GuardianBelow || guardian)
}

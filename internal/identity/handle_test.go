package identity

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"kaibao/internal/policy"
)

func TestHandlesAreChecked(t *testing.T) {
	for _, handle := range []string{"abc", "mei-lin", "a-b-c", "007", "1-up", "a1b2c3d4e5f6g7h8i9j0", "anonymouse", "username", "staffan", "badminton", "meander"} {
		if err := checkHandle(handle); err != nil {
			t.Errorf("%q: %v", handle, err)
		}
	}
	for _, handle := range []string{
		"", "ab", "a1b2c3d4e5f6g7h8i9j01", "-abc", "abc-", "a--b", "Mei", "mei lin", "mei_lin", "méi", "梅花鹿", "mei\n", "ａｂｃ",
		"admin", "adrnin", "adm1n", "a-d-m-i-n", "admin-7", "kaibao", "ka1ba0", "kaibao-shop", "support-team", "moderator", "official", "system",
		"anonymous", "anonym0us", "user", "user-12", "user12", "us-er1", "market", "pu11", "pull", "my-opens", "rny-opens", "www", "vvvvvv",
	} {
		if err := checkHandle(handle); err == nil {
			t.Errorf("%q passes", handle)
		}
	}
}

// The names of the site's pages and calls are reserved.
func TestPathsAreReserved(t *testing.T) {
	pages, err := os.ReadFile("../../web/src/app/pages.ts")
	if err != nil {
		t.Fatal(err)
	}
	contract, err := os.ReadFile("../../api/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var document struct{ Paths map[string]any }
	if err := json.Unmarshal(contract, &document); err != nil {
		t.Fatal(err)
	}
	paths := []string{}
	for _, found := range regexp.MustCompile(`path: '(/[^']+)'`).FindAllStringSubmatch(string(pages), -1) {
		paths = append(paths, found[1])
	}
	for path := range document.Paths {
		paths = append(paths, strings.TrimPrefix(path, "/api"))
	}
	if len(paths) < 100 {
		t.Fatalf("found only %q", paths)
	}
	for _, path := range paths {
		word := strings.Split(path, "/")[1]
		if len(word) >= policy.MinHandleLength && handleFormat.MatchString(word) && checkHandle(word) == nil {
			t.Errorf("%s: reserve %q", path, word)
		}
	}
}

// twins are characters and pairs that look alike, by what they look like.
var twins = [][]string{{"0", "o"}, {"1", "l", "i"}, {"m", "rn"}, {"w", "vv"}}

// lookalike replaces random parts of a handle by others that look the same, and moves its hyphens.
func lookalike(random *rand.Rand, handle string) string {
	var other strings.Builder
	for rest := strings.ReplaceAll(handle, "-", ""); rest != ""; {
		part := rest[:1]
		choices := []string{part}
		for _, twin := range twins {
			for _, one := range twin {
				if strings.HasPrefix(rest, one) && random.IntN(2) == 0 {
					part, choices = one, twin
				}
			}
		}
		other.WriteString(choices[random.IntN(len(choices))])
		rest = rest[len(part):]
		if rest != "" && random.IntN(4) == 0 {
			other.WriteByte('-')
		}
	}
	return other.String()
}

// Handles that look alike have the same folded form, after any number of replacements, and a display
// name that looks like a handle has it too.
func TestLookalikesFoldAlike(t *testing.T) {
	const characters = "0o1limrnwvvab-"
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var b strings.Builder
		for range 1 + random.IntN(20) {
			b.WriteByte(characters[random.IntN(len(characters))])
		}
		handle, folded := b.String(), foldHandle(b.String())
		other := handle
		for range 3 {
			other = lookalike(random, other)
			if foldHandle(other) != folded {
				t.Fatalf("%q looks like %q, but folds to %q, not %q", other, handle, foldHandle(other), folded)
			}
		}
		for _, name := range []string{handle, strings.ToUpper(other), strings.ReplaceAll(handle, "-", " "), "@" + other + "!"} {
			if foldName(name) != folded {
				t.Fatalf("the name %q folds to %q, the handle %q to %q", name, foldName(name), handle, folded)
			}
		}
	}
	for _, c := range [][2]string{{"vvv", "wv"}, {"vw", "wv"}, {"rnn", "mn"}, {"bo-b", "b0b"}, {"mei-lin", "rneil1n"}} {
		if foldHandle(c[0]) != foldHandle(c[1]) {
			t.Errorf("%q and %q fold to %q and %q", c[0], c[1], foldHandle(c[0]), foldHandle(c[1]))
		}
	}
	for _, c := range [][2]string{{"ann", "anna"}, {"bob", "dob"}, {"nn", "m"}, {"mei", "nei"}, {"5am", "sam"}} {
		if foldHandle(c[0]) == foldHandle(c[1]) {
			t.Errorf("%q and %q fold alike", c[0], c[1])
		}
	}
}

// Names in other alphabets look like handles, too.
func TestNamesThatLookLikeHandles(t *testing.T) {
	for name, handle := range map[string]string{
		"Mei Lin": "mei-lin", "ＭＥＩ ＬＩＮ": "mei-lin", "Méi Lîn": "mei-lin", "меі-lin": "mei-lin", "MeiLin 🐼": "mei-lin", "ᴍᴇɪ ʟɪɴ": "mei-lin", "Том": "tom", "VVill": "will", "B0B": "bob", "𝓑𝓸𝓫": "bob",
	} {
		checked, err := checkName(name)
		if err != nil || foldName(checked) != foldHandle(handle) {
			t.Errorf("%q (%v) folds to %q, not like %q to %q", name, err, foldName(checked), handle, foldHandle(handle))
		}
	}
	for name, handle := range map[string]string{"Mei Lina": "mei-lin", "梅": "mei", "Bob 2": "bob", "Иван": "ivan"} {
		if foldName(name) == foldHandle(handle) {
			t.Errorf("%q folds like %q", name, handle)
		}
	}
}

// Every handle is a display name that looks like it.
func FuzzHandlesAsNames(f *testing.F) {
	for _, handle := range []string{"mei-lin", "0o1limw", "vvrn", "abcdefghijklmnopqrst", "u-v-w-x-y-z-23456789"} {
		f.Add(handle)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if handleFormat.MatchString(text) && foldName(text) != foldHandle(text) {
			t.Errorf("the name %q folds to %q, the handle to %q", text, foldName(text), foldHandle(text))
		}
		if folded := foldName(text); foldName(folded) != folded {
			t.Errorf("%q folds to %q, which folds to %q", text, folded, foldName(folded))
		}
	})
}

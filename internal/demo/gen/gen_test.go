package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

const data = "../data"

// read decodes a data file and rejects unknown fields.
func read[T any](t *testing.T, name string) T {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(data, name))
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	var v T
	if err := decoder.Decode(&v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return v
}

func readItems(t *testing.T) map[string][]item {
	t.Helper()
	bySeries := map[string][]item{}
	files, err := filepath.Glob(filepath.Join(data, "items", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		for _, it := range read[[]item](t, filepath.Join("items", filepath.Base(f))) {
			bySeries[it.Series] = append(bySeries[it.Series], it)
		}
	}
	return bySeries
}

func TestDataFilesAreUpToDate(t *testing.T) {
	files, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(data, name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is stale: run go generate ./internal/demo/gen", name)
		}
	}
	written, err := filepath.Glob(filepath.Join(data, "items", "*"))
	if err != nil {
		t.Fatal(err)
	}
	if len(written) != len(files)-1 {
		t.Errorf("%d item files are in the data folder, %d are generated", len(written), len(files)-1)
	}
}

func TestGenerationIsDeterministic(t *testing.T) {
	first, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	second, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	for name := range first {
		if !bytes.Equal(first[name], second[name]) {
			t.Errorf("%s differs", name)
		}
	}
}

func TestSeriesSizes(t *testing.T) {
	bySeries := readItems(t)
	want := map[string]int{"One Piece": 96, "Baseball": 176, "Basketball": 168, "Football": 171, "Soccer": 190,
		"Pokemon": 179, "Labubu Collection": 21, "Labubu Deluxe Collection": 14, "Starter": 40}
	if len(bySeries) != len(want) {
		t.Errorf("%d series, want %d", len(bySeries), len(want))
	}
	for series, size := range want {
		if got := len(bySeries[series]); got != size {
			t.Errorf("%s has %d items, want %d", series, got, size)
		}
	}
}

func TestIdsNamesAndCertificatesAreUnique(t *testing.T) {
	idForm := regexp.MustCompile(`^(pkm|opc|bsk|fbl|scr|bsb|starter)-\d{3}$|^labubu-\d+$|^labubu-deluxe-\d+$`)
	certForm := regexp.MustCompile(`^0000\d{4,11}$`)
	seen := map[string]string{}
	wantUnique := func(id, value string) {
		if other, again := seen[value]; again {
			t.Errorf("%s and %s share %q", id, other, value)
		}
		seen[value] = id
	}
	for _, items := range readItems(t) {
		for _, it := range items {
			wantUnique(it.ID, it.ID)
			wantUnique(it.ID, it.Name)
			if !idForm.MatchString(it.ID) {
				t.Errorf("id %q", it.ID)
			}
			if isToy(it) {
				if it.Grader != "" || it.CertNumber != "" {
					t.Errorf("%s: a toy has no certificate", it.ID)
				}
				continue
			}
			wantUnique(it.ID, it.CertNumber)
			if !certForm.MatchString(it.CertNumber) {
				t.Errorf("%s: certificate %q", it.ID, it.CertNumber)
			}
		}
	}
}

func isToy(it item) bool { return strings.HasPrefix(it.Series, "Labubu") }

func TestNamesMatchGraderAndGrade(t *testing.T) {
	words := map[string]string{"PSA 10": "GEM MINT", "PSA 9": "MINT", "PSA 8": "NM MT", "PSA 7": "NM", "PSA 6": "EX MT", "PSA 5": "EX",
		"PSA 4": "VG EX", "PSA 3": "VG", "PSA 2.5": "GOOD+", "CGC 10": "", "CGC 9.5": "", "CGC 9": "", "CGC 8.5": "", "CGC 8": "", "CGC 7.5": ""}
	form := regexp.MustCompile(`^(19|20)\d\d [^#]+ #[A-Z0-9-]+ .+$`)
	for _, items := range readItems(t) {
		for _, it := range items {
			if isToy(it) {
				continue
			}
			verdict := it.Grader + " " + strconv.FormatFloat(it.Grade, 'f', -1, 64)
			word, known := words[verdict]
			if !known {
				t.Errorf("%s: no grader uses the grade %s", it.ID, verdict)
			}
			if word != "" {
				verdict += " " + word
			}
			if !strings.HasSuffix(it.Name, " "+verdict) || !form.MatchString(it.Name) || strings.Contains(it.Name, "  ") {
				t.Errorf("%s: name %q does not end in %q or has another form", it.ID, it.Name, verdict)
			}
		}
	}
}

func TestEveryValueBandIsFilled(t *testing.T) {
	limits := []int64{99, 500, 1500, 2500, 5000, 10000, 20000, 40000, 300000}
	for _, series := range []string{"One Piece", "Baseball", "Basketball", "Football", "Soccer", "Pokemon"} {
		filled := make([]int, len(limits)-1)
		for _, it := range readItems(t)[series] {
			if it.BaseValueCents < limits[0] || it.BaseValueCents >= limits[len(limits)-1] {
				t.Errorf("%s: value %d", it.ID, it.BaseValueCents)
			}
			for b := range filled {
				if limits[b] <= it.BaseValueCents && it.BaseValueCents < limits[b+1] {
					filled[b]++
				}
			}
		}
		for b, n := range filled {
			if n < 3 {
				t.Errorf("%s: only %d cards from %d to %d cents", series, n, limits[b], limits[b+1])
			}
		}
	}
}

func TestRarityFollowsValue(t *testing.T) {
	for series, items := range readItems(t) {
		order := []string{"Common", "Rare", "Epic", "Legendary", "Mythic"}
		if isToy(items[0]) {
			order = []string{"Common", "Rare", "Grail"}
		}
		var last int64
		for _, rarity := range order {
			low, high, found := int64(1<<62), int64(0), false
			for _, it := range items {
				if it.Rarity == rarity {
					low, high, found = min(low, it.BaseValueCents), max(high, it.BaseValueCents), true
				}
			}
			if !found {
				if rarity == "Common" && series == "Labubu Deluxe Collection" {
					continue
				}
				t.Errorf("%s has no item of rarity %s", series, rarity)
			}
			if low < last {
				t.Errorf("%s: a %s is worth less than a less rare item", series, rarity)
			}
			last = high
		}
	}
}

func TestBetterGradesAreWorthMore(t *testing.T) {
	last := map[string]item{}
	for _, items := range readItems(t) {
		for _, it := range items {
			if it.Grader != "PSA" {
				continue
			}
			printed := it.Name[:strings.LastIndex(it.Name, " PSA ")]
			if other, again := last[printed]; again && (other.Grade > it.Grade) != (other.BaseValueCents > it.BaseValueCents) {
				t.Errorf("%s and %s: the better grade is worth less", other.ID, it.ID)
			}
			last[printed] = it
		}
	}
}

func TestToySeries(t *testing.T) {
	items := readItems(t)["Labubu Collection"]
	for i, it := range items {
		series := []string{"Big into Energy", "Have a Seat", "Exciting Macaron"}[i/7]
		secret := i%7 == 6
		if it.ID != "labubu-"+strconv.Itoa(i+1) || !strings.Contains(it.Name, series) {
			t.Errorf("toy %d is %s %q", i+1, it.ID, it.Name)
		}
		if secret != strings.Contains(it.Name, "Secret") || secret != (it.Rarity == "Grail") || it.Grade != 10 {
			t.Errorf("%s: secret %v, rarity %s, grade %v", it.Name, secret, it.Rarity, it.Grade)
		}
	}
}

// Every item belongs to a set. A card's name begins with its set and number; numbers of toys count up
// within their set.
func TestSets(t *testing.T) {
	for series, items := range readItems(t) {
		numbers := map[string]int{}
		for _, it := range items {
			numbers[it.Set]++
			switch {
			case it.Set == "" || it.SetNumber == "":
				t.Errorf("%s has set %q and number %q", it.ID, it.Set, it.SetNumber)
			case isToy(it):
				if it.SetNumber != strconv.Itoa(numbers[it.Set]) || !strings.Contains(it.Name, it.Set) {
					t.Errorf("%s %q has number %q of %q", it.ID, it.Name, it.SetNumber, it.Set)
				}
			case !strings.HasPrefix(it.Name, it.Set+" #"+it.SetNumber+" "):
				t.Errorf("%s %q has number %q of %q", it.ID, it.Name, it.SetNumber, it.Set)
			}
		}
		if len(numbers) < 3 {
			t.Errorf("%s has %d sets", series, len(numbers))
		}
	}
}

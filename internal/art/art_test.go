package art

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kaibao/internal/art/scenes"
)

const itemLimit = 32_000

// catalogue returns the demo items, file by file in order.
func catalogue(t *testing.T) []Item {
	t.Helper()
	files, err := filepath.Glob("../demo/data/items/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no items: %v", err)
	}
	var entries []Item
	for _, f := range files {
		entries = append(entries, decode[Item](t, f)...)
	}
	return entries
}

func shopCovers(t *testing.T) []Cover {
	t.Helper()
	type pack struct {
		ID, Name string
		Series   []string
	}
	var covers []Cover
	for _, p := range decode[pack](t, "../demo/data/packs.json") {
		covers = append(covers, Cover{p.ID, p.Name, p.Series[0]})
	}
	return covers
}

func decode[T any](t *testing.T, file string) []T {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var list []T
	if err := json.Unmarshal(content, &list); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return list
}

// checkDrawing checks the properties of every drawing: it is well-formed, self-contained and within
// the size limit. It returns the drawing's elements.
func checkDrawing(t *testing.T, name string, svg []byte, limit int) []xml.StartElement {
	t.Helper()
	if len(svg) >= limit {
		t.Errorf("%s: %d bytes, want less than %d", name, len(svg), limit)
	}
	ids, used := map[string]bool{}, map[string]bool{}
	all := elementsOf(t, name, svg)
	for _, element := range all {
		if slices.Contains([]string{"script", "image", "foreignObject"}, element.Name.Local) {
			t.Errorf("%s has the forbidden element %s", name, element.Name.Local)
		}
		for _, attribute := range element.Attr {
			for _, rest := range strings.Split(attribute.Value, "url(#")[1:] {
				id, _, _ := strings.Cut(rest, ")")
				used[id] = true
			}
			switch {
			case attribute.Name.Local == "id" && ids[attribute.Value]:
				t.Errorf("%s has two elements %q", name, attribute.Value)
			case attribute.Name.Local == "id":
				ids[attribute.Value] = true
			case attribute.Name.Local == "href":
				used[strings.TrimPrefix(attribute.Value, "#")] = true
			}
		}
	}
	for id := range used {
		if !ids[id] {
			t.Errorf("%s refers to the undefined id %q", name, id)
		}
	}
	text := strings.Replace(string(svg), `xmlns="http://www.w3.org/2000/svg"`, "", 1)
	for _, external := range []string{"http:", "https:", "data:", "@import", "NaN", "Inf", "%!"} {
		if strings.Contains(text, external) {
			t.Errorf("%s contains %q", name, external)
		}
	}
	return all
}

// elementsOf returns the elements of a drawing in order. It fails the test if the drawing isn't
// well-formed.
func elementsOf(t *testing.T, name string, svg []byte) (all []xml.StartElement) {
	t.Helper()
	decoder := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("%s is not well-formed: %v", name, err)
		}
		if element, ok := token.(xml.StartElement); ok {
			all = append(all, element.Copy())
		}
	}
}

func TestItemDrawingsAreValidAndDiffer(t *testing.T) {
	last := ""
	for _, item := range catalogue(t) {
		svg := DrawItem(item)
		elements := checkDrawing(t, item.ID, svg, itemLimit)
		if !bytes.Equal(svg, DrawItem(item)) {
			t.Errorf("%s is drawn differently the second time", item.ID)
		}
		if shapes := shapesOf(elements); shapes == last {
			t.Errorf("%s looks like the item before it", item.ID)
		} else {
			last = shapes
		}
	}
}

func TestEveryStarterCardHasACategory(t *testing.T) {
	for _, item := range catalogue(t) {
		if scenes.CategoryOf(item.Series, item.Name) == scenes.AnyCategory {
			t.Errorf("%s %q has no category", item.ID, item.Name)
		}
	}
}

// shapesOf returns the drawing without its texts, because texts differ anyway.
func shapesOf(elements []xml.StartElement) string {
	var shapes strings.Builder
	for _, element := range elements {
		isLabel := func(a xml.Attr) bool { return a.Name.Local == "aria-label" }
		if slices.Contains([]string{"text", "title"}, element.Name.Local) || slices.ContainsFunc(element.Attr, isLabel) {
			continue
		}
		shapes.WriteString(element.Name.Local)
		for _, attribute := range element.Attr {
			if attribute.Name.Local != "stroke-dasharray" {
				shapes.WriteString(attribute.Name.Local + attribute.Value)
			}
		}
	}
	return shapes.String()
}

func TestCoverDrawingsAreValid(t *testing.T) {
	for _, cover := range append(shopCovers(t), Cover{"summer", "Summer Special", ""}, Cover{"", "", ""}) {
		checkDrawing(t, "pack "+cover.ID, DrawCover(cover), itemLimit)
		if !bytes.Equal(DrawCover(cover), DrawCover(cover)) {
			t.Errorf("pack %s is drawn differently the second time", cover.ID)
		}
	}
}

func TestAnyTextIsSafe(t *testing.T) {
	long := strings.Repeat("The Most Improbable Name of All ", 6)
	for _, text := range []string{"", `<script>alert("1")</script> & 'x'`, "\x00\x1b\xff broken", "喷火龙 闪卡 开包限定", long, "Labubu " + long,
		"1999 Pokemon Base Set #4 PSA 9 MINT", "1999 # PSA", "%s %d"} {
		for _, series := range []string{"Pokemon", "One Piece", "Soccer", "Labubu Collection", "Anything", text} {
			item := Item{ID: text, Name: text, Series: series, Rarity: text, Grade: 9.5, Grader: text, CertNumber: text}
			checkDrawing(t, series+" "+text, DrawItem(item), itemLimit+32*len(text))
			checkDrawing(t, "pack "+text, DrawCover(Cover{text, text, series}), itemLimit+32*len(text))
		}
		checkDrawing(t, "avatar", DrawAvatar(text), 4_000)
	}
}

func TestSlabLabelShowsItem(t *testing.T) {
	svg := string(DrawItem(Item{"pkm-001", "1999 Pokemon Base Set #4 Charizard Holo PSA 9 MINT", "Pokemon", "Epic", 9, "PSA", "0000417733"}))
	for _, word := range []string{"1999 Pokemon Base Set", "Charizard", "#4  Holo", "MINT", "9", "PSA", "SAMPLE 0000417733"} {
		if !strings.Contains(svg, `aria-label="`+word+`"`) {
			t.Errorf("the label doesn't show %s", word)
		}
	}
	ungraded := string(DrawItem(Item{ID: "x", Name: "A card nobody graded", Series: "Pokemon", Rarity: "Common"}))
	if strings.Contains(ungraded, "GRADE") || !strings.Contains(ungraded, "A card nobody graded") {
		t.Error("an ungraded card shows a grade or hides its name")
	}
}

// Letters are drawn as paths, except those that only system fonts have.
func TestLettersAreDrawnAsPaths(t *testing.T) {
	for _, item := range catalogue(t) {
		if bytes.Contains(DrawItem(item), []byte("<text")) {
			t.Errorf("%s needs a system font", item.Name)
		}
	}
	svg := string(DrawItem(Item{ID: "x", Name: "2023 宝可梦 #4 喷火龙 PSA 10", Series: "Pokemon", Rarity: "Epic", Grade: 10, Grader: "PSA"}))
	for _, want := range []string{">2023 宝可梦</text>", ">喷火龙</text>", `aria-label="PSA"`} {
		if !strings.Contains(svg, want) {
			t.Errorf("the drawing doesn't contain %s", want)
		}
	}
}

func TestRaritiesLookDifferent(t *testing.T) {
	seen := map[string]string{}
	for _, rarity := range []string{"Common", "Rare", "Epic", "Legendary", "Mythic"} {
		svg := string(DrawItem(Item{"a", "1986 Fleer #57 Michael Jordan PSA 8 NM MT", "Basketball", rarity, 8, "PSA", "0000000001"}))
		if other, again := seen[svg]; again {
			t.Errorf("%s looks like %s", rarity, other)
		}
		seen[svg] = rarity
		if edge := scenes.RarityColorsOf(rarity).Base; !strings.Contains(svg, edge) {
			t.Errorf("%s doesn't have the edge color %s", rarity, edge)
		}
	}
	if scenes.RarityColorsOf("Grail") != scenes.RarityColorsOf("Mythic") {
		t.Error("Grail does not look like Mythic")
	}
}

func TestAvatarsDifferByAddress(t *testing.T) {
	seen := map[string]bool{}
	for _, item := range catalogue(t)[:200] {
		seen[string(DrawAvatar(item.CertNumber+item.ID))] = true
	}
	if len(seen) < 199 {
		t.Errorf("200 addresses have only %d avatars", len(seen))
	}
}

func TestHeroPictures(t *testing.T) {
	checkDrawing(t, "hero 1", DrawHero(1), 80_000)
	checkDrawing(t, "hero 2", DrawHero(2), 80_000)
	if bytes.Equal(DrawHero(1), DrawHero(2)) {
		t.Error("both hero pictures are the same")
	}
}

// pixelsDigest is the SHA-256 of the drawings whose pixels are in cover_pixels and web/public.
const pixelsDigest = "0e69d03e9b49d7cfbee0f0a64b7d68d909c170746055f6605fb65a428f193786"

func TestPixelsMatchTheirDrawings(t *testing.T) {
	drawings := slices.Concat(DrawHero(1), DrawHero(2))
	want := 0
	for _, cover := range shopCovers(t) {
		if _, sources := cover.Path(); sources == "" {
			continue // the store doesn't show this pack
		}
		want += len(coverWidths)
		drawings = append(drawings, DrawCover(cover)...)
	}
	if files, err := coverPixels.ReadDir("cover_pixels"); err != nil || len(files) != want || want < 8*len(coverWidths) {
		t.Errorf("%d files in cover_pixels, want %d (%v), all widths of at least the store's 8 packs: run tools/pixels.mjs in web/", len(files), want, err)
	}
	digest := sha256.Sum256(drawings)
	if got := hex.EncodeToString(digest[:]); got != pixelsDigest {
		t.Errorf("the pixels show other drawings: run tools/pixels.mjs in web/, then set pixelsDigest to %s", got)
	}
}

func TestCoverWithoutPixels(t *testing.T) {
	for _, cover := range []Cover{{"1", "Another name", "Basketball"}, {"summer", "Summer Special", ""}, {"../1", "x", ""}} {
		if path, sources := cover.Path(); !strings.HasPrefix(path, "/media/packs/"+cover.ID+".svg?v=") || sources != "" {
			t.Errorf("the cover of %v is at %s and %q, want only its drawing", cover, path, sources)
		}
	}
}

func BenchmarkItem(b *testing.B) {
	item := Item{"bsk-001", "1986 Fleer #57 Michael Jordan PSA 8 NM MT", "Basketball", "Mythic", 8, "PSA", "0000000001"}
	for b.Loop() {
		DrawItem(item)
	}
}

package preview

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"log/slog"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kaibao/internal/art"
	"kaibao/internal/money"
	"kaibao/internal/preview/resvg"
)

// rasterizer is shared by all tests, because compiling takes seconds.
var rasterizer *resvg.Rasterizer

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "preview")
	if err != nil {
		panic(err)
	}
	rasterizer = resvg.New(dir, slog.New(slog.DiscardHandler))
	code := m.Run()
	if err := os.RemoveAll(dir); err != nil {
		panic(err)
	}
	os.Exit(code)
}

var (
	bestCard  = Card{Item: art.Item{ID: "pkm-1", Name: "2021 Pokemon Evolving Skies #218 Rayquaza VMAX Alternate Art PSA 10 GEM MINT", Series: "Pokemon", Rarity: "Mythic", Grade: 10, Grader: "PSA", CertNumber: "0000218021"}, Value: 98_000}
	plainCard = Card{Item: art.Item{ID: "bsk-1", Name: "1986 Fleer #57 Michael Jordan PSA 8 NM MT", Series: "Basketball", Rarity: "Common", Grade: 8, Grader: "PSA", CertNumber: "0000000001"}, Value: 1_250}
	toy       = Card{Item: art.Item{ID: "toy-1", Name: "Labubu Big into Energy Secret Id", Series: "Labubu Collection", Rarity: "Grail", Grade: 10}, Value: 64_000}

	pull    = Picture{Kind: PullPage, Language: English, Pack: "Pokemon", PackZh: "宝可梦", Cards: []Card{bestCard}, Value: 98_000}
	profile = Picture{Kind: ProfilePage, Language: Chinese, Handle: "collector", Avatar: "collector", MemberSince: "2026-11", Cards: []Card{bestCard, plainCard, toy}, CompleteSets: 2}
)

// newDrawings returns drawings with an empty cache and the shared rasterizer.
func newDrawings(t testing.TB) *drawings {
	clock := &fakeClock{}
	return &drawings{rasterizer: rasterizer, cache: newCache(t.TempDir(), math.MaxInt64, slog.New(slog.DiscardHandler), clock.Now)}
}

func TestPicturesAreCompleteAndReproducible(t *testing.T) {
	d := newDrawings(t)
	seen := map[string]string{}
	for name, p := range map[string]Picture{
		"pull": pull, "profile": profile, "empty profile": withCards(profile), "pull without cards": withCards(pull), "five cards": withCards(pull, toy, toy, toy, plainCard, bestCard),
	} {
		first, err := d.render(t.Context(), p)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if other, ok := seen[string(first)]; ok {
			t.Errorf("%s looks like %s", name, other)
		}
		seen[string(first)] = name
		checkPixels(t, name, first)
	}
	again, err := d.render(t.Context(), profile)
	if err != nil || seen[string(again)] != "profile" {
		t.Errorf("the profile differs the second time (%v)", err)
	}
	checkPixels(t, "fallback", Fallback())
}

func withCards(p Picture, cards ...Card) Picture {
	p.Cards = cards
	return p
}

// checkPixels checks that a picture has the right size, text at the left and something bright at the
// right.
func checkPixels(t *testing.T, name string, body []byte) {
	t.Helper()
	decoded, err := png.Decode(bytes.NewReader(body))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	m, isOpaque := decoded.(*image.RGBA)
	if !isOpaque || m.Rect != image.Rect(0, 0, Width, Height) {
		t.Fatalf("%s is a %T of %v", name, decoded, decoded.Bounds())
	}
	if len(body) > 700_000 {
		t.Errorf("%s has %d bytes: some apps don't show such large previews", name, len(body))
	}
	for part, area := range map[string]image.Rectangle{
		"brand": image.Rect(60, 50, 300, 110), "text": image.Rect(60, 150, 540, 600), "cards": image.Rect(700, 60, 1060, 570),
	} {
		bright, dark := 0, 0
		for y := area.Min.Y; y < area.Max.Y; y++ {
			for at := m.PixOffset(area.Min.X, y); at < m.PixOffset(area.Max.X, y); at += 4 {
				switch lightness := max(m.Pix[at], m.Pix[at+1], m.Pix[at+2]); {
				case lightness > 170:
					bright++
				case lightness < 110:
					dark++
				}
			}
		}
		if all := area.Dx() * area.Dy(); bright < all/100 || dark < all/100 {
			t.Errorf("the %s of %s has %d bright and %d dark pixels of %d", part, name, bright, dark, all)
		}
	}
}

func TestLongAndUnknownTextsStayInTheirColumn(t *testing.T) {
	long := bestCard
	long.Item.Name = strings.Repeat("The Most Improbable Name of All ", 8)
	word := bestCard
	word.Item.Name = strings.Repeat("Unbreakable", 12)
	unknown := bestCard
	unknown.Item.Name, unknown.Item.Series = "2023 龘龘 #4 喷火龙 PSA 10", "龘"
	for name, p := range map[string]Picture{
		"long": {Kind: PullPage, Pack: strings.Repeat("Long pack ", 9), Handle: "twenty-letters-long2", Cards: []Card{long}, Value: math.MaxInt64},
		"word": {Kind: PullPage, Pack: "Pack", Cards: []Card{word}, Value: -1}, "unknown": {Kind: PullPage, Language: Chinese, Pack: "龘", PackZh: "龘", Cards: []Card{unknown}},
		"handle": {Kind: ProfilePage, Handle: "wwwwwwwwwwwwwwwwwwww", MemberSince: "soon", Cards: []Card{long}}, "nothing": {},
	} {
		cards := make([]*image.RGBA, len(p.Cards))
		for n := range cards {
			cards[n] = image.NewRGBA(image.Rect(0, 0, 320, 525)) // transparent
		}
		m := compose(p, cards, image.NewRGBA(image.Rect(0, 0, avatarWidth, avatarWidth)))
		plain := newBackground(lights(fanOf(len(cards))[0], amberColor)...)
		if len(p.Cards) > 0 {
			plain = newBackground(lights(fanOf(1)[0], rgb("#e23fc0"))...)
		}
		right := image.Rect(margin+int(textWidth(1))+8, 0, 680, Height)
		for y := range Height {
			for x := right.Min.X; x < right.Max.X && len(p.Cards) > 0; x++ {
				if got, want := m.RGBAAt(x, y), plain.RGBAAt(x, y); got.G > want.G+8 {
					t.Fatalf("%s: text at %d, %d", name, x, y)
				}
			}
		}
	}
}

func TestTexts(t *testing.T) {
	unknown := Picture{Kind: PullPage, Language: Chinese, Pack: "Pokemon", PackZh: "龘", Cards: []Card{{Item: art.Item{Name: "2023 宝可梦 #4 喷火龙 PSA 10", Grader: "PSA", Grade: 10}}}}
	for _, c := range []struct {
		picture      Picture
		above, title string
	}{
		{pull, "Pulled from Pokemon", "Rayquaza VMAX"},
		{Picture{Language: Chinese, Pack: "Pokemon", PackZh: "宝可梦", Cards: pull.Cards}, "从“宝可梦”开出", "Rayquaza VMAX"},
		{Picture{Handle: "fan", Pack: "Pokemon", Cards: pull.Cards}, "@fan pulled from Pokemon", "Rayquaza VMAX"},
		{Picture{Language: Chinese, Handle: "fan", Pack: "Pokemon", PackZh: "宝可梦", Cards: pull.Cards}, "@fan 从“宝可梦”开出", "Rayquaza VMAX"},
		{Picture{Cards: pull.Cards}, "Just pulled", "Rayquaza VMAX"},
		{unknown, "刚刚开出", "Pokemon"},
		{Picture{Pack: "龘"}, "", "Just pulled"},
	} {
		if above, title := c.picture.title(); above != c.above || title != c.title {
			t.Errorf("%q, %q, want %q, %q", above, title, c.above, c.title)
		}
	}
	for card, want := range map[Card][]string{
		bestCard: {"2021 Pokemon Evolving Skies #218", "Alternate Art · PSA 10 GEM MINT"}, toy: {"Labubu Collection"}, unknown.Cards[0]: {"2023 宝可梦 #4", "PSA 10"}, {}: nil,
	} {
		if got := card.details(); !slices.Equal(got, want) {
			t.Errorf("the details of %q are %q, want %q", card.Item.Name, got, want)
		}
	}
	for month, want := range map[string]string{"2026-11": "Member since November 2026", "": "", "November": ""} {
		if got := (Picture{MemberSince: month}).since(); got != want {
			t.Errorf("%q gives %q, want %q", month, got, want)
		}
	}
	for cents, want := range map[money.Cents]string{0: "$0.00", 5: "$0.05", 99_999: "$999.99", 100_000: "$1,000.00", 123_456_789_012: "$1,234,567,890.12", -123_456: "$-1,234.56"} {
		if got := dollars(cents); got != want {
			t.Errorf("%d cents are %s, want %s", cents, got, want)
		}
	}
}

// Chinese texts of the product and names of the demo catalogue.
func TestFontsHaveAllFixedTexts(t *testing.T) {
	packs, err := os.ReadFile("../demo/data/packs.json")
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, part := range strings.Split(string(packs), `"nameZh": "`)[1:] {
		name, _, _ := strings.Cut(part, `"`)
		texts = append(texts, name)
	}
	if len(texts) == 0 {
		t.Error("the demo catalogue has no Chinese names")
	}
	p := Picture{Language: Chinese, Pack: "x", PackZh: "篮球", Handle: "x", MemberSince: "2026-10", Cards: []Card{bestCard}}
	above, _ := p.title()
	alone, _ := Picture{Language: Chinese, Cards: []Card{bestCard}}.title()
	texts = append(texts, above, alone, p.since(), "估值", "0123456789 件藏品总估值", "展示", "集齐套系", "Kaibao 开包", "@…·$,.")
	for _, text := range texts {
		if !covered(text) {
			t.Errorf("the fonts lack letters of %q", text)
		}
	}
}

func TestDigestChangesWithEveryField(t *testing.T) {
	p := profile
	p.Pack, p.PackZh, p.Value = "Pokemon", "宝可梦", 5
	p.Cards = slices.Clone(p.Cards)
	digest := p.Digest()
	if digest != p.Digest() || len(digest) != 64 {
		t.Errorf("the digest is %s, then %s", digest, p.Digest())
	}
	changed := 0
	var change func(v reflect.Value, path string)
	change = func(v reflect.Value, path string) {
		before := reflect.New(v.Type()).Elem()
		before.Set(v)
		switch v.Kind() {
		case reflect.Struct:
			for n := range v.NumField() {
				change(v.Field(n), path+"."+v.Type().Field(n).Name)
			}
			return
		case reflect.Slice:
			change(v.Index(0), path+"[0]")
			v.Set(v.Slice(0, v.Len()-1))
		case reflect.String:
			v.SetString(v.String() + "x")
		case reflect.Int, reflect.Int64:
			v.SetInt(v.Int() + 1)
		case reflect.Float64:
			v.SetFloat(v.Float() + 0.5)
		default:
			t.Fatalf("%s has an unknown type", path)
		}
		changed++
		if p.Digest() == digest {
			t.Errorf("a change of %s doesn't change the digest", path)
		}
		v.Set(before)
	}
	change(reflect.ValueOf(&p).Elem(), "Picture")
	if changed < 18 {
		t.Errorf("%d fields were changed, want all", changed)
	}
	if p.Digest() != digest {
		t.Error("the digest isn't as before")
	}
}

func TestCanceledPictureKeepsItsFinishedCards(t *testing.T) {
	d := newDrawings(t)
	if _, err := d.card(t.Context(), bestCard.Item); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := d.render(ctx, withCards(pull, bestCard, plainCard)); err == nil {
		t.Error("a picture was rendered after the end of its context")
	}
	if _, err := d.card(ctx, bestCard.Item); err != nil {
		t.Errorf("a card that was rasterized before isn't in the cache: %v", err)
	}
}

func TestDamagedCardIsRasterizedAgain(t *testing.T) {
	d := newDrawings(t)
	want, err := d.avatar(t.Context(), "x")
	if err != nil {
		t.Fatal(err)
	}
	name := digestOf("drawing", rasterizerVersion, avatarWidth, art.DrawAvatar("x"))
	for _, stored := range [][]byte{{}, {0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 7, 255, 255}, pack(want)[:100]} {
		d.cache.put(name, stored)
		if got, err := d.avatar(t.Context(), "x"); err != nil || !bytes.Equal(got.Pix, want.Pix) || got.Rect != want.Rect {
			t.Errorf("after % x the picture differs (%v)", stored, err)
		}
	}
}

func BenchmarkCompose(b *testing.B) {
	d := newDrawings(b)
	for _, p := range []Picture{pull, withCards(pull, toy, bestCard, plainCard, bestCard, toy)} {
		var cards []*image.RGBA
		for _, card := range p.Cards {
			m, err := d.card(b.Context(), card.Item)
			if err != nil {
				b.Fatal(err)
			}
			cards = append(cards, m)
		}
		b.Run(strings.Repeat("card", len(cards)), func(b *testing.B) {
			for b.Loop() {
				compose(p, cards, nil)
			}
		})
	}
}

// The whole picture, with cards from the cache.
func BenchmarkPicture(b *testing.B) {
	d := newDrawings(b)
	p := withCards(pull, toy, bestCard, plainCard, bestCard, toy)
	if _, err := d.render(b.Context(), p); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := d.render(b.Context(), p); err != nil {
			b.Fatal(err)
		}
	}
}

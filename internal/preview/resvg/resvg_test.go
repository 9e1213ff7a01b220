package resvg

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"image/color"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"kaibao/internal/art"
)

// shared is the Rasterizer of most tests, because compiling takes seconds.
var shared *Rasterizer

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "resvg")
	if err != nil {
		panic(err)
	}
	shared = New(dir, slog.New(slog.DiscardHandler))
	code := m.Run()
	if err := os.RemoveAll(dir); err != nil {
		panic(err)
	}
	os.Exit(code)
}

var item = art.Item{ID: "bsk-001", Name: "1986 Fleer #57 Michael Jordan PSA 8 NM MT", Series: "Basketball", Rarity: "Mythic", Grade: 8, Grader: "PSA", CertNumber: "0000000001"}

// The file is that of the npm package, unchanged.
func TestModuleIsThePublishedOne(t *testing.T) {
	decoder, err := zstd.NewReader(bytes.NewReader(compressed))
	if err != nil {
		t.Fatal(err)
	}
	defer decoder.Close()
	hash := sha256.New()
	if _, err := decoder.WriteTo(hash); err != nil {
		t.Fatal(err)
	}
	const want = "22bf6e9f9a100d972da0411a69c5ba504367fc1fa87b3b64e3f35e53926d2d70"
	if got := hex.EncodeToString(hash.Sum(nil)); got != want {
		t.Errorf("the module's SHA-256 is %s, want %s", got, want)
	}
}

func TestShapesHaveTheirColors(t *testing.T) {
	const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20">
		<clipPath id="c"><path d="M0 0H20V20H0z"/></clipPath>
		<g clip-path="url(#c)"><rect width="40" height="20" fill="#f00"/></g>
		<rect x="30" width="10" height="20" fill="#00f" opacity=".5"/></svg>`
	m, err := shared.Render(t.Context(), []byte(drawing), 80)
	if err != nil {
		t.Fatal(err)
	}
	if m.Rect.Dx() != 80 || m.Rect.Dy() != 40 {
		t.Errorf("the image has %v, want 80 by 40 pixels", m.Rect)
	}
	for x, want := range map[int]color.RGBA{20: {255, 0, 0, 255}, 50: {}, 70: {0, 0, 128, 128}} {
		if got := m.RGBAAt(x, 20); got != want {
			t.Errorf("pixel %d is %v, want %v", x, got, want)
		}
	}
}

func TestDrawingsRenderTheSameEachTime(t *testing.T) {
	first, err := shared.Render(t.Context(), art.DrawItem(item), 320)
	if err != nil {
		t.Fatal(err)
	}
	if first.Rect.Dx() != 320 || first.Rect.Dy() != 525 {
		t.Errorf("the card has %v, want 320 by 525 pixels", first.Rect)
	}
	colors := map[color.RGBA]bool{}
	for y := range 525 {
		for x := range 320 {
			c := first.RGBAAt(x, y)
			colors[c] = true
			if max(c.R, c.G, c.B) > c.A {
				t.Fatalf("the pixel at %d, %d is %v, which isn't premultiplied", x, y, c)
			}
		}
	}
	if len(colors) < 1000 {
		t.Errorf("the card has %d colors, want a picture", len(colors))
	}
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() {
			again, err := shared.Render(t.Context(), art.DrawItem(item), 320)
			if err != nil || !bytes.Equal(again.Pix, first.Pix) {
				t.Errorf("the second image differs (%v)", err)
			}
		})
	}
	group.Wait()
}

func TestBadDrawingsFail(t *testing.T) {
	deep := strings.Repeat("<g>", 100_000) + strings.Repeat("</g>", 100_000)
	for name, drawing := range map[string]string{
		"empty": "", "text": "not a drawing", "cut off": string(art.DrawItem(item)[:4000]), "another format": "<html/>", "invalid UTF-8": "<svg>\xff</svg>", "NUL": "<svg>\x00</svg>",
		"too high": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1000000"/>`, "too many pixels": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 30"/>`,
		"deep": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1">` + deep + `</svg>`,
	} {
		if _, err := shared.Render(t.Context(), []byte(drawing), 320); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := shared.Render(t.Context(), []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>`), 8); err != nil {
		t.Errorf("a good drawing after bad ones: %v", err)
	}
}

func TestOtherFilesAreNotRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "secret.svg")
	if err := os.WriteFile(file, []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><rect width="1" height="1" fill="red"/></svg>`), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := shared.Render(t.Context(), fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><image href="%s" width="1" height="1"/></svg>`, file), 8)
	if err != nil {
		t.Fatal(err)
	}
	if m.RGBAAt(4, 4) != (color.RGBA{}) {
		t.Errorf("the image shows another file: %v", m.RGBAAt(4, 4))
	}
}

// slowDrawing takes much longer than any time limit of the tests. With 20,000 circles it would soon run
// out of memory.
func slowDrawing() []byte {
	return []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 1000">` + strings.Repeat(`<circle cx="500" cy="500" r="490" opacity=".5"/>`, 2_000) + `</svg>`)
}

func TestRenderingStopsWithItsContext(t *testing.T) {
	if _, err := shared.Render(t.Context(), art.DrawAvatar("x"), 64); err != nil { // compiles
		t.Fatal(err)
	}
	reason := errors.New("the node stops")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer time.AfterFunc(50*time.Millisecond, func() { cancel(reason) }).Stop()
	if _, err := shared.Render(ctx, slowDrawing(), 1000); !errors.Is(err, reason) {
		t.Errorf("the error is %v, want %v", err, reason)
	}
	if _, err := shared.Render(ctx, slowDrawing(), 1000); !errors.Is(err, reason) {
		t.Errorf("after the end of the context, the error is %v, want %v", err, reason)
	}
}

// Without yields, the collection would wait until the image is finished or given up, and no goroutine
// could run, not even the one that ends it.
func TestGarbageCollectionDoesNotWaitForRendering(t *testing.T) {
	if _, err := shared.Render(t.Context(), art.DrawAvatar("x"), 64); err != nil { // compiles
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := shared.Render(ctx, slowDrawing(), 1000)
		done <- err
	}()
	for shared.mutex.TryLock() { // until it renders
		shared.mutex.Unlock()
		runtime.Gosched()
	}
	for range 20 {
		runtime.GC()
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v: the image was finished before 20 collections were", err)
	}
}

func TestCompiledCodeIsStored(t *testing.T) {
	if _, err := shared.Render(t.Context(), art.DrawAvatar("x"), 64); err != nil {
		t.Fatal(err)
	}
	written := compiledAt(t)
	if err := errors.Join(shared.Unload(t.Context()), shared.Unload(t.Context())); err != nil {
		t.Fatal(err)
	}
	if _, err := shared.Render(t.Context(), art.DrawAvatar("x"), 64); err != nil {
		t.Errorf("after Unload: %v", err)
	}
	if again := compiledAt(t); !again.Equal(written) {
		t.Errorf("the code was compiled again, at %s", again)
	}
}

// compiledAt returns when the stored code was written.
func compiledAt(t *testing.T) (written time.Time) {
	t.Helper()
	err := filepath.WalkDir(shared.dir, func(_ string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		written = info.ModTime()
		if info.Size() < 1<<20 {
			t.Errorf("%s has %d bytes, want compiled code", entry.Name(), info.Size())
		}
		return nil
	})
	if err != nil || written.IsZero() {
		t.Fatalf("no compiled code is stored: %v", err)
	}
	return written
}

func TestDamagedCodeIsCompiledAgain(t *testing.T) {
	if _, err := shared.Render(t.Context(), art.DrawAvatar("x"), 64); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(shared.dir)); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		return errors.Join(os.Chmod(path, 0o600), os.Truncate(path, 1<<20))
	})
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	r := New(dir, slog.New(slog.NewTextHandler(&log, nil)))
	if _, err := r.Render(t.Context(), art.DrawAvatar("x"), 64); err != nil {
		t.Errorf("with a damaged file: %v", err)
	}
	if !strings.Contains(log.String(), "level=WARN") {
		t.Error("the damaged file isn't in the log")
	}
}

func TestFolderThatCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r := New(filepath.Join(file, "code"), slog.New(slog.DiscardHandler))
	for range 2 {
		if _, err := r.Render(t.Context(), art.DrawAvatar("x"), 64); err != nil {
			t.Error(err)
		}
		if err := r.Unload(t.Context()); err != nil || r.runtime == nil {
			t.Errorf("code that isn't stored was unloaded (%v)", err)
		}
	}
}

func TestBrokenModulesGetNoYields(t *testing.T) {
	decoder, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer decoder.Close()
	code, err := decoder.DecodeAll(compressed, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{0, 7, 9, 100, len(code) / 2, len(code) - 500_000} {
		if _, err := addYields(code[:size], dropReference, loopsPerYield); err == nil {
			t.Errorf("the first %d bytes are no module, but no error", size)
		}
	}
	changed, err := addYields(code, dropReference, loopsPerYield)
	if err != nil || len(changed) <= len(code) {
		t.Errorf("%d bytes became %d: %v", len(code), len(changed), err)
	}
}

func BenchmarkCard(b *testing.B) {
	drawing := art.DrawItem(item)
	if _, err := shared.Render(b.Context(), drawing, 320); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := shared.Render(b.Context(), drawing, 320); err != nil {
			b.Fatal(err)
		}
	}
}

package imageproxy

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"slices"
	"testing"
)

func plain(width, height int, c color.Color) image.Image {
	i := image.NewNRGBA(image.Rect(0, 0, width, height))
	for n := range i.Pix {
		r, g, b, a := c.RGBA()
		i.Pix[n] = [4]uint8{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), uint8(a >> 8)}[n%4]
	}
	return i
}

func encoded(t *testing.T, encode func(*bytes.Buffer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := encode(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestImagesAreReencoded(t *testing.T) {
	opaque, translucent := plain(600, 300, color.NRGBA{200, 20, 20, 255}), plain(30, 90, color.NRGBA{0, 0, 200, 100})
	webp, err := base64.StdEncoding.DecodeString("UklGRh4AAABXRUJQVlA4TBEAAAAvAAAAAAfQ//73v/+BiOh/AAA=")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		body          []byte
		form          string
		width, height int
	}{
		"wide png":  {encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, opaque) }), "jpeg", 256, 128},
		"clear png": {encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, translucent) }), "png", 30, 90},
		"jpeg":      {append(encoded(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, opaque, nil) }), "<script>secret place"...), "jpeg", 256, 128},
		"gif":       {encoded(t, func(b *bytes.Buffer) error { return gif.Encode(b, opaque, nil) }), "jpeg", 256, 128},
		"webp":      {webp, "", 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := reencode(t.Context(), c.body, Person.edge())
			if err != nil {
				t.Fatal(err)
			}
			size, form, err := image.DecodeConfig(bytes.NewReader(got))
			if err != nil || c.form != "" && form != c.form || size.Width != c.width || size.Height != c.height || bytes.Contains(got, []byte("secret place")) {
				t.Errorf("became a %s of %d by %d, %v", form, size.Width, size.Height, err)
			}
		})
	}
}

func TestInvalidImagesAreRefused(t *testing.T) {
	whole := encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, plain(40, 40, color.White)) })
	for name, body := range map[string][]byte{
		"nothing": nil, "a page": []byte("<html>"), "a drawing that can run": []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`),
		"half of one": whole[:len(whole)/2], "too many pixels": claiming(whole, 100_000, 100_000), "a line without end": claiming(whole, 1<<30, 1),
		"a long column":            encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, image.NewGray(image.Rect(0, 0, 1, 6_000_000))) }),
		"thousands of empty scans": progressive(2440, 2440, 3000),
	} {
		if got, err := reencode(t.Context(), body, 256); err == nil {
			t.Errorf("%s became %d bytes", name, len(got))
		}
	}
}

// claiming returns a PNG whose header claims another size.
func claiming(whole []byte, width, height uint32) []byte {
	png := bytes.Clone(whole)
	binary.BigEndian.PutUint32(png[16:], width)
	binary.BigEndian.PutUint32(png[20:], height)
	binary.BigEndian.PutUint32(png[29:], crc32.ChecksumIEEE(png[12:29]))
	return png
}

// progressive returns a gray progressive JPEG. Each of its scans is a pass over all blocks that
// changes nothing, in about 20 bytes.
func progressive(width, height uint16, scans int) []byte {
	size := func(n uint16) []byte { return binary.BigEndian.AppendUint16(nil, n) }
	jpeg := []byte{0xff, 0xd8}
	segment := func(marker byte, parts ...[]byte) {
		content := bytes.Join(parts, nil)
		jpeg = append(append(append(jpeg, 0xff, marker), size(uint16(len(content)+2))...), content...)
	}
	segment(0xdb, []byte{0}, bytes.Repeat([]byte{1}, 64))                      // quantization
	segment(0xc2, []byte{8}, size(height), size(width), []byte{1, 1, 0x11, 0}) // progressive, one component
	segment(0xc4, []byte{0x00, 1}, make([]byte, 15), []byte{0})                // DC: the code 0 is "no difference"
	segment(0xc4, []byte{0x10, 1}, make([]byte, 15), []byte{0xe0})             // AC: the code 0 begins a run of 16,384 + 14 bits' blocks
	blocks := (int(width) + 7) / 8 * ((int(height) + 7) / 8)
	segment(0xda, []byte{1, 1, 0, 0, 0, 0})
	jpeg = append(jpeg, make([]byte, (blocks+7)/8)...)
	runs := (blocks + 1<<14 - 1) >> 14
	for range scans {
		segment(0xda, []byte{1, 1, 0, 1, 63, 0})
		jpeg = append(jpeg, make([]byte, (runs*15+7)/8)...)
	}
	return append(jpeg, 0xff, 0xd9)
}

// Encoders write a few scans, so a JPEG with ten is accepted.
func TestAFewScansAreDecoded(t *testing.T) {
	if _, err := reencode(t.Context(), progressive(200, 100, 10), 256); err != nil {
		t.Error(err)
	}
}

func TestDecodingStopsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := reencode(ctx, progressive(2440, 2440, maxScans-1), 256); !errors.Is(err, context.Canceled) {
		t.Errorf("decoded after cancellation: %v", err)
	}
}

// While an image of one host is decoded, only other images of that host wait.
func TestOneHostDoesNotBlockDecoding(t *testing.T) {
	s, picture := New(nil, nil), progressive(8, 8, 1)
	release, err := s.decodes.acquire(t.Context(), "busy.example")
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if _, err := s.reencode(t.Context(), "other.example", picture, 256); err != nil {
		t.Errorf("another host's picture: %v", err)
	}
	ctx, end := context.WithCancel(t.Context())
	end()
	if _, err := s.reencode(ctx, "busy.example", picture, 256); !errors.Is(err, errBusy) {
		t.Errorf("a second picture of the busy host: %v", err)
	}
}

// Cameras store pixels as the sensor reads them and put the rotation into the metadata. The image
// is 20 by 10 with a red left edge.
func TestImagesAreRotatedUpright(t *testing.T) {
	original := plain(20, 10, color.White).(*image.NRGBA)
	for x := range 6 {
		for y := range 10 {
			original.Set(x, y, color.NRGBA{255, 0, 0, 255})
		}
	}
	for y := range 4 {
		for x := range 20 {
			original.Set(x, y, color.NRGBA{0, 0, 255, 255})
		}
	}
	whole := encoded(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, original, &jpeg.Options{Quality: 100}) })
	for orientation, want := range map[uint16]struct {
		blue, red image.Point // where the stored top right and bottom left corners end up
		width     int
	}{
		1: {image.Pt(19, 0), image.Pt(0, 9), 20}, 2: {image.Pt(0, 0), image.Pt(19, 9), 20},
		3: {image.Pt(0, 9), image.Pt(19, 0), 20}, 4: {image.Pt(19, 9), image.Pt(0, 0), 20},
		5: {image.Pt(0, 19), image.Pt(9, 0), 10}, 6: {image.Pt(9, 19), image.Pt(0, 0), 10},
		7: {image.Pt(9, 0), image.Pt(0, 19), 10}, 8: {image.Pt(0, 0), image.Pt(9, 19), 10},
		0: {image.Pt(19, 0), image.Pt(0, 9), 20}, 9: {image.Pt(19, 0), image.Pt(0, 9), 20},
	} {
		got, err := reencode(t.Context(), withOrientation(whole, orientation), 256)
		if err != nil {
			t.Fatal(err)
		}
		seen, err := jpeg.Decode(bytes.NewReader(got))
		if err != nil {
			t.Fatal(err)
		}
		_, _, blue, _ := seen.At(want.blue.X, want.blue.Y).RGBA()
		redAtBlue, _, _, _ := seen.At(want.blue.X, want.blue.Y).RGBA()
		red, _, blueAtRed, _ := seen.At(want.red.X, want.red.Y).RGBA()
		if seen.Bounds().Dx() != want.width || blue < 0xb000 || redAtBlue > 0x5000 || red < 0xb000 || blueAtRed > 0x5000 {
			t.Errorf("orientation %d: %v, %v and %v", orientation, seen.Bounds(), seen.At(want.blue.X, want.blue.Y), seen.At(want.red.X, want.red.Y))
		}
	}
}

// withOrientation adds an EXIF segment with an orientation tag to a JPEG.
func withOrientation(jpeg []byte, orientation uint16) []byte {
	exif := []byte("Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01")
	exif = append(binary.BigEndian.AppendUint16(exif, orientation), 0, 0, 0, 0, 0, 0)
	segment := append(binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(len(exif)+2)), exif...)
	return slices.Concat(jpeg[:2], segment, jpeg[2:])
}

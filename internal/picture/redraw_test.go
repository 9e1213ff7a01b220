package picture

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"testing"
)

func drawn(width, height int, c color.Color) image.Image {
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

func TestPicturesAreDrawnAnew(t *testing.T) {
	opaque, glassy := drawn(600, 300, color.NRGBA{200, 20, 20, 255}), drawn(30, 90, color.NRGBA{0, 0, 200, 100})
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
		"clear png": {encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, glassy) }), "png", 30, 90},
		"jpeg":      {append(encoded(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, opaque, nil) }), "<script>secret place"...), "jpeg", 256, 128},
		"gif":       {encoded(t, func(b *bytes.Buffer) error { return gif.Encode(b, opaque, nil) }), "jpeg", 256, 128},
		"webp":      {webp, "", 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := redraw(c.body, Person.edge())
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

func TestWhatIsNoPictureIsRefused(t *testing.T) {
	whole := encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, drawn(40, 40, color.White)) })
	for name, body := range map[string][]byte{
		"nothing": nil, "a page": []byte("<html>"), "a drawing that can run": []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`),
		"half of one": whole[:len(whole)/2], "too many pixels": claiming(whole, 100_000, 100_000), "a line without end": claiming(whole, 1<<30, 1),
	} {
		if got, err := redraw(body, 256); err == nil {
			t.Errorf("%s became %d bytes", name, len(got))
		}
	}
}

// claiming is a PNG whose header says another size.
func claiming(whole []byte, width, height uint32) []byte {
	png := bytes.Clone(whole)
	binary.BigEndian.PutUint32(png[16:], width)
	binary.BigEndian.PutUint32(png[20:], height)
	binary.BigEndian.PutUint32(png[29:], crc32.ChecksumIEEE(png[12:29]))
	return png
}

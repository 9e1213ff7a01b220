package picture

import (
	"bytes"
	"fmt"
	"image"
	_ "image/gif" // a form that is read
	"image/jpeg"
	"image/png"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp" // a form that is read
)

// mostPixels bounds what drawing one picture costs: up to 28 bytes of memory each, for
// a progressive JPEG that is made smaller.
const mostPixels = 6_000_000

// redraw makes of a PNG, JPEG, GIF or WebP a PNG or JPEG of its pixels alone: no
// place, time or camera, no script and no second file inside. Its sides are at most
// edge long.
func redraw(body []byte, edge int) ([]byte, error) {
	size, _, err := image.DecodeConfig(bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("not a picture: %w", err)
	}
	if size.Width < 1 || size.Height < 1 || size.Width > mostPixels/size.Height {
		return nil, fmt.Errorf("%d by %d pixels", size.Width, size.Height)
	}
	whole, _, err := image.Decode(bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("not a whole picture: %w", err)
	}
	small := image.NewNRGBA(fit(whole.Bounds(), edge))
	draw.CatmullRom.Scale(small, small.Bounds(), whole, whole.Bounds(), draw.Src, nil)
	var b bytes.Buffer
	if small.Opaque() {
		err = jpeg.Encode(&b, small, &jpeg.Options{Quality: 88})
	} else {
		err = png.Encode(&b, small)
	}
	return b.Bytes(), err
}

func fit(r image.Rectangle, edge int) image.Rectangle {
	width, height := r.Dx(), r.Dy()
	if longer := max(width, height); longer > edge {
		width, height = max(1, width*edge/longer), max(1, height*edge/longer)
	}
	return image.Rect(0, 0, width, height)
}

package imageproxy

import (
	"bytes"
	"context"
	"fmt"
	"image"
	_ "image/gif" // registers the format
	"image/jpeg"
	"image/png"
	"io"

	"github.com/bep/imagemeta"
	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp" // registers the format
)

// Limits of decoded images. Decoding uses up to 28 bytes per pixel (a progressive JPEG that is
// scaled down), so at most 168 MB per image.
const (
	mostPixels = 6_000_000
	mostSide   = 8192
	// mostScans limits the passes over all pixels that a JPEG can request with a few bytes each.
	// Encoders write about ten.
	mostScans = 100
)

// redraw decodes a PNG, JPEG, GIF or WebP and encodes its pixels, upright, as PNG or JPEG with
// sides of at most edge pixels. It drops metadata, scripts and appended data. If ctx is canceled,
// it stops with the error of ctx.
func redraw(ctx context.Context, body []byte, edge int) ([]byte, error) {
	size, format, err := image.DecodeConfig(bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("not a picture: %w", err)
	}
	if max(size.Width, size.Height) > mostSide || min(size.Width, size.Height) < 1 || size.Width*size.Height > mostPixels {
		return nil, fmt.Errorf("%d by %d pixels", size.Width, size.Height)
	}
	if n := scans(body); format == "jpeg" && n > mostScans {
		return nil, fmt.Errorf("%d scans", n)
	}
	whole, _, err := image.Decode(untilDone{ctx, bytes.NewReader(body)})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("incomplete picture: %w", err)
	}
	small := image.NewNRGBA(fit(whole.Bounds(), edge))
	draw.CatmullRom.Scale(small, small.Bounds(), whole, whole.Bounds(), draw.Src, nil)
	small = upright(small, orientation(body, format))
	var b bytes.Buffer
	if small.Opaque() {
		err = jpeg.Encode(&b, small, &jpeg.Options{Quality: 88})
	} else {
		err = png.Encode(&b, small)
	}
	return b.Bytes(), err
}

// scans counts the start-of-scan markers of a JPEG. Metadata may contain the same two
// bytes by chance, so the count is an upper bound.
func scans(jpeg []byte) int { return bytes.Count(jpeg, []byte{0xff, 0xda}) }

// untilDone fails reads once its context is done. Decoders read 4 kB at a time, which
// bounds how long they go on.
type untilDone struct {
	ctx  context.Context
	from io.Reader
}

func (r untilDone) Read(into []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.from.Read(into)
}

func fit(r image.Rectangle, edge int) image.Rectangle {
	width, height := r.Dx(), r.Dy()
	if longer := max(width, height); longer > edge {
		width, height = max(1, width*edge/longer), max(1, height*edge/longer)
	}
	return image.Rect(0, 0, width, height)
}

var withMetadata = map[string]imagemeta.ImageFormat{"jpeg": imagemeta.JPEG, "png": imagemeta.PNG, "webp": imagemeta.WebP}

// orientation returns the EXIF orientation of a picture: 1 to 8, and 1 (upright) where
// there is none or it can't be read.
func orientation(body []byte, format string) uint16 {
	found := uint16(1)
	metadata, ok := withMetadata[format]
	if !ok {
		return found
	}
	_, err := imagemeta.Decode(imagemeta.Options{
		R: bytes.NewReader(body), ImageFormat: metadata, Sources: imagemeta.EXIF,
		ShouldHandleTag: func(tag imagemeta.TagInfo) bool { return tag.Namespace == "IFD0" && tag.Tag == "Orientation" },
		HandleTag: func(tag imagemeta.TagInfo) error {
			if value, ok := tag.Value.(uint16); ok && value >= 1 && value <= 8 {
				found = value
			}
			return imagemeta.ErrStopWalking
		},
	})
	if err != nil {
		return 1 // broken metadata doesn't make the pixels unreadable
	}
	return found
}

// upright rotates and mirrors an image according to its EXIF orientation.
func upright(picture *image.NRGBA, orientation uint16) *image.NRGBA {
	if orientation == 1 {
		return picture
	}
	width, height := picture.Rect.Dx(), picture.Rect.Dy()
	turned := image.NewNRGBA(image.Rect(0, 0, width, height))
	if orientation >= 5 {
		turned = image.NewNRGBA(image.Rect(0, 0, height, width))
	}
	right, bottom := width-1, height-1
	for y := range height {
		for x := range width {
			at := [...]image.Point{
				2: {right - x, y}, 3: {right - x, bottom - y}, 4: {x, bottom - y},
				5: {y, x}, 6: {bottom - y, x}, 7: {bottom - y, right - x}, 8: {y, right - x},
			}[orientation]
			turned.SetNRGBA(at.X, at.Y, picture.NRGBAAt(x, y))
		}
	}
	return turned
}

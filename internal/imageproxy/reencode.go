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
	maxPixels = 6_000_000
	maxSide   = 8192
	// maxScans limits the passes over all pixels that a JPEG can request with a few bytes each.
	// Encoders write about ten.
	maxScans = 100
)

// reencode decodes a PNG, JPEG, GIF or WebP and encodes its pixels, upright, as PNG or JPEG with
// sides of at most maxEdge pixels. It drops metadata, scripts and appended data. If ctx is
// canceled, it stops with the error of ctx.
func reencode(ctx context.Context, body []byte, maxEdge int) ([]byte, error) {
	size, format, err := image.DecodeConfig(bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("not a picture: %w", err)
	}
	if max(size.Width, size.Height) > maxSide || min(size.Width, size.Height) < 1 || size.Width*size.Height > maxPixels {
		return nil, fmt.Errorf("%d by %d pixels", size.Width, size.Height)
	}
	if n := scans(body); format == "jpeg" && n > maxScans {
		return nil, fmt.Errorf("%d scans", n)
	}
	decoded, _, err := image.Decode(contextReader{ctx, bytes.NewReader(body)})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("incomplete picture: %w", err)
	}
	small := image.NewNRGBA(fit(decoded.Bounds(), maxEdge))
	draw.CatmullRom.Scale(small, small.Bounds(), decoded, decoded.Bounds(), draw.Src, nil)
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

// contextReader fails reads once its context is done. Decoders read 4 kB at a time, which
// bounds how long they go on.
type contextReader struct {
	ctx  context.Context
	from io.Reader
}

func (r contextReader) Read(into []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.from.Read(into)
}

// fit returns a rectangle at the origin of r's proportions with sides of at most maxEdge.
func fit(r image.Rectangle, maxEdge int) image.Rectangle {
	width, height := r.Dx(), r.Dy()
	if longer := max(width, height); longer > maxEdge {
		width, height = max(1, width*maxEdge/longer), max(1, height*maxEdge/longer)
	}
	return image.Rect(0, 0, width, height)
}

var metadataFormats = map[string]imagemeta.ImageFormat{"jpeg": imagemeta.JPEG, "png": imagemeta.PNG, "webp": imagemeta.WebP}

// orientation returns the EXIF orientation of a picture: 1 to 8, and 1 (upright) where
// there is none or it can't be read.
func orientation(body []byte, format string) uint16 {
	found := uint16(1)
	metadata, ok := metadataFormats[format]
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
	rotated := image.NewNRGBA(image.Rect(0, 0, width, height))
	if orientation >= 5 {
		rotated = image.NewNRGBA(image.Rect(0, 0, height, width))
	}
	right, bottom := width-1, height-1
	for y := range height {
		for x := range width {
			at := [...]image.Point{
				2: {right - x, y}, 3: {right - x, bottom - y}, 4: {x, bottom - y},
				5: {y, x}, 6: {bottom - y, x}, 7: {bottom - y, right - x}, 8: {y, right - x},
			}[orientation]
			rotated.SetNRGBA(at.X, at.Y, picture.NRGBAAt(x, y))
		}
	}
	return rotated
}

// Package art draws the catalogue as SVG: graded slabs, boxed toys, pack covers and the pictures of
// the home page. Package scenes draws the subjects of cards, package plush the toys. The output is
// deterministic. A drawing is self-contained: it loads no script, font or image.
package art

import (
	"embed"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"kaibao/internal/art/scenes"
	"kaibao/internal/art/svg"
)

// Item has the properties of a catalogue item that its picture depends on. Grade is 0 for an
// ungraded item.
type Item struct {
	ID, Name, Series, Rarity string
	Grade                    float64
	Grader, CertNumber       string
}

// Cover has the properties of a pack that its picture depends on. Series is the first of the pack's
// series, or empty for a pack of all series.
type Cover struct {
	ID, Name, Series string
}

// Path returns the cover's URL: that of the embedded pixels, which browsers show faster, or else
// that of the drawing. sources lists the pixels in all widths in the format of HTML's srcset; it is
// empty for a drawing.
func (cover Cover) Path() (path, sources string) {
	v := versionOf(cover.ID, cover.Name, cover.Series)
	widths := make([]string, 0, len(coverWidths))
	for _, width := range coverWidths {
		name := fmt.Sprintf("%s-%s-%d.webp", cover.ID, v, width)
		if _, err := fs.Stat(coverPixels, "cover_pixels/"+name); err != nil {
			return drawingPath("packs", cover.ID, v), ""
		}
		path = "/media/covers/" + name
		widths = append(widths, fmt.Sprintf("%s %dw", path, width))
	}
	return path, strings.Join(widths, ", ")
}

// coverWidths are the pixel widths of a cover: on a card of the store; on the pack's page, or on a
// card on a high-resolution screen; and on the page on a high-resolution screen.
var coverWidths = []int{208, 416, 700}

// coverPixels are the covers as pixels, named by pack id, version of the drawing and width.
// web/tools/pixels.mjs generates them.
//
//go:embed cover_pixels
var coverPixels embed.FS

// DrawItem draws a catalogue item, 500 by 820: a card in its slab or a toy in its box.
func DrawItem(item Item) []byte {
	c := new(svg.Canvas)
	drawFramed(c, item)
	return c.Document(500, 820, item.Name)
}

// drawFramed draws an item in its slab or its box.
func drawFramed(c *svg.Canvas, item Item) {
	if scenes.CategoryOf(item.Series, item.Name) == scenes.LabubuToys {
		drawToyBox(c, item)
	} else {
		drawSlab(c, item)
	}
}

// GradeText formats a grade as graders print it: 10, 9.5.
func GradeText(grade float64) string {
	if grade == 0 {
		return ""
	}
	return strconv.FormatFloat(grade, 'f', -1, 64)
}

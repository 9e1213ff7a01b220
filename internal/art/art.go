// Package art draws the catalogue as SVG: graded slabs, boxed toys, pack covers and the pictures of
// the home page. The output is deterministic. A drawing is self-contained: it loads no script, font
// or image.
package art

import (
	"embed"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// Entry has the properties of a catalogue item that its picture depends on. Grade is 0 for an
// ungraded item.
type Entry struct {
	ID, Name, Series, Rarity string
	Grade                    float64
	Grader, CertNumber       string
}

// Cover has the properties of a pack that its picture depends on. Series is the first of the pack's
// series, or empty for a pack of all series.
type Cover struct {
	ID, Name, Series string
}

// Path returns the cover's URL: that of embedded pixels, which a browser shows faster, or else that
// of the drawing. Sources are the same pixels in all widths, in the format of HTML's srcset; they
// are empty for a drawing.
func (p Cover) Path() (path, sources string) {
	v := versionOf(p.ID, p.Name, p.Series)
	widths := make([]string, 0, len(coverWidths))
	for _, width := range coverWidths {
		name := fmt.Sprintf("%s-%s-%d.webp", p.ID, v, width)
		if _, err := fs.Stat(covers, "covers/"+name); err != nil {
			return drawingPath("packs", p.ID, v), ""
		}
		path = "/media/covers/" + name
		widths = append(widths, fmt.Sprintf("%s %dw", path, width))
	}
	return path, strings.Join(widths, ", ")
}

// coverWidths are the pixel widths of a cover: on a card of the store; on the pack's page, or on a
// card on a high-resolution screen; and on the page on a high-resolution screen.
var coverWidths = []int{208, 416, 700}

// covers are pixels of covers, named by pack id, version of the drawing and width.
// web/tools/pixels.mjs generates them.
//
//go:embed covers
var covers embed.FS

// Item draws a catalogue item, 500 by 820: a card in its slab or a toy in its box.
func Item(e Entry) []byte {
	c := new(canvas)
	c.item(e)
	return c.document(500, 820, e.Name)
}

func (c *canvas) item(e Entry) {
	if categoryOf(e.Series, e.Name) == labubuToys {
		c.toyBox(e)
	} else {
		c.slab(e)
	}
}

// document returns the elements drawn so far as a complete SVG.
func (c *canvas) document(w, h int, title string) []byte {
	head := `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ` + strconv.Itoa(w) + " " + strconv.Itoa(h) +
		`">`
	if title != "" {
		head += "<title>" + escape(title) + "</title>"
	}
	return []byte(head + c.b.String() + "</svg>")
}

// gradeText formats a grade as graders print it: 10, 9.5.
func gradeText(grade float64) string {
	if grade == 0 {
		return ""
	}
	return strconv.FormatFloat(grade, 'f', -1, 64)
}

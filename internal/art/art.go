// Package art draws the catalogue as SVG: graded slabs, boxed toys, pack covers and the pictures of
// the home page. The same input always gives the same bytes. A drawing is self-contained: it loads
// no script, font or image.
package art

import (
	"embed"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// Entry is what a catalogue item's picture depends on. Grade is 0 for an ungraded one.
type Entry struct {
	ID, Name, Series, Rarity string
	Grade                    float64
	Grader, CertNumber       string
}

// Cover is what a pack's picture depends on. Series is the first of the pack's series, empty for a pack of all.
type Cover struct {
	ID, Name, Series string
}

// Path is the cover's address: of its pixels where the program brings them, which a
// browser shows sooner than a drawing, else of the drawing. Sources are the same pixels
// in all their widths, in the form of HTML's srcset; a drawing has none.
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

// coverWidths are the widths of a cover's pixels: on a card of the store, on the pack's
// own page or on a dense screen, and on the page on a dense screen.
var coverWidths = []int{208, 416, 700}

// covers are pixels of covers by the pack's id, the drawing's version and the width.
// They are made by web/tools/pixels.mjs.
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

// document wraps what was drawn into a complete SVG.
func (c *canvas) document(w, h int, title string) []byte {
	head := `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ` + strconv.Itoa(w) + " " + strconv.Itoa(h) +
		`">`
	if title != "" {
		head += "<title>" + escape(title) + "</title>"
	}
	return []byte(head + c.b.String() + "</svg>")
}

// gradeText writes a grade as graders print it: 10, 9.5.
func gradeText(grade float64) string {
	if grade == 0 {
		return ""
	}
	return strconv.FormatFloat(grade, 'f', -1, 64)
}

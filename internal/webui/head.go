package webui

import (
	"bytes"
	"context"
	"html/template"
	"net/http"
	"regexp"

	"kaibao/internal/apperr"
	"kaibao/internal/httpapi"
	"kaibao/internal/preview"
)

var headTemplate = template.Must(template.New("head").Parse(`<title>{{.Title}}</title>
<meta name="description" content="{{.Description}}">
<link rel="canonical" href="{{.URL}}">
<meta property="og:type" content="{{.Type}}">
<meta property="og:site_name" content="Kaibao 开包">
<meta property="og:locale" content="{{.Locale}}">
<meta property="og:url" content="{{.URL}}">
<meta property="og:title" content="{{.Title}}">
<meta property="og:description" content="{{.Description}}">
<meta property="og:image" content="{{.ImageURL}}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="{{.Width}}">
<meta property="og:image:height" content="{{.Height}}">
<meta property="og:image:alt" content="{{.ImageAlt}}">
<meta name="twitter:card" content="summary_large_image">
`))

// headFields is what headTemplate needs.
type headFields struct {
	httpapi.PageHead
	URL, ImageURL, Locale string
	Width, Height         int
}

var locales = map[string]string{"en": "en_US", "zh": "zh_CN"}

// renderHead returns the elements of a head.
func renderHead(h httpapi.PageHead, public string) ([]byte, error) {
	var b bytes.Buffer
	err := headTemplate.Execute(&b, headFields{h, public + h.Path, public + h.Image, locales[h.Language], preview.Width, preview.Height})
	return b.Bytes(), err
}

var (
	// generalHead matches the elements that describe the app in general.
	generalHead = regexp.MustCompile(`(?s)\s*<(?:title>.*?</title>|meta\s+(?:name|property)="(?:description|og:[^"]*|twitter:[^"]*)"[^>]*>)`)
	endOfHead   = []byte("</head>")
)

// replaceHead returns a page that is described by other elements.
func replaceHead(page, elements []byte) []byte {
	head, rest, found := bytes.Cut(page, endOfHead)
	if !found {
		return page
	}
	head = generalHead.ReplaceAll(head, nil)
	return bytes.Join([][]byte{head, elements, endOfHead, rest}, nil)
}

// ownHead returns the elements that describe the page at a path, nil if it has the general ones, and the
// page's status.
func (p Pages) ownHead(ctx context.Context, api *httpapi.API, name string) (elements []byte, status int) {
	status = http.StatusNotFound
	if p.known(name) {
		status = http.StatusOK
	}
	if p.Heads == nil {
		return nil, status
	}
	ctx, end := context.WithTimeout(ctx, headTimeout)
	defer end()
	head, err := p.Heads(ctx, name)
	if err == nil && head != nil {
		elements, err = renderHead(*head, api.PublicURL.String())
		status = http.StatusOK
	}
	switch {
	case err == nil:
		return elements, status
	case apperr.As(err).Code == apperr.NotFound:
		return nil, http.StatusNotFound
	}
	// Other sites try again. The app loads the data itself and shows the error.
	api.Log.WarnContext(ctx, "a page's head can't be read", "path", name, "error", err)
	return nil, http.StatusServiceUnavailable
}

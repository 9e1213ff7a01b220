package httpapi

// PageHead describes a page to crawlers: search engines, and sites and apps that show a preview of it.
type PageHead struct {
	Title, Description string
	Path               string // of the page
	Type               string // website or profile, as Open Graph defines them
	Image, ImageAlt    string // the image's path on this server, and its text
	Language           string // en or zh: of these texts, not of the page
}

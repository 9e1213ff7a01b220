package main

import (
	"bytes"
	"encoding/json"
)

// item is a catalogue entry in the data files. Toys have no certificate.
type item struct {
	ID             string  `json:"id"`
	Name           string  `json:"name"`
	Series         string  `json:"series"`
	Rarity         string  `json:"rarity"`
	Grade          float64 `json:"grade"`
	Grader         string  `json:"certType"`
	CertNumber     string  `json:"certNumber"`
	Set            string  `json:"set"`
	SetNumber      string  `json:"setNumber"` // as printed on the card
	BaseValueCents int64   `json:"baseValueCents"`
}

// linesOfJSON writes one item per line, so that changing an item changes one line.
func linesOfJSON(items []item) []byte {
	var b bytes.Buffer
	b.WriteString("[\n")
	for i, it := range items {
		b.WriteString("  ")
		b.Write(bytes.TrimRight(encode(it, ""), "\n"))
		if i < len(items)-1 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	b.WriteString("]\n")
	return b.Bytes()
}

func indentedJSON(v any) []byte {
	return encode(v, "  ")
}

// encode doesn't escape &, < and >, since the files are never part of a page.
func encode(v any, indent string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		panic(err) // can't happen with plain structs
	}
	return b.Bytes()
}

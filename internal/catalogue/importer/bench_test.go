package importer

import (
	"fmt"
	"strings"
	"testing"
)

func BenchmarkRead(b *testing.B) {
	var text strings.Builder
	text.WriteString(header + "\n")
	for n := range 10000 {
		fmt.Fprintf(&text, "card-%d,2021 Warehouse #%d Player %d Holo PSA 9,Warehouse,Common,9,PSA,%010d,4e3,https://pictures.example/%d.png,true\n", n, n, n, n, n)
	}
	for b.Loop() {
		if _, refused, _, err := readAll([]byte(text.String()), CSV); err != nil || refused != nil {
			b.Fatal(err, refused)
		}
	}
}

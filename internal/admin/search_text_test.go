package admin

import "testing"

// A search text may be quoted, a link to a page, an id within a text, or shortened as on the pages.
func TestParseSearchText(t *testing.T) {
	const user, open = "01a22652-7a0b-7c31-9d2e-5b7f0a1c2d3e", "01a2264a-366e-7b65-a534-0b48f61ac68b"
	const wallet, signature = "DPrnt6qJ3mCcQ3W8xgDpQmW7eW7oYxTq1zLxJkQkkoV6", "4jrP6mE982btp"
	for text, want := range map[string]searchText{
		open:                                    {whole: open, start: open},
		`"` + open + `"`:                        {whole: open, start: open},
		"“" + open + "”,":                       {whole: open, start: open},
		"「" + open + "」。":                       {whole: open, start: open},
		"https://kaibao.example/verify/" + open: {whole: open, start: open},
		"kaibao.example/verify/" + open + "/":   {whole: open, start: open},
		"https://kaibao.example/admin/users/" + user + "?tab=opens&id=" + open: {whole: open, start: open},
		"user=" + user: {whole: user, start: user},
		"https://solscan.io/tx/" + signature + "?cluster=devnet#events": {whole: signature, start: signature},
		"DPrnt6...koV6":           {whole: "DPrnt6...koV6", start: "DPrnt6", end: "koV6"},
		"'DPrnt6…koV6'":           {whole: "DPrnt6…koV6", start: "DPrnt6", end: "koV6"},
		"01a2264a-366e-7b65-a53…": {whole: "01a2264a-366e-7b65-a53…", start: "01a2264a-366e-7b65-a53"},
		"01a2264a...1ac68b":       {whole: "01a2264a...1ac68b", start: "01a2264a", end: "1ac68b"},
		wallet:                    {whole: wallet, start: wallet},
		"Ann":                     {whole: "Ann", start: "Ann"},
		"Ann ... and Ben":         {whole: "Ann ... and Ben", start: "Ann ... and Ben"},
		"a/b":                     {whole: "a/b", start: "a/b"},
		"/":                       {whole: "/", start: "/"},
		`""`:                      {},
		"...":                     {whole: "...", start: "..."},
	} {
		if got := parseSearchText(text); got != want {
			t.Errorf("%q is %+v, want %+v", text, got, want)
		}
	}
}

// A start of an id of at least 8 characters stands for a range of ids.
func TestIDRange(t *testing.T) {
	for start, want := range map[string][2]string{
		"01a2264a":                              {"01a2264a-0000-0000-0000-000000000000", "01a2264a-ffff-ffff-ffff-ffffffffffff"},
		"01A2264A-366e":                         {"01a2264a-366e-0000-0000-000000000000", "01a2264a-366e-ffff-ffff-ffffffffffff"},
		"01a2264a-366e-7b65-a534-0b48f61ac68b":  {"01a2264a-366e-7b65-a534-0b48f61ac68b", "01a2264a-366e-7b65-a534-0b48f61ac68b"},
		"01a2264":                               {},
		"01a2264a366e":                          {},
		"01a2264a-366g":                         {},
		"01a2264a-366e-7b65-a534-0b48f61ac68b0": {},
		"":                                      {},
	} {
		first, last, ok := idRange(start)
		if first != want[0] || last != want[1] || ok != (want[0] != "") {
			t.Errorf("%q stands for %s to %s (%v), want %v", start, first, last, ok, want)
		}
	}
}

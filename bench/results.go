package main

import (
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"time"
)

// table is a section of the results.
type table struct {
	title string
	rows  []row
}

// row is a measurement with its target.
type row struct {
	measure, value, target, verdict, detail string
}

// goal reports whether a value meets its target; nil = no target.
type goal func(float64) bool

func atLeast(least float64) goal { return func(v float64) bool { return v >= least } }
func atMost(most float64) goal   { return func(v float64) bool { return v <= most } }

// row returns a row with the median of a sample, formatted with format.
func (b *bench) row(measure, sample, format, target string, meets goal, detail string) row {
	r := row{measure: measure, value: "–", target: target, verdict: "not measured", detail: detail}
	value, ok := b.median(sample)
	if !ok {
		r.detail = ""
		return r
	}
	r.value = fmt.Sprintf(format, value)
	switch {
	case meets == nil:
		r.verdict = ""
	case meets(value):
		r.verdict = "met"
	default:
		r.verdict = "**not met**"
	}
	return r
}

// about formats the medians of samples.
func (b *bench) about(format string, samples ...string) string {
	values := make([]any, len(samples))
	for n, name := range samples {
		values[n], _ = b.median(name)
	}
	return fmt.Sprintf(format, values...)
}

func (b *bench) yardstickRows() table {
	t := table{title: "The yardsticks"}
	for _, yardstick := range []struct{ sample, name string }{{"tpcb", "pgbench's own TPC-B"}, {"spare", "a spare open as one call (`spare.sql`)"}} {
		for _, clients := range yardstickCounts {
			t.rows = append(t.rows, b.row(fmt.Sprintf("%s, %d clients", yardstick.name, clients), fmt.Sprintf("%s %d", yardstick.sample, clients), "%.0f/s", "", nil, ""))
		}
		t.rows = append(t.rows, b.row("… at its best, round by round", yardstick.sample, "%.0f/s", "", nil, ""))
	}
	t.rows = append(t.rows, b.row("4 kB appended and fdatasync", "fdatasync p50", "%.2f ms", "", nil, b.about("p99 %.2f ms", "fdatasync p99")))
	return t
}

// mostEffort is the target of 150 µs per open relative to a TPC-B transaction on the machine where
// it was set: two cores at 9,100 TPC-B/s, that is 220 µs each.
const mostEffort = 150. / 220

func (b *bench) opensRows() table {
	t := table{title: "Opening a pack"}
	for _, engine := range engines {
		for _, clients := range clientCounts {
			name := fmt.Sprintf("%s %d", engine, clients)
			t.rows = append(t.rows, b.row(fmt.Sprintf("%s, %d clients, against TPC-B", engine, clients), name+" ratio", "%.2f ×", "≥ 1.0 ×", atLeast(1),
				b.about("%.0f opens/s, p50 %.1f ms, p99 %.1f ms; against the spare open %.2f ×", name+" rate", name+" p50", name+" p99", name+" spare")))
		}
	}
	fast, probed := b.median("fdatasync p50")
	for _, engine := range engines {
		name := engine + " 64"
		t.rows = append(t.rows, b.row(engine+", 64 clients, p99 against p50", name+" spread", "%.1f ×", "≤ 4 ×", atMost(4), ""))
		if probed && fast <= 0.3 {
			t.rows = append(t.rows, b.row(engine+", 64 clients, p99", name+" p99", "%.1f ms", "≤ 60 ms", atMost(60), ""))
		}
		t.rows = append(t.rows, b.row(engine+", processor time an open, server and database", name+" cpu", "%.0f µs", "≤ 150 µs", atMost(150),
			b.about("server %.0f, PostgreSQL %.0f; both at 256 clients %.0f", name+" server", name+" database", engine+" 256 cpu")))
		t.rows = append(t.rows, b.row("… against a TPC-B's at its best", name+" effort", "%.2f ×", fmt.Sprintf("≤ %.2f ×", mostEffort), atMost(mostEffort),
			b.about("at 256 clients %.2f ×", engine+" 256 effort")))
	}
	lone := 4*fast + 0.5
	return table{t.title, append(t.rows,
		b.row("SQLite, 1 client, p50", "SQLite 1 proved p50", "%.2f ms", fmt.Sprintf("≤ 4 fdatasync + 0.5 ms = %.2f ms", lone), atMost(lone), ""),
		b.row("PostgreSQL, 1 client, p50", "PostgreSQL 1 proved p50", "%.2f ms", "", nil, ""),
		b.row("PostgreSQL, 64 clients that check every answer", "PostgreSQL 64 proved", "%.0f/s", "", nil, "`kaibao load`, which takes a part of the machine itself"),
		b.row("SQLite, 64 clients that check every answer", "SQLite 64 proved", "%.0f/s", "", nil, ""))}
}

func (b *bench) tradesRows() table {
	t := table{title: "Buying a listing"}
	for _, engine := range engines {
		t.rows = append(t.rows, b.row(engine+", 64 clients that check every answer, against their opens", engine+" trades ratio", "%.2f ×", "≥ 0.5 ×", atLeast(0.5),
			b.about("%.0f buys/s", engine+" trades")))
	}
	return t
}

func (b *bench) growthRows() table {
	t := table{title: "Growth"}
	most := map[string]float64{"PostgreSQL": 1.2, "SQLite": 1.5}
	for _, engine := range engines {
		for n, items := range b.sizes {
			name := (&grown{engine: engine, items: items}).label()
			target, meets := fmt.Sprintf("≤ %.1f ×", most[engine]), atMost(most[engine])
			if n == 0 {
				target, meets = "", nil
			}
			t.rows = append(t.rows, b.row(fmt.Sprintf("%s, p50 with %s items", engine, power(items)), name+" growth", "%.2f ×",
				target, meets, b.about("%.2f ms", name+" p50")))
		}
	}
	return t
}

// power formats a power of ten.
func power(n int) string { return fmt.Sprintf("10^%.0f", math.Log10(float64(n))) }

func (b *bench) dropRows() table {
	return table{"A hot drop on three nodes", []row{
		b.row(fmt.Sprintf("sold of a supply of %d to %d buyers at once", b.supply, b.buyers), "drop sold", "%.0f",
			fmt.Sprintf("exactly %d", b.supply), func(v float64) bool { return v == float64(b.supply) }, "all others 410, without a charge"),
		b.row("answers a second against ordinary opens", "drop ratio", "%.2f ×", "≥ 0.5 ×", atLeast(0.5),
			b.about("%.0f answers/s, ordinary %.0f opens/s; while there was stock %.0f sold/s", "drop answered", "drop ordinary", "drop selling")),
	}}
}

func (b *bench) startRows() table {
	million := (&grown{engine: "SQLite", items: 1_000_000}).label() + " restart"
	onPostgres := (&grown{engine: "PostgreSQL", items: 1_000_000}).label() + " restart"
	return table{"Start and size", []row{
		b.row("fresh start with demo data to `listening`", "start fresh", "%.0f ms", "≤ 1000 ms", atMost(1000), ""),
		b.row("restart on 10^6 items, SQLite", million, "%.0f ms", "≤ 300 ms", atMost(300), b.about("PostgreSQL %.0f ms", onPostgres)),
		b.row("binary", "binary", "%.0f bytes", "≤ 40 MB", atMost(40e6), ""),
		b.row("idle memory", "resident", "%.0f bytes", "≤ 80 MB", atMost(80e6), "resident, one second after the start"),
	}}
}

func (b *bench) drawRows() table {
	return table{"Arithmetic", []row{
		b.row("the draw of an open", "draw µs", "%.2f µs", "≤ 10 µs", atMost(10), ""),
		b.row("… allocations", "draw allocations", "%.0f", "≤ 10", atMost(10), ""),
		b.row("reading a manifest", "manifest µs", "%.0f µs", "", nil, b.about("%.0f allocations; once a manifest, not once an open", "manifest allocations")),
	}}
}

func (b *bench) peerRows() table {
	t := table{title: "Others, nearest equal work over HTTP, 64 clients"}
	least := map[string]float64{"formance": 15, "blnk": 20}
	for _, name := range slices.Sorted(maps.Keys(least)) {
		t.rows = append(t.rows, b.row("PostgreSQL, 64 clients, against "+name, name+" ratio", "%.1f ×", fmt.Sprintf("≥ %.0f ×", least[name]),
			atLeast(least[name]), b.about("%.0f/s", name+" rate")))
	}
	return t
}

// write writes the results page. broken is the error that ended the run early, if any.
func (b *bench) write(broken error) error {
	m := b.machine
	var page strings.Builder
	fmt.Fprintf(&page, "# Results\n\nWritten by `make bench`; README.md says what each row means. The targets are ratios within this run and "+
		"shapes; absolute figures belong to this machine and this hour.\n\n")
	if broken != nil {
		reason, _, _ := strings.Cut(broken.Error(), "\n")
		fmt.Fprintf(&page, "**This run ended early: %s**\n\n", reason)
	}
	fmt.Fprintf(&page, "- %s, the %s form: %d rounds, medians, measurements of %.1f s; %.0f minutes in all\n",
		b.begun.UTC().Format("2006-01-02 15:04 UTC"), b.name, b.rounds, b.span.Seconds(), time.Since(b.begun).Minutes())
	fmt.Fprintf(&page, "- %d cores, %s, %.0f GB, Linux %s; load average before the run %s\n", m.cores, m.processor, m.memory/1e9, m.kernel, m.load)
	fmt.Fprintf(&page, "- the clients (pgbench, wrk, `kaibao load`) and all servers share these cores and meet on the loopback\n")
	fmt.Fprintf(&page, "- kaibao %s, %s, PostgreSQL %s with fsync and synchronous_commit on\n", m.kaibao, m.toolchain, m.server)
	audits, verified := len(b.samples["audits"]), 0.0
	for _, n := range b.samples["verified"] {
		verified += n
	}
	fmt.Fprintf(&page, "- %.0f receipts verified and draws repeated; `kaibao audit` in order %d times\n", verified, audits)
	if len(b.peers) == 0 {
		fmt.Fprintf(&page, "- no other system was given an address in this run (`--peer`)\n")
	}
	for _, t := range []table{b.opensRows(), b.tradesRows(), b.yardstickRows(), b.pocketBaseRows(), b.readsRows(), b.searchRows(), b.logRows(), b.growthRows(), b.dropRows(), b.feedRows(), b.startRows(), b.drawRows(), b.peerRows()} {
		fmt.Fprintf(&page, "\n## %s\n\n| measure | measured | target | | |\n|---|---|---|---|---|\n", t.title)
		for _, r := range t.rows {
			fmt.Fprintf(&page, "| %s | %s | %s | %s | %s |\n", r.measure, r.value, r.target, r.verdict, r.detail)
		}
	}
	return os.WriteFile(b.out, []byte(page.String()), 0o644)
}

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

// row returns a row with the median of a sample, formatted with format, and whether it meets the
// target.
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

// detail formats the medians of samples.
func (b *bench) detail(format string, samples ...string) string {
	values := make([]any, len(samples))
	for n, name := range samples {
		values[n], _ = b.median(name)
	}
	return fmt.Sprintf(format, values...)
}

func (b *bench) baselineRows() table {
	t := table{title: "Baselines: PostgreSQL without Kaibao"}
	for _, baseline := range []struct{ sample, name string }{{"tpcb", "pgbench's own TPC-B"}, {"minimal", "a minimal open in one call (`minimal_open.sql`)"}} {
		for _, clients := range baselineCounts {
			t.rows = append(t.rows, b.row(fmt.Sprintf("%s, %d clients", baseline.name, clients), fmt.Sprintf("%s %d", baseline.sample, clients), "%.0f/s", "", nil, ""))
		}
		t.rows = append(t.rows, b.row("… best of each round", baseline.sample, "%.0f/s", "", nil, ""))
	}
	t.rows = append(t.rows, b.row("append 4 kB and fdatasync", "fdatasync p50", "%.2f ms", "", nil, b.detail("p99 %.2f ms", "fdatasync p99")))
	return t
}

// maxEffort is the target of 150 µs per open relative to a TPC-B transaction on the machine where
// it was set: two cores at 9,100 TPC-B/s, that is 220 µs each.
const maxEffort = 150. / 220

func (b *bench) opensRows() table {
	t := table{title: "Opening a pack"}
	for _, engine := range engines {
		for _, clients := range clientCounts {
			name := fmt.Sprintf("%s %d", engine, clients)
			t.rows = append(t.rows, b.row(fmt.Sprintf("%s, %d clients, against TPC-B", engine, clients), name+" ratio", "%.2f ×", "≥ 1.0 ×", atLeast(1),
				b.detail("%.0f opens/s, p50 %.1f ms, p99 %.1f ms; against the minimal open %.2f ×", name+" rate", name+" p50", name+" p99", name+" minimal")))
		}
	}
	fdatasync, probed := b.median("fdatasync p50")
	for _, engine := range engines {
		name := engine + " 64"
		t.rows = append(t.rows, b.row(engine+", 64 clients, p99 against p50", name+" spread", "%.1f ×", "≤ 4 ×", atMost(4), ""))
		if probed && fdatasync <= 0.3 {
			t.rows = append(t.rows, b.row(engine+", 64 clients, p99", name+" p99", "%.1f ms", "≤ 60 ms", atMost(60), ""))
		}
		t.rows = append(t.rows, b.row(engine+", CPU time per open, server and database", name+" cpu", "%.0f µs", "≤ 150 µs", atMost(150),
			b.detail("server %.0f, PostgreSQL %.0f; both at 256 clients %.0f", name+" server", name+" database", engine+" 256 cpu")))
		t.rows = append(t.rows, b.row("… against the CPU time of a TPC-B transaction", name+" effort", "%.2f ×", fmt.Sprintf("≤ %.2f ×", maxEffort), atMost(maxEffort),
			b.detail("at 256 clients %.2f ×", engine+" 256 effort")))
	}
	maxLatency := 4*fdatasync + 0.5
	return table{t.title, append(t.rows,
		b.row("SQLite, 1 client, p50", "SQLite 1 checked p50", "%.2f ms", fmt.Sprintf("≤ 4 fdatasync + 0.5 ms = %.2f ms", maxLatency), atMost(maxLatency), ""),
		b.row("PostgreSQL, 1 client, p50", "PostgreSQL 1 checked p50", "%.2f ms", "", nil, ""),
		b.row("PostgreSQL, 64 clients that check every response", "PostgreSQL 64 checked", "%.0f/s", "", nil, "`kaibao load`, which uses part of the machine itself"),
		b.row("SQLite, 64 clients that check every response", "SQLite 64 checked", "%.0f/s", "", nil, ""))}
}

func (b *bench) tradesRows() table {
	t := table{title: "Buying a listing"}
	for _, engine := range engines {
		t.rows = append(t.rows, b.row(engine+", 64 clients that check every response, against their opens", engine+" trades ratio", "%.2f ×", "≥ 0.5 ×", atLeast(0.5),
			b.detail("%.0f buys/s", engine+" trades")))
	}
	return t
}

func (b *bench) growthRows() table {
	t := table{title: "Growth"}
	most := map[string]float64{"PostgreSQL": 1.2, "SQLite": 1.5}
	for _, engine := range engines {
		for n, items := range b.sizes {
			name := (&filledDatabase{engine: engine, items: items}).label()
			target, meets := fmt.Sprintf("≤ %.1f ×", most[engine]), atMost(most[engine])
			if n == 0 {
				target, meets = "", nil
			}
			t.rows = append(t.rows, b.row(fmt.Sprintf("%s, p50 with %s items", engine, power(items)), name+" growth", "%.2f ×",
				target, meets, b.detail("%.2f ms", name+" p50")))
		}
	}
	return t
}

// power formats a power of ten.
func power(n int) string { return fmt.Sprintf("10^%.0f", math.Log10(float64(n))) }

func (b *bench) sealedRows() table {
	return table{"Sealed packs", []row{
		b.row("PostgreSQL, orders by 64 clients that check every response, against their opens", "sealed ratio", "%.2f ×", "≥ 0.8 ×", atLeast(0.8),
			b.detail("%.0f orders/s, %.0f opens/s", "sealed orders", "sealed baseline")),
		b.row(fmt.Sprintf("a drop of %d orders at once on three nodes: longest delay from round to draw", b.buyers), "sealed drop late", "%.1f s", "≤ 3 s", atMost(3),
			b.detail("%.0f orders, %.0f/s", "sealed drop", "sealed drop rate")),
	}}
}

func (b *bench) dropRows() table {
	return table{"A hot drop on three nodes", []row{
		b.row(fmt.Sprintf("sold of a supply of %d to %d buyers at once", b.supply, b.buyers), "drop sold", "%.0f",
			fmt.Sprintf("exactly %d", b.supply), func(v float64) bool { return v == float64(b.supply) }, "all others 410, without a charge"),
		b.row("responses per second, against ordinary opens", "drop ratio", "%.2f ×", "≥ 0.5 ×", atLeast(0.5),
			b.detail("%.0f responses/s, ordinary %.0f opens/s; while there was stock %.0f sold/s", "drop answered", "drop ordinary", "drop selling")),
	}}
}

func (b *bench) startRows() table {
	million := (&filledDatabase{engine: "SQLite", items: 1_000_000}).label() + " restart"
	onPostgres := (&filledDatabase{engine: "PostgreSQL", items: 1_000_000}).label() + " restart"
	return table{"Start and size", []row{
		b.row("fresh start with demo data to `listening`", "start fresh", "%.0f ms", "≤ 1000 ms", atMost(1000), ""),
		b.row("restart with 10^6 items, SQLite", million, "%.0f ms", "≤ 300 ms", atMost(300), b.detail("PostgreSQL %.0f ms", onPostgres)),
		b.row("binary", "binary", "%.0f bytes", "≤ 45 MB", atMost(45e6), ""),
		b.row("idle memory", "resident", "%.0f bytes", "≤ 80 MB", atMost(80e6), "resident, one second after the start"),
	}}
}

func (b *bench) drawRows() table {
	return table{"Arithmetic", []row{
		b.row("computing an open's draw", "draw µs", "%.2f µs", "≤ 10 µs", atMost(10), ""),
		b.row("… allocations", "draw allocations", "%.0f", "≤ 10", atMost(10), ""),
		b.row("parsing a manifest", "manifest µs", "%.0f µs", "", nil, b.detail("%.0f allocations; once per manifest, not per open", "manifest allocations")),
	}}
}

func (b *bench) peerRows() table {
	t := table{title: "Other systems, most similar work over HTTP, 64 clients"}
	least := map[string]float64{"formance": 15, "blnk": 20}
	for _, name := range slices.Sorted(maps.Keys(least)) {
		t.rows = append(t.rows, b.row("PostgreSQL, 64 clients, against "+name, name+" ratio", "%.1f ×", fmt.Sprintf("≥ %.0f ×", least[name]),
			atLeast(least[name]), b.detail("%.0f/s", name+" rate")))
	}
	return t
}

// write writes the results page. failure is the error that ended the run early, if any.
func (b *bench) write(failure error) error {
	m := b.machine
	var page strings.Builder
	fmt.Fprintf(&page, "# Results\n\nWritten by `make bench`; README.md explains each row. The targets are ratios within this run; "+
		"absolute figures depend on the machine and the hour.\n\n")
	if failure != nil {
		reason, _, _ := strings.Cut(failure.Error(), "\n")
		fmt.Fprintf(&page, "**This run ended early: %s**\n\n", reason)
	}
	fmt.Fprintf(&page, "- %s, the %s form: %d rounds, medians, measurements of %.1f s; %.0f minutes in all\n",
		b.begun.UTC().Format("2006-01-02 15:04 UTC"), b.name, b.rounds, b.duration.Seconds(), time.Since(b.begun).Minutes())
	fmt.Fprintf(&page, "- %d cores, %s, %.0f GB, Linux %s; load average before the run %s\n", m.cores, m.processor, m.memory/1e9, m.kernel, m.load)
	fmt.Fprintf(&page, "- the clients (pgbench, wrk, `kaibao load`) and all servers share these cores and connect over the loopback interface\n")
	fmt.Fprintf(&page, "- kaibao %s, %s, PostgreSQL %s with fsync and synchronous_commit on\n", m.kaibao, m.toolchain, m.server)
	audits, verified := len(b.samples["audits"]), 0.0
	for _, n := range b.samples["verified"] {
		verified += n
	}
	fmt.Fprintf(&page, "- %.0f receipts verified and draws repeated; `kaibao audit` passed %d times\n", verified, audits)
	if len(b.peers) == 0 {
		fmt.Fprintf(&page, "- no other systems were compared in this run (`--peer`)\n")
	}
	for _, t := range []table{b.opensRows(), b.tradesRows(), b.baselineRows(), b.pocketBaseRows(), b.readsRows(), b.searchRows(), b.logRows(), b.growthRows(), b.dropRows(), b.sealedRows(), b.feedRows(), b.startRows(), b.drawRows(), b.peerRows()} {
		fmt.Fprintf(&page, "\n## %s\n\n| measure | measured | target | | |\n|---|---|---|---|---|\n", t.title)
		for _, r := range t.rows {
			fmt.Fprintf(&page, "| %s | %s | %s | %s | %s |\n", r.measure, r.value, r.target, r.verdict, r.detail)
		}
	}
	return os.WriteFile(b.out, []byte(page.String()), 0o644)
}

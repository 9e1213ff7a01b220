// Command bench measures the product against its targets: opening packs under load on both engines,
// compared with the same work done by PostgreSQL alone, and the cost of a large database, a hot
// drop and a start. Targets are ratios within one run, since machines differ. See README.md.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/url"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"
)

// plan is the extent of a run.
type plan struct {
	name          string
	rounds        int
	duration      time.Duration // duration of one measurement
	transactions  int           // transactions per pgbench client; 0 = as many as fit into span
	sizes         []int         // inventory rows of the databases
	listings      []int         // sizes of the searched markets
	searchRepeats int           // repetitions of each search page
	players       int           // players per database in sizes
	buyers        int
	readers       int // of the feed
	supply        int
	stallTimeout  time.Duration // timeout of a server that makes no progress
	deadline      time.Duration
}

var (
	short = plan{
		name: "short", rounds: 3, duration: 4 * time.Second, sizes: []int{10_000, 100_000, 1_000_000},
		listings: []int{10_000, 100_000, 1_000_000}, searchRepeats: 12,
		players: 1000, buyers: 10_000, readers: 10_000, supply: 1000, stallTimeout: 30 * time.Second, deadline: 40 * time.Minute,
	}
	long = plan{
		name: "long", rounds: 5, duration: 10 * time.Second, sizes: []int{10_000, 100_000, 1_000_000, 10_000_000},
		listings: []int{10_000, 100_000, 1_000_000}, searchRepeats: 12,
		players: 1000, buyers: 10_000, readers: 10_000, supply: 1000, stallTimeout: 30 * time.Second, deadline: 8 * time.Hour,
	}
	// smoke checks that every part runs; its results are meaningless.
	smoke = plan{
		name: "smoke", rounds: 1, duration: 400 * time.Millisecond, transactions: 50, sizes: []int{1000, 4000},
		listings: []int{100, 1000}, searchRepeats: 1,
		players: 20, buyers: 300, readers: 1000, supply: 50, stallTimeout: 20 * time.Second, deadline: 5 * time.Minute,
	}
)

// part is one benchmark. It runs in every round, so that variations of the machine affect all
// parts.
type part interface {
	prepare(ctx context.Context) error
	round(ctx context.Context) error
	finish(ctx context.Context) error
}

type settings struct {
	plan
	binary   string
	postgres *url.URL
	out      string
	parts    []string
	peers    map[string]*url.URL
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func parse(args []string) (s settings, err error) {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	s.plan, s.peers = short, map[string]*url.URL{}
	longForm := flags.Bool("long", false, "long form: longer measurements and up to 10^7 items; takes hours")
	smokeForm := flags.Bool("smoke", false, "only check that every part runs; takes a minute")
	rounds := flags.Int("rounds", 0, "number of rounds; 0 = the form's default")
	items := flags.Int("items", 0, "maximum number of items in a database; 0 = the form's default")
	const most = "opens,reads,search,log,growth,drop,sealed,feed,start,draw"
	parts := flags.String("parts", most, "parts to run")
	pocketbase := flags.Bool("pocketbase", false, "also fetch, build and measure PocketBase (bench/peers/pocketbase), as the long form does")
	flags.StringVar(&s.binary, "binary", "bin/kaibao", "path of the built program")
	flags.StringVar(&s.out, "out", "bench/RESULTS.md", "output file")
	flags.Func("peer", "NAME=URL of another system, with its requests in bench/peers/NAME.json", func(text string) error {
		name, address, _ := strings.Cut(text, "=")
		u, err := url.Parse(address)
		if err == nil && u.Host == "" {
			err = errors.New("want NAME=http://host:port")
		}
		s.peers[name] = u
		return err
	})
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	switch {
	case *longForm:
		s.plan = long
	case *smokeForm:
		s.plan = smoke
	}
	if *items > 0 {
		s.sizes = slices.DeleteFunc(slices.Clone(s.sizes), func(n int) bool { return n > *items })
	}
	if *rounds > 0 {
		s.rounds = *rounds
	}
	s.parts = strings.Split(*parts, ",")
	if (*pocketbase || *longForm && *parts == most) && !slices.Contains(s.parts, "pocketbase") {
		s.parts = append(s.parts, "pocketbase")
	}
	address := os.Getenv("KAIBAO_TEST_POSTGRES")
	if address == "" {
		return s, errors.New("KAIBAO_TEST_POSTGRES is not set: use make bench")
	}
	s.postgres, err = url.Parse(address)
	return s, err
}

// run runs the benchmarks and writes the results, even those of a failed run, since they help to
// find the cause.
func run(ctx context.Context, args []string) error {
	s, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, s.deadline)
	defer cancel()
	b, err := newBench(ctx, s)
	if err != nil {
		return err
	}
	defer b.close()
	err = b.measure(ctx)
	b.progress.End()
	if err != nil && ctx.Err() != nil {
		err = fmt.Errorf("%w while measuring: %w", ctx.Err(), err)
	}
	if err != nil {
		err = fmt.Errorf("%w\nthe results so far are in %s; to run one part: make bench BENCH='-parts NAME'", err, s.out)
	}
	return errors.Join(err, b.write(err))
}

func (b *bench) measure(ctx context.Context) error {
	parts, err := b.chosenParts()
	if err != nil {
		return err
	}
	for _, p := range parts {
		if err := p.prepare(ctx); err != nil {
			return err
		}
	}
	for n := range b.rounds {
		b.showProgress("rounds", n, b.rounds)
		b.logf("round %d of %d", n+1, b.rounds)
		for _, p := range parts {
			if err := p.round(ctx); err != nil {
				return err
			}
		}
	}
	for _, p := range parts {
		if err := p.finish(ctx); err != nil {
			return err
		}
	}
	return nil
}

// partsByName maps names to constructors of parts.
var partsByName = map[string]func(*bench) part{
	"opens":      func(b *bench) part { return &opens{bench: b} },
	"reads":      func(b *bench) part { return &reads{bench: b} },
	"search":     func(b *bench) part { return &search{bench: b} },
	"log":        func(b *bench) part { return &publicLog{bench: b} },
	"growth":     func(b *bench) part { return &growth{bench: b} },
	"drop":       func(b *bench) part { return &drop{bench: b} },
	"sealed":     func(b *bench) part { return &sealed{bench: b} },
	"feed":       func(b *bench) part { return &feed{bench: b} },
	"start":      func(b *bench) part { return &start{bench: b} },
	"draw":       func(b *bench) part { return &draw{bench: b} },
	"pocketbase": func(b *bench) part { return &pocketBase{bench: b} },
}

func (b *bench) chosenParts() (chosen []part, err error) {
	for _, name := range b.parts {
		if partsByName[name] == nil {
			return nil, fmt.Errorf("no part is called %q", name)
		}
		chosen = append(chosen, partsByName[name](b))
	}
	if len(b.peers) > 0 {
		chosen = append(chosen, &peers{bench: b})
	}
	return chosen, nil
}

package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	"golang.org/x/mod/sumdb/tlog"

	"kaibao/internal/progress"
	"kaibao/internal/verify"
)

type verifyCommand struct {
	Log     verifyLog     `cmd:"" help:"Verify the whole public log: every leaf, commitment, draw and count."`
	Receipt verifyReceipt `cmd:"" help:"Verify the receipt of an open, an order or a bid."`
	Mirror  verifyMirror  `cmd:"" help:"Copy a log into a folder, to verify it without the server."`
}

// faultError ends a check with exit code 1: something is wrong.
type faultError string

const (
	errLogBroken     faultError = "the log failed verification: save a copy as evidence (kaibao verify mirror URL DIR) and show others the fault above"
	errReceiptBroken faultError = "the receipt failed verification: keep the file as evidence, and verify its log (kaibao verify log URL)"
)

// Error implements error.
func (e faultError) Error() string { return string(e) }

// ExitCode implements kong.ExitCoder.
func (faultError) ExitCode() int { return 1 }

type verifyLog struct {
	Where   string `arg:"" name:"url|dir" help:"Server (https://host) or folder of a mirror."`
	State   string `help:"Store the checkpoint and the key in this file, and verify that the log continues the stored one." placeholder:"FILE"`
	Compare string `help:"Checkpoint that someone else received, to compare with the log." placeholder:"FILE"`
	Key     string `help:"Verifier key of the log, or a file that contains it. Default: the served key." placeholder:"KEY"`
	JSON    bool   `help:"Print the report as JSON."`

	Witness []string `help:"Verifier key of a witness that you trust. Repeat it for several. Default: the witnesses that the log names." placeholder:"KEY" sep:"none"`
	Quorum  int      `help:"How many of your witnesses must have seen an order before its round. Default: as many as the log says." placeholder:"N"`
	Seen    []string `help:"File of trees that someone saw, such as the ORIGIN.seen of a witness: the log must contain them, and no order that was added later with an earlier time. Repeat it for several." placeholder:"FILE" sep:"none"`
	Outage  []outage `help:"Confirm that a beacon published no rounds from one time to another (RFC 3339)." placeholder:"FROM,TO" sep:"none"`
	Relay   []string `help:"Relay of the beacon, to ask for rounds whose draws are missing. Repeat it for several." default:"https://api.drand.sh,https://drand.cloudflare.com" placeholder:"URL"`
}

// outage is a time in which a beacon published no rounds: FROM,TO.
type outage verify.Outage

// UnmarshalText parses the flag.
func (o *outage) UnmarshalText(text []byte) error {
	from, to, _ := strings.Cut(string(text), ",")
	begin, err := time.Parse(time.RFC3339, from)
	end, otherErr := time.Parse(time.RFC3339, to)
	*o = outage{From: begin, To: end}
	if errors.Join(err, otherErr) != nil || end.Before(begin) {
		return fmt.Errorf("%q must have the form FROM,TO, such as 2026-03-04T12:00:00Z,2026-03-05T13:00:00Z", text)
	}
	return nil
}

// verifyState is the content of the state file.
type verifyState struct {
	Key        string            `json:"key"`
	Checkpoint string            `json:"checkpoint"`
	Seen       []verify.SeenTree `json:"seen"` // trees of all runs, by the clock of this machine
}

// unprovenError ends a check with exit code 3: no fault was found, but orders were drawn since the
// last run that may have been placed after their round.
type unprovenError struct{ orders int64 }

// Error implements error.
func (e unprovenError) Error() string {
	return fmt.Sprintf("no fault was found, but %d orders drawn since the last run are unproven: no quorum of witnesses saw them before their round", e.orders)
}

// ExitCode implements kong.ExitCoder.
func (unprovenError) ExitCode() int { return 3 }

// lostError ends a check with exit code 1: the operator lost the seeds of orders. Nothing else is wrong,
// so followers can go on.
type lostError struct{ orders int }

// Error implements error.
func (e lostError) Error() string {
	return fmt.Sprintf("no other fault was found, but %d orders were voided, because the operator lost their server seeds, perhaps to avoid their draws", e.orders)
}

// ExitCode implements kong.ExitCoder.
func (lostError) ExitCode() int { return 1 }

// incompleteError ends a check with exit code 2: no fault was found, but not everything could be
// checked.
type incompleteError struct{ needs string }

// Error implements error.
func (e incompleteError) Error() string {
	return e.needs + ": no fault was found, but not everything could be checked; install the current kaibao and try again"
}

// ExitCode implements kong.ExitCoder.
func (incompleteError) ExitCode() int { return 2 }

// unjudgedError ends a check with exit code 2: the arguments are wrong, or something couldn't be read or written.
type unjudgedError struct{ error }

// ExitCode implements kong.ExitCoder.
func (unjudgedError) ExitCode() int { return 2 }

// Unwrap returns the reason.
func (e unjudgedError) Unwrap() error { return e.error }

// withExitCode returns an error whose exit code says whether it is a fault.
func withExitCode(err error) error {
	var coder kong.ExitCoder
	if err == nil || errors.As(err, &coder) {
		return err
	}
	return unjudgedError{err}
}

// Help names the exit codes.
func (verifyLog) Help() string {
	return `Exit codes:

  0  all checks passed
  1  a fault was found. If the only faults are orders whose server seeds the operator lost, the state is saved
  2  no fault was found, but not everything could be checked: wrong arguments, something can't be read, or the log needs a newer kaibao
  3  no fault was found, but orders drawn since the last run are unproven`
}

// Run checks the log and fails on a fault.
func (v verifyLog) Run(ctx context.Context) error { return withExitCode(v.run(ctx)) }

func (v verifyLog) run(ctx context.Context) error {
	begin := time.Now()
	o := verify.Options{Location: v.Where, Key: textOrFile(v.Key), Witnesses: v.Witness, Quorum: v.Quorum, Now: begin, FetchRound: verify.Relays(v.Relay)}
	for _, confirmed := range v.Outage {
		o.Outages = append(o.Outages, verify.Outage(confirmed))
	}
	last, err := loadState(v.State)
	if err != nil {
		return err
	}
	o.EarlierCheckpoint, o.Seen = []byte(last.Checkpoint), slices.Clone(last.Seen)
	for _, path := range v.Seen {
		trees, err := readSeen(path)
		if err != nil {
			return err
		}
		o.SeenFiles = append(o.SeenFiles, verify.SeenFile{Name: path, Trees: trees})
	}
	o.Key = cmp.Or(o.Key, last.Key) // a given key may be older than the stored one, or accepted by hand
	if v.Compare != "" {
		o.OtherCheckpoint, err = readPlain(v.Compare)
		if err != nil {
			return err
		}
	}
	line := progress.New(os.Stderr)
	o.Progress = func(done, total int64) { line.Step("checking leaves", done, total) }
	report, err := verify.Log(ctx, o)
	line.End()
	if err != nil {
		return err
	}
	if v.JSON {
		err = printJSON(report)
	} else {
		printLog(report, o, time.Since(begin))
	}
	if report.Fault != nil {
		return errors.Join(err, errLogBroken)
	}
	var lost error
	if n := len(report.Sealed.LostOrders); n > 0 {
		lost = lostError{n}
	}
	if report.Unknown != nil {
		return errors.Join(err, cmp.Or[error](lost, incompleteError{report.Unknown.String()}))
	}
	seen := addSeen(last.Seen, verify.SeenTree{Origin: report.Checkpoint.Origin, Size: report.Checkpoint.Size, Root: report.Checkpoint.Root, Time: begin})
	err = errors.Join(err, saveState(v.State, verifyState{report.Key, string(report.SignedCheckpoint()), seen}))
	if err == nil && lost == nil && report.Sealed.NewUnproven > 0 {
		return unprovenError{report.Sealed.NewUnproven}
	}
	return errors.Join(err, lost)
}

// addSeen adds a tree to those that were seen before. Of the same tree, it keeps the newest.
func addSeen(seen []verify.SeenTree, s verify.SeenTree) []verify.SeenTree {
	if n := len(seen) - 1; n >= 0 && seen[n].Origin == s.Origin && seen[n].Size == s.Size {
		seen = seen[:n]
	}
	return append(seen, s)
}

func printLog(r *verify.Report, o verify.Options, took time.Duration) {
	fmt.Printf("log %s, %d leaves, root %s\nkey %s\n", r.Checkpoint.Origin, r.Checkpoint.Size, r.Checkpoint.Root, r.Key)
	if r.Fault != nil {
		fmt.Printf("✗ %s\n", r.Fault)
		printLost(r.Sealed.LostOrders)
		return
	}
	printEnded(r.EndedLogs)
	fmt.Println("✓ the leaves match the signed root")
	if r.EarlierSize != nil {
		fmt.Printf("✓ %s of the last run\n", sameLeaves(*r.EarlierSize, o.EarlierCheckpoint))
	}
	if r.OtherSize != nil {
		fmt.Printf("✓ %s that the other party was shown\n", sameLeaves(*r.OtherSize, o.OtherCheckpoint))
	}
	if r.Unknown != nil {
		fmt.Printf("? leaf %d has the unknown kind %s: all leaves before it are valid, but leaves after it could only be checked one by one\n", r.Unknown.Leaf, r.Unknown.Kind)
		printLost(r.Sealed.LostOrders)
		return
	}
	printSeen(r.SeenFiles)
	fmt.Printf("✓ %d opens by %d users: nonces without gaps, commitments announced before use and used once, correct seeds, draws, prices and supply\n", r.Opens, r.Users)
	fmt.Printf("✓ %d manifests announced before use, %d other changes of stock\n", r.Manifests, r.Stock)
	fmt.Printf("✓ %d trades: each logged once, at the rate in force, and quick sells filled by the highest offer\n", r.Trades)
	fmt.Printf("✓ the books of %d days: no day missing, opens and prices as in the log, at least the logged trades, totals that never fall, and matching balances\n", r.Days)
	printSealed(r)
	printOdds("pack", r.Odds)
	printLost(r.Sealed.LostOrders)
	passed := "all checks passed"
	if len(r.Sealed.LostOrders) > 0 {
		passed = "all other checks passed"
	}
	fmt.Printf("%s in %s\n", passed, took.Round(time.Millisecond))
}

// printLost prints the orders whose server seeds the operator lost.
func printLost(lost []verify.LostOrder) {
	for _, l := range lost {
		fmt.Printf("✗ leaf %d of %s: order %s was voided, because the operator lost its server seed (user %s, $%s, %s)\n",
			l.Leaf, l.Log, l.ID, l.User, l.Price, l.Time.UTC().Format(time.RFC3339))
	}
}

// printSealed prints the results for sealed packs, if there are any.
func printSealed(r *verify.Report) {
	s := r.Sealed
	if r.Orders == 0 {
		return
	}
	fmt.Printf("✓ %d orders of sealed packs: each with the round of the rule, none drawn twice or withheld, on the stock of its turn, with the beacon's signature; %d rounds, %d refunds\n",
		r.Orders, r.Rounds, r.Voids)
	for _, b := range s.Beacons {
		if !b.Independent {
			fmt.Printf("! the beacon %s (%s) isn't known to this program: %d orders that use it prove nothing about insiders\n", b.ID, b.Hash, b.Orders)
		}
	}
	if len(s.Witnesses) > 0 {
		by := "chosen by the operator; name your own with --witness"
		if s.Trusted {
			by = "chosen by you"
		}
		mark := "✓"
		if s.Fixed == 0 {
			mark = "·"
		}
		fmt.Printf("%s %d drawn orders were seen before their round by at least %d of %d witnesses (%s)\n", mark, s.Fixed, s.Quorum, len(s.Witnesses), by)
	}
	if s.WithoutWitnesses > 0 {
		fmt.Printf("! %d drawn orders are from a time without witnesses: only someone who follows the log can tell whether they were placed before their round (--state)\n", s.WithoutWitnesses)
	}
	for _, u := range s.Unproven {
		fmt.Printf("! unproven: order %s of user %s, leaf %d of %s at %s, drew cards worth $%s\n", u.ID, u.User, u.Leaf, u.Log, u.Time.UTC().Format(time.RFC3339), u.Value)
	}
	printOdds("unproven orders of pack", s.UnprovenOdds)
	for _, v := range s.Voided {
		verdict := "it can't be fetched now, either"
		if v.Confirmed {
			verdict = "you confirmed the outage"
		}
		fmt.Printf("! round %d of beacon %.8s… (%s) was refunded, because it was never published: %s\n", v.Round, v.Beacon, v.Time.UTC().Format(time.RFC3339), verdict)
	}
	if s.Pending > 0 {
		fmt.Printf("· %d orders wait for their draw\n", s.Pending)
	}
	if s.Overdue > 0 {
		fmt.Printf("! the rounds of %d of them are at least 60 s old, but could not be fetched\n", s.Overdue)
	}
}

// printOdds prints realized odds.
func printOdds(of string, odds []verify.Odds) {
	for _, o := range odds {
		verdict := "too few draws to compare with the odds"
		if o.P != nil {
			verdict = fmt.Sprintf("χ² %.1f with %d degrees of freedom, p = %.3f", o.ChiSquare, o.Degrees, *o.P)
		}
		fmt.Printf("· %s %s %s, manifest %.8s…: %d opens (%d without entropy from the player), %s\n", of, o.Pack, o.Name, o.Manifest, o.Opens, o.NotPlayerEntropy, verdict)
	}
}

// sameLeaves says how many of the first leaves of a checkpoint's log are those that were seen before.
func sameLeaves(size int64, checkpoint []byte) string {
	origin, _, _ := strings.Cut(string(checkpoint), "\n")
	if size == 1 {
		return fmt.Sprintf("the first leaf of the log %s is the one", origin)
	}
	return fmt.Sprintf("the first %d leaves of the log %s are those", size, origin)
}

// printSeen prints how many trees that others saw are part of the log.
func printSeen(files []verify.ComparedFile) {
	for _, f := range files {
		mark, limits := "✓", ""
		if f.Equal == 0 {
			mark = "!"
		}
		if f.Lost > 0 {
			limits = fmt.Sprintf("; %d can't be compared, because the log lost leaves of them", f.Lost)
		}
		if f.Other > 0 {
			limits += fmt.Sprintf("; %d are of other logs", f.Other)
		}
		fmt.Printf("%s %d trees of %s are part of the log%s\n", mark, f.Equal, f.Name, limits)
	}
}

// printEnded prints which logs ended, why, and what can't be checked.
func printEnded(ended []verify.EndedLog) {
	for _, e := range ended {
		if e.KeyReplaced {
			fmt.Printf("· the key was replaced: the log %s ended with %d leaves, root %s, and names the next key, %s\n", e.Origin, e.Size, e.Root, e.OtherKey)
			continue
		}
		if e.OtherKey != "" {
			fmt.Printf("! the log %s with the key %s doesn't name the next key, %s: trust it only if the operator announced it elsewhere\n", e.Origin, e.Key, e.OtherKey)
		}
		fmt.Printf("· the database was restored, or all unused seeds were replaced: the log %s ended with %d leaves, root %s. They were checked too, and all unused commitments were replaced\n",
			e.Origin, e.Size, e.Root)
		if e.Lost > 0 {
			fmt.Printf("! %d later leaves that were shown to someone are lost. Their content, and that they followed the remaining %d leaves, can't be checked without "+
				"a copy of %s. A receipt proves that its leaf belonged in the log\n", e.Lost, e.Size, e.Origin)
		}
	}
}

type verifyReceipt struct {
	Where    string `arg:"" name:"file|url" help:"Saved receipt or proof, the response to a bid, or https://host/verify/ID."`
	Key      string `help:"Verifier key of the log, or a file that contains it." placeholder:"KEY"`
	Manifest string `help:"Text of the manifest, if the receipt doesn't contain it." placeholder:"FILE" type:"existingfile"`
	JSON     bool   `help:"Print the steps as JSON."`

	Witness []string `help:"Verifier key of a witness that you trust, for a sealed open. Repeat it for several." placeholder:"KEY" sep:"none"`
	Quorum  int      `help:"How many of your witnesses must have seen the order before its round. Default: all." placeholder:"N"`
}

// Help names the exit codes.
func (verifyReceipt) Help() string {
	return `Exit codes:

  0  no step failed. Steps marked with · could not be checked
  1  a step failed
  2  no step failed, but the arguments are wrong, something can't be read, or the receipt needs a newer kaibao`
}

// Run checks a receipt and fails if a step fails.
func (v verifyReceipt) Run(ctx context.Context) error { return withExitCode(v.run(ctx)) }

func (v verifyReceipt) run(ctx context.Context) error {
	o := verify.ReceiptOptions{Location: v.Where, Key: textOrFile(v.Key), Now: time.Now(), Witnesses: v.Witness, Quorum: v.Quorum}
	if v.Manifest != "" {
		var err error
		o.Manifest, err = readPlain(v.Manifest)
		if err != nil {
			return err
		}
	}
	steps, err := verify.Receipt(ctx, o)
	if err != nil {
		return err
	}
	if v.JSON {
		err = printJSON(steps)
	} else {
		for _, s := range steps {
			fmt.Printf("%s %s: %s\n", map[verify.State]string{verify.Passed: "✓", verify.Failed: "✗", verify.Unchecked: "·", verify.NeedsNewer: "?"}[s.State], s.Name, s.Detail)
		}
	}
	if verify.AnyFailed(steps) {
		return errors.Join(err, errReceiptBroken)
	}
	if verify.AnyNeedsNewer(steps) {
		return errors.Join(err, incompleteError{"this receipt needs a newer verifier"})
	}
	return err
}

type verifyMirror struct {
	URL string `arg:"" help:"Server (https://host)."`
	Dir string `arg:"" help:"Folder. Files that it already has are not fetched again."`
	Key string `help:"Verifier key of the log, or a file that contains it. Default: the served key." placeholder:"KEY"`
}

// Run copies the log.
func (v verifyMirror) Run(ctx context.Context) error {
	line := progress.New(os.Stderr)
	c, unknown, err := verify.Mirror(ctx, v.URL, v.Dir, textOrFile(v.Key), func(done, total int64) { line.Step("copying leaves", done, total) })
	line.End()
	if err != nil {
		return err
	}
	if unknown != nil {
		return incompleteError{unknown.String()}
	}
	fmt.Printf("%d leaves of %s in %s; verify them with: kaibao verify log %s\n", c.Size, c.Origin, v.Dir, v.Dir)
	return nil
}

func readPlain(path string) ([]byte, error) {
	file, err := os.ReadFile(path)
	return verify.DecodeTextFile(file), err
}

// textOrFile returns a key, or the content of the file with that name.
func textOrFile(text string) string {
	if file, err := readPlain(text); err == nil {
		text = string(file)
	}
	return strings.TrimSpace(text)
}

func printJSON(v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	fmt.Println(string(text))
	return err
}

func loadState(path string) (r verifyState, err error) {
	if path == "" {
		return r, nil
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return r, err
}

// readSeen reads trees, one line of JSON each. An incomplete last line is being written, so it is left
// out.
func readSeen(path string) (trees []verify.SeenTree, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	for n, line := range lines[:len(lines)-1] {
		var tree verify.SeenTree
		if err := json.Unmarshal(line, &tree); err != nil {
			return nil, fmt.Errorf("line %d of %s isn't valid JSON: %w", n+1, path, err)
		}
		if tree.Origin == "" || tree.Size < 0 || tree.Root == (tlog.Hash{}) || tree.Time.IsZero() {
			return nil, fmt.Errorf("line %d of %s isn't a tree: it needs origin, size, root and time", n+1, path)
		}
		trees = append(trees, tree)
	}
	return trees, nil
}

func saveState(path string, r verifyState) error {
	if path == "" {
		return nil
	}
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	temp := path + ".new"
	if err := os.WriteFile(temp, append(text, '\n'), 0o600); err != nil {
		return err
	}
	return os.Rename(temp, path)
}

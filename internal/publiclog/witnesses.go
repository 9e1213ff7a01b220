package publiclog

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/protocol"
)

// Witnesses are the witnesses that an operator chooses, and how many of them are a quorum.
type Witnesses struct {
	Quorum int
	List   []WitnessAddress
}

// WitnessAddress is a witness with the URL that checkpoints are submitted to (C2SP tlog-witness).
type WitnessAddress struct {
	protocol.Witness
	URL string // without /add-checkpoint
}

// ParseWitnesses parses an operator's file. It has a line "quorum NUMBER" and a line "witness KEY URL"
// for each witness, besides empty lines and comments that begin with #.
func ParseWitnesses(text string) (w Witnesses, err error) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if err := w.parseLine(fields); err != nil {
			return w, fmt.Errorf("line %d: %w", number, err)
		}
	}
	if w.Quorum == 0 {
		return w, errors.New("the line quorum NUMBER is missing")
	}
	_, err = w.leaf(time.Time{})
	return w, err
}

func (w *Witnesses) parseLine(fields []string) (err error) {
	switch {
	case len(fields) == 2 && fields[0] == "quorum" && w.Quorum == 0:
		w.Quorum, err = strconv.Atoi(fields[1])
		if err != nil || w.Quorum < 1 {
			return fmt.Errorf("the quorum %q must be a number of witnesses, at least 1", fields[1])
		}
		return nil
	case len(fields) == 3 && fields[0] == "witness":
		witness, err := protocol.ParseWitness(fields[1])
		if err != nil {
			return err
		}
		u, err := url.Parse(fields[2])
		if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
			return fmt.Errorf("%q must be the https address that the witness receives checkpoints at, without /add-checkpoint", fields[2])
		}
		w.List = append(w.List, WitnessAddress{Witness: witness, URL: strings.TrimSuffix(fields[2], "/")})
		return nil
	}
	return errors.New("expected one line quorum NUMBER, and a line witness KEY URL for each witness")
}

// leaf returns the text of the leaf that announces the witnesses. It fails if verifiers would reject it.
func (w Witnesses) leaf(at time.Time) (string, error) {
	l := protocol.WitnessesLeaf{Quorum: w.Quorum, Time: at}
	for _, witness := range w.List {
		l.Witnesses = append(l.Witnesses, witness.Witness)
	}
	text := string(l.Format())
	parsed, err := protocol.ParseLeaf([]byte(text))
	if err == nil {
		err = protocol.CheckLeaf(parsed)
	}
	return text, err
}

// witnessPolicy is an announced policy.
type witnessPolicy struct {
	protocol.WitnessesLeaf
	number    int64 // from 1
	text      string
	inForceAt time.Time
}

// readPolicies returns all announced policies in log order.
func readPolicies(tx *db.Tx) ([]witnessPolicy, error) {
	policies, err := readPolicyRows(tx)
	for n := range policies {
		err = errors.Join(err, policies[n].parse())
	}
	return policies, err
}

// parse parses the policy's leaf.
func (p *witnessPolicy) parse() error {
	leaf, err := protocol.ParseLeaf([]byte(p.text))
	if err == nil {
		err = protocol.CheckLeaf(leaf)
	}
	l, ok := leaf.(protocol.WitnessesLeaf)
	if err == nil && !ok {
		err = errors.New("the leaf doesn't name witnesses")
	}
	if err != nil {
		return fmt.Errorf("policy %d of the log's witnesses is damaged: %w", p.number, err)
	}
	p.WitnessesLeaf = l
	return nil
}

// takesEffect returns when a policy comes into force by its leaf and number.
func (p *witnessPolicy) takesEffect() time.Time {
	if p.number == 1 {
		return p.Time
	}
	return p.Time.Add(protocol.WitnessNotice)
}

// WitnessChange is the result of SetWitnesses.
type WitnessChange struct {
	Announced bool      // the log names other witnesses, or another quorum, than before
	InForceAt time.Time // when they take effect
}

// SetWitnesses stores where the witnesses are, and announces them in the log unless its last
// announcement names the same ones. The first announcement takes effect now, later ones
// protocol.WitnessNotice later.
func SetWitnesses(tx *db.Tx, w Witnesses) (c WitnessChange, err error) {
	if err := tx.AdvisoryLock("witnesses"); err != nil {
		return c, err
	}
	if _, err := readHead(tx); errors.Is(err, db.ErrNoRow) {
		return c, errors.New("the database has no public log yet: start a server first")
	} else if err != nil {
		return c, err
	}
	policies, err := readPolicies(tx)
	if err != nil {
		return c, err
	}
	for _, witness := range w.List {
		if err := saveWitnessURL(tx, witness.String(), witness.URL); err != nil {
			return c, err
		}
	}
	if n := len(policies); n > 0 && w.equal(policies[n-1].WitnessesLeaf) {
		return WitnessChange{InForceAt: policies[n-1].inForceAt}, nil
	}
	p := witnessPolicy{number: int64(len(policies)) + 1}
	p.text, err = w.leaf(tx.Now)
	if err != nil {
		return c, err
	}
	if err := p.parse(); err != nil {
		return c, err
	}
	p.inForceAt = p.takesEffect()
	if err := insertPolicy(tx, p); err != nil {
		return c, err
	}
	return WitnessChange{Announced: true, InForceAt: p.inForceAt}, Append(tx, p.text)
}

// equal reports whether a leaf names the same witnesses and quorum, in any order.
func (w Witnesses) equal(l protocol.WitnessesLeaf) bool {
	return w.Quorum == l.Quorum && len(w.List) == len(l.Witnesses) && !slices.ContainsFunc(w.List, func(a WitnessAddress) bool {
		return !slices.Contains(l.Witnesses, a.Witness)
	})
}

// AnnouncedWitnesses are the witnesses of an announcement, and when they take effect.
type AnnouncedWitnesses struct {
	Witnesses
	InForceAt time.Time
}

// ListWitnesses returns all announcements of witnesses, oldest first.
func ListWitnesses(tx *db.Tx) (all []AnnouncedWitnesses, err error) {
	policies, err := readPolicies(tx)
	if err != nil {
		return nil, err
	}
	urls, err := readWitnessURLs(tx)
	if err != nil {
		return nil, err
	}
	for _, p := range policies {
		a := AnnouncedWitnesses{Witnesses{Quorum: p.Quorum}, p.inForceAt}
		for _, w := range p.Witnesses {
			a.List = append(a.List, WitnessAddress{w, urlOf(urls, w)})
		}
		all = append(all, a)
	}
	return all, nil
}

// urlOf returns the address of a witness, or "".
func urlOf(urls []witnessURL, w protocol.Witness) string {
	n := slices.IndexFunc(urls, func(u witnessURL) bool { return u.verifier == w.String() })
	if n < 0 {
		return ""
	}
	return urls[n].url
}

// WitnessesInForce reports whether the log has witnesses at the transaction's time.
func WitnessesInForce(tx *db.Tx) (bool, error) {
	policies, err := readPolicies(tx)
	return len(inForce(policies, tx.Now, tx.Now)) > 0, err
}

// witnessesText returns the quorum and the witnesses in force as lines of their leaf, or "".
func (l *Log) witnessesText(ctx context.Context) (text string, err error) {
	err = l.db.Peek(ctx, func(tx *db.Tx) error {
		policies, err := readPolicies(tx)
		if current := inForce(policies, tx.Now, tx.Now); len(current) > 0 {
			text = current[0].lines()
		}
		return err
	})
	return text, err
}

// lines returns the leaf's lines between its kind and its time.
func (p witnessPolicy) lines() string {
	_, rest, _ := strings.Cut(p.text, "\n")
	return rest[:strings.LastIndex(rest, "time ")]
}

// inForce returns the policies that are in force at some time from one to another, both inclusive.
func inForce(all []witnessPolicy, from, to time.Time) (some []witnessPolicy) {
	for n, p := range all {
		replaced := n+1 < len(all) && !all[n+1].inForceAt.After(from)
		if !p.inForceAt.After(to) && !replaced {
			some = append(some, p)
		}
	}
	return some
}

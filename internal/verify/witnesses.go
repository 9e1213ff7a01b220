package verify

import (
	"fmt"
	"slices"
	"time"

	formats "github.com/transparency-dev/formats/note"
	"golang.org/x/mod/sumdb/note"

	"kaibao/internal/protocol"
)

// policy says how many of which witnesses must have cosigned a checkpoint.
type policy struct {
	quorum    int
	witnesses []protocol.Witness
}

// trust makes the replay count only witnesses with these verifier keys. quorum is how many must have
// cosigned a checkpoint; 0 is as many as the log says.
func (r *replay) trust(keys []string, quorum int) error {
	var all []protocol.Witness
	for _, key := range keys {
		w, err := protocol.ParseWitness(key)
		if err != nil {
			return OptionsError{fmt.Sprintf("the witness %s", err)}
		}
		if slices.ContainsFunc(all, func(other protocol.Witness) bool { return other.Key == w.Key || other.Name == w.Name }) {
			return OptionsError{fmt.Sprintf("the witness %s is given twice", w.Name)}
		}
		all = append(all, w)
	}
	if quorum < 0 || quorum > len(all) {
		return OptionsError{fmt.Sprintf("a quorum of %d needs as many witnesses, but %d are given", quorum, len(all))}
	}
	r.trusted = policy{quorum, all}
	return r.addCosigners(all)
}

// applyWitnesses adds witnesses that the log names. If the verifier counts its own ones by the log's quorum, it must
// have named enough of them.
func (r *replay) applyWitnesses(l protocol.WitnessesLeaf) error {
	if given := len(r.trusted.witnesses); given > 0 && r.trusted.quorum == 0 && given < l.Quorum {
		return OptionsError{fmt.Sprintf("the log's quorum is %[1]d: name at least %[1]d witnesses, or pass --quorum", l.Quorum)}
	}
	r.witnesses = append(r.witnesses, l)
	return r.addCosigners(l.Witnesses)
}

// policyAt returns the policy in force at a time, or nil if the log names no witnesses by then. If
// the verifier trusts its own witnesses, it counts only those.
func (r *replay) policyAt(at time.Time) *policy {
	logged := r.loggedPolicyAt(at)
	if len(r.trusted.witnesses) == 0 {
		return logged
	}
	p := r.trusted
	switch {
	case p.quorum > 0:
	case logged != nil:
		p.quorum = logged.quorum
	default:
		p.quorum = len(p.witnesses)
	}
	return &p
}

func (r *replay) loggedPolicyAt(at time.Time) *policy {
	for n, l := range slices.Backward(r.witnesses) {
		effective := l.Time
		if n > 0 {
			effective = effective.Add(protocol.WitnessNotice)
		}
		if !at.Before(effective) {
			return &policy{l.Quorum, l.Witnesses}
		}
	}
	return nil
}

// cosignatures are the times at which witnesses cosigned a checkpoint, in Unix seconds.
type cosignatures map[protocol.Witness]int64

// before reports whether a quorum cosigned before a time. Cosignatures have whole seconds, rounded
// down, so an earlier second is an earlier time.
func (p *policy) before(times cosignatures, end time.Time) bool {
	count := 0
	for _, w := range p.witnesses {
		if t := times[w]; t > 0 && t < end.Unix() {
			count++
		}
	}
	return count >= p.quorum
}

// quorumTime returns the smallest of the quorum's newest cosignature times, in Unix seconds. It
// returns 0 if there is no quorum.
func (p *policy) quorumTime(times cosignatures) int64 {
	var all []int64
	for _, w := range p.witnesses {
		if t := times[w]; t > 0 {
			all = append(all, t)
		}
	}
	if len(all) < p.quorum {
		return 0
	}
	slices.Sort(all)
	return all[len(all)-p.quorum]
}

// cosigner is a witness with its verifier of cosignatures.
type cosigner struct {
	note.Verifier
	witness protocol.Witness
}

// addCosigners makes the cosignatures of more witnesses known.
func (r *replay) addCosigners(named []protocol.Witness) error {
	for _, w := range named {
		if slices.ContainsFunc(r.cosigners, func(c cosigner) bool { return c.witness == w }) {
			continue
		}
		v, err := formats.NewVerifierForCosignatureV1(w.String())
		if err != nil {
			return fmt.Errorf("the witness %s: %w", w, err)
		}
		r.cosigners = append(r.cosigners, cosigner{v, w})
	}
	return nil
}

// openCosigned verifies a checkpoint of the log with a key, and its cosignatures by all witnesses
// that the log or the verifier has named so far.
func (r *replay) openCosigned(signed string, key note.Verifier) (Checkpoint, cosignatures, error) {
	verifiers := []note.Verifier{key}
	for _, c := range r.cosigners {
		verifiers = append(verifiers, c)
	}
	opened, err := note.Open([]byte(signed), note.VerifierList(verifiers...))
	if err != nil {
		return Checkpoint{}, nil, fmt.Errorf("the checkpoint's signatures: %w", err)
	}
	isBy := func(s note.Signature, v note.Verifier) bool { return s.Name == v.Name() && s.Hash == v.KeyHash() }
	if !slices.ContainsFunc(opened.Sigs, func(s note.Signature) bool { return isBy(s, key) }) {
		return Checkpoint{}, nil, fmt.Errorf("the checkpoint is not signed by %s", key.Name())
	}
	times := cosignatures{}
	for _, c := range r.cosigners {
		if n := slices.IndexFunc(opened.Sigs, func(s note.Signature) bool { return isBy(s, c) }); n >= 0 {
			at, err := formats.CoSigV1Timestamp(opened.Sigs[n])
			if err != nil {
				return Checkpoint{}, nil, err
			}
			times[c.witness] = at.Unix()
		}
	}
	c, err := parseCheckpoint(opened.Text, key.Name())
	return c, times, err
}

package publiclog

import (
	"fmt"
	"slices"
	"strings"

	"kaibao/internal/db"
	"kaibao/internal/protocol"
)

// witnessesLeaf is the start of a leaf that names witnesses.
const witnessesLeaf = protocol.WitnessesHeader + "\n"

// auditPolicies compares the stored policies with the leaves that announced them. placed are those in
// the tree, in log order.
func auditPolicies(tx *db.Tx, placed []string) (faults []string, err error) {
	waitingNow, err := waiting(tx, beforeFirst, maxWaiting)
	if err != nil {
		return nil, err
	}
	for _, leaf := range waitingNow {
		if strings.HasPrefix(leaf.body, witnessesLeaf) {
			placed = append(placed, leaf.body)
		}
	}
	rows, err := readPolicyRows(tx)
	if err != nil {
		return nil, err
	}
	urls, err := readWitnessURLs(tx)
	if err != nil {
		return nil, err
	}
	for n, row := range rows {
		if err := row.parse(); err != nil {
			faults = append(faults, err.Error())
			continue
		}
		if row.number != int64(n)+1 || !row.inForceAt.Equal(row.takesEffect()) {
			faults = append(faults, fmt.Sprintf("policy %d of the log's witnesses has another number or comes into force at another time than its leaf says", row.number))
		}
		for _, w := range row.Witnesses {
			if n == len(rows)-1 && urlOf(urls, w) == "" {
				faults = append(faults, "the witness "+w.Name+" has no address")
			}
		}
	}
	if texts := policyTexts(rows); !slices.Equal(texts, placed) {
		faults = append(faults, fmt.Sprintf("the %d policies of the log's witnesses differ from the %d in the log", len(texts), len(placed)))
	}
	return faults, nil
}

func policyTexts(rows []witnessPolicy) (texts []string) {
	for _, row := range rows {
		texts = append(texts, row.text)
	}
	return texts
}

// auditCosigned checks that cosigned checkpoints are trees of their log.
func auditCosigned(tx *db.Tx, epochs []epochKey) (faults []string, err error) {
	err = eachCosigned(tx, func(c cosignedTree) error {
		if c.epoch < 1 || c.epoch > int64(len(epochs)) {
			faults = append(faults, fmt.Sprintf("a cosigned checkpoint of %d leaves belongs to epoch %d, which doesn't exist", c.size, c.epoch))
			return nil
		}
		if problem := c.check(epochs[c.epoch-1].origin); problem != "" {
			faults = append(faults, fmt.Sprintf("the cosigned checkpoint of %d leaves in epoch %d at second %d %s", c.size, c.epoch, c.quorumAt, problem))
		}
		return nil
	})
	return faults, err
}

// check compares a row with its checkpoint, without verifying signatures: whoever reads the log does
// that. It returns what is wrong.
func (c cosignedTree) check(origin string) string {
	if !strings.HasPrefix(c.checkpoint, fmt.Sprintf("%s\n%d\n", origin, c.size)) {
		return "is the checkpoint of another tree"
	}
	_, signatures, _ := strings.Cut(c.checkpoint, "\n\n")
	for line := range strings.Lines(signatures) {
		if at, ok := cosignatureTime(line); ok && at == c.quorumAt {
			return ""
		}
	}
	return "has no cosignature of that time"
}

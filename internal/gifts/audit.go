package gifts

import (
	"encoding/hex"
	"fmt"
	"strings"

	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/identity"
)

// Audit checks that every gift was signed by its giver as stored, and that its entries' states and
// events agree with it: each was offered when the gift was made, and accepted or returned when it
// ended. It checks receivers, times and values.
func Audit(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, findUnsignedGifts, findEntryEventMismatches, findStateMismatches, findWrongReceivers, findWrongItems, findWrongTimes)
}

// signedGift is a gift's signed message and the values that it must contain.
type signedGift struct {
	Gift
	giverWallet string
	erased      bool   // the giver was deleted, or the user of the wallet
	entryIDs    string // ids joined by spaces, in order
}

// findUnsignedGifts finds gifts whose giver did not sign for these entries and this receiver.
func findUnsignedGifts(tx *db.Tx) (found []audit.Breach, err error) {
	err = eachSignedGift(tx, func(g signedGift) error {
		if mismatch := g.mismatch(); mismatch != "" {
			found = append(found, audit.Breach{Rule: "each gift must be signed by its giver", Row: "gift " + g.ID, Detail: mismatch})
		}
		return nil
	})
	return found, err
}

// mismatch returns how the gift differs from its signed message, or an empty string.
func (g signedGift) mismatch() string {
	if g.erased && g.Message == "" && g.Signature == "" {
		return ""
	}
	domain, _, _ := strings.Cut(g.Message, " asks you to confirm a gift")
	if err := identity.VerifyText(domain, g.Message, g.giverWallet, g.Signature, nil); err != nil {
		return err.Error()
	}
	var signedIDs []string
	for line := range strings.Lines(g.Message) {
		if text, ok := strings.CutSuffix(line, "]\n"); ok {
			signedIDs = append(signedIDs, text[strings.LastIndex(text, "[")+1:])
		}
	}
	to := request{wallet: g.Wallet, secretHash: g.SecretHash}.to()
	switch {
	case strings.Join(signedIDs, " ") != g.entryIDs:
		return fmt.Sprintf("was signed for entries %v, but has %s", signedIDs, g.entryIDs)
	case !strings.Contains(g.Message, "\n"+to+"\n"):
		return fmt.Sprintf("the receiver (wallet %q, secret %s) is not in the signed message", g.Wallet, hex.EncodeToString(g.SecretHash))
	}
	return ""
}

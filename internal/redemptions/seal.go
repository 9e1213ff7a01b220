package redemptions

import (
	"encoding/json"
	"fmt"

	"kaibao/internal/keyring"
)

// sealedAddress is an encrypted address as stored.
type sealedAddress struct {
	claimID, keyID string
	ciphertext     []byte
}

// addressPlaintext is what a sealedAddress encrypts: the address, the salt of its signed hash, and its
// original spelling. Old rows have no spelling.
type addressPlaintext struct {
	Address  Address          `json:"address"`
	Salt     []byte           `json:"salt"`
	Spelling originalSpelling `json:"typed,omitzero"`
}

// seal encrypts an address, bound to its claim.
func seal(key keyring.Key, claim string, p addressPlaintext) (sealedAddress, error) {
	text, err := json.Marshal(p)
	return sealText(key, claim, text), err
}

func sealText(key keyring.Key, claim string, text []byte) sealedAddress {
	return sealedAddress{claim, key.Fingerprint, key.Seal(text, associatedData(claim))}
}

// openSealed decrypts an address.
func openSealed(keys *keyring.Ring, s sealedAddress) ([]byte, error) {
	key, ok := keys.Find(s.keyID)
	if !ok {
		return nil, keys.Unavailable(s.keyID)
	}
	text, err := key.Open(s.ciphertext, associatedData(s.claimID))
	if err != nil {
		err = fmt.Errorf("the stored address of claim %s was tampered with, or its key is wrong: %w", s.claimID, err)
	}
	return text, err
}

// associatedData returns the associated data that binds an encrypted address to its claim.
func associatedData(claim string) []byte { return []byte("kaibao/v1/address\x00" + claim) }

package protocol

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"unicode/utf8"

	"kaibao/internal/apperr"
)

// MaxClientSeed is the maximum length of a client seed in bytes.
const MaxClientSeed = 128

// The tags separate the domains of the hashes: ASCII and one zero byte.
const (
	seedTag = "kaibao/v1/seed\x00"
	drawTag = "kaibao/v1/draw\x00"
	userTag = "kaibao/v1/user\x00"

	sealedDrawTag = "kaibao/v2/draw\x00"
)

// Commitment returns the hash of a server seed that is published before any client entropy exists.
func Commitment(seed [32]byte) [32]byte {
	return sha256.Sum256(append([]byte(seedTag), seed[:]...))
}

// UserTag returns a user's pseudonym in the log: 32 hex digits. It can be linked to an address only
// with the salt.
func UserTag(salt [32]byte, address string) string {
	sum := sha256.Sum256(append(append([]byte(userTag), salt[:]...), address...))
	return hex.EncodeToString(sum[:16])
}

// CheckClientSeed returns an error unless the seed is UTF-8 of 1 to 128 bytes.
func CheckClientSeed(seed string) error {
	switch {
	case seed == "" || len(seed) > MaxClientSeed:
		return apperr.InvalidField("clientSeed", "must be 1 to 128 bytes")
	case !utf8.ValidString(seed):
		return apperr.InvalidField("clientSeed", "must be UTF-8 text")
	}
	return nil
}

// Key derives an instant open's key from everything that decides the open: the server seed, the manifest
// (by hash), the user's nonce and the client seed, which must be at most 128 bytes. All rolls of
// the open follow from the key.
func Key(hash, seed [32]byte, clientSeed string, nonce uint64) [32]byte {
	message := append(make([]byte, 0, maxMessage), drawTag...)
	message = appendKeyInputs(message, hash, clientSeed, nonce)
	mac := newMAC(seed)
	return mac.sum(message)
}

// appendKeyInputs appends the inputs that the keys of instant and sealed draws share.
func appendKeyInputs(message []byte, hash [32]byte, clientSeed string, nonce uint64) []byte {
	message = append(message, hash[:]...)
	message = binary.BigEndian.AppendUint64(message, nonce)
	message = binary.BigEndian.AppendUint16(message, uint16(len(clientSeed)))
	return append(message, clientSeed...)
}

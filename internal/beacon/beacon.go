// Package beacon verifies rounds of public randomness beacons: drand's scheme bls-unchained-g1-rfc9380,
// which sealed packs are drawn with (docs/fairness.md). It uses no clock or network.
package beacon

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/cloudflare/circl/sign/bls"

	"kaibao/internal/protocol"
)

// Chain describes a beacon. Its hash names it in manifests and rounds, so a chain certifies itself.
type Chain struct {
	protocol.Schedule
	Key       [96]byte // compressed point of G2
	GroupHash [32]byte
	ID        string // such as quicknet
}

// Hash returns the chain hash: the SHA-256 of period (32 bits), genesis (64 bits), key, group hash and
// id. Integers are big-endian.
func (c Chain) Hash() [32]byte {
	text := binary.BigEndian.AppendUint32(nil, uint32(c.Period))
	text = binary.BigEndian.AppendUint64(text, uint64(c.Genesis))
	text = append(append(text, c.Key[:]...), c.GroupHash[:]...)
	return sha256.Sum256(append(text, c.ID...))
}

// chainJSON is how the server publishes a chain.
type chainJSON struct {
	Period    int64  `json:"period"`  // seconds
	Genesis   int64  `json:"genesis"` // Unix time in seconds
	Key       string `json:"key"`     // hex
	GroupHash string `json:"groupHash"`
	ID        string `json:"id"`
}

// MarshalJSON implements json.Marshaler.
func (c Chain) MarshalJSON() ([]byte, error) {
	return json.Marshal(chainJSON{c.Period, c.Genesis, hex.EncodeToString(c.Key[:]), hex.EncodeToString(c.GroupHash[:]), c.ID})
}

// UnmarshalJSON implements json.Unmarshaler. New checks the values.
func (c *Chain) UnmarshalJSON(text []byte) error {
	var j chainJSON
	if err := json.Unmarshal(text, &j); err != nil {
		return err
	}
	key, err := hex.DecodeString(j.Key)
	group, otherErr := hex.DecodeString(j.GroupHash)
	if err := errors.Join(err, otherErr); err != nil || len(key) != len(c.Key) || len(group) != len(c.GroupHash) {
		return fmt.Errorf("the beacon %s must have a key of 96 bytes and a group hash of 32 bytes in hex", j.ID)
	}
	*c = Chain{protocol.Schedule{Genesis: j.Genesis, Period: j.Period}, [96]byte(key), [32]byte(group), j.ID}
	return nil
}

// Beacon verifies the rounds of a chain. It is safe for concurrent use.
type Beacon struct {
	Chain
	key bls.PublicKey[bls.KeyG2SigG1]
}

// New returns the beacon of a chain. It returns an error if the schedule is out of its range, or the
// key is not a point of G2's subgroup other than infinity.
func New(c Chain) (*Beacon, error) {
	if c.Period < 1 || c.Period >= 1<<32 || c.Genesis < 0 || c.Genesis > protocol.MaxUnix {
		return nil, fmt.Errorf("the beacon %s can't have a period of %d s and the genesis %d", c.ID, c.Period, c.Genesis)
	}
	b := &Beacon{Chain: c}
	if err := b.key.UnmarshalBinary(c.Key[:]); err != nil {
		return nil, fmt.Errorf("the beacon %s has an invalid key: %w", c.ID, err)
	}
	return b, nil
}

// ParseSignature reads a signature as relays publish it: exactly 48 bytes in lower-case hex. Verify
// checks it.
func ParseSignature(text string) (signature protocol.Signature, err error) {
	decoded, err := hex.DecodeString(text)
	if err != nil || len(decoded) != len(signature) || hex.EncodeToString(decoded) != text {
		return signature, errors.New("a beacon's signature must be 48 bytes in lower-case hex")
	}
	return protocol.Signature(decoded), nil
}

// ErrSignature is returned for a signature that is not the beacon's of the round.
var ErrSignature = errors.New("the signature isn't the beacon's of this round")

// Verify returns nil if signature is the beacon's of the round. Each round has exactly one, in one
// encoding: a second one would be a second draw. round is at least 1.
func (b *Beacon) Verify(round uint64, signature protocol.Signature) error {
	if !canonical(signature) {
		return fmt.Errorf("the signature of round %d isn't a compressed point in its canonical form: %w", round, ErrSignature)
	}
	message := roundMessage(round)
	if !bls.Verify(&b.key, message[:], signature[:]) { // also checks curve and subgroup
		return fmt.Errorf("round %d: %w", round, ErrSignature)
	}
	return nil
}

// The flags in the first byte of a compressed point (the encoding of Zcash and of drand).
const (
	flagCompressed = 0x80
	flagInfinity   = 0x40
	flagLargerY    = 0x20
	flags          = flagCompressed | flagInfinity | flagLargerY
)

// prime is the order of the field of coordinates, big-endian.
var prime = [48]byte{
	0x1a, 0x01, 0x11, 0xea, 0x39, 0x7f, 0xe6, 0x9a, 0x4b, 0x1b, 0xa7, 0xb6, 0x43, 0x4b, 0xac, 0xd7,
	0x64, 0x77, 0x4b, 0x84, 0xf3, 0x85, 0x12, 0xbf, 0x67, 0x30, 0xd2, 0xa0, 0xf6, 0xb0, 0xf6, 0x24,
	0x1e, 0xab, 0xff, 0xfe, 0xb1, 0x53, 0xff, 0xff, 0xb9, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xaa, 0xab,
}

// canonical reports whether a signature has the form of a compressed point other than infinity, with
// a reduced coordinate.
func canonical(signature protocol.Signature) bool {
	if signature[0]&flagCompressed == 0 || signature[0]&flagInfinity != 0 {
		return false
	}
	signature[0] &^= flags
	return bytes.Compare(signature[:], prime[:]) < 0
}

// roundMessage returns what the beacon signs for a round.
func roundMessage(round uint64) [32]byte {
	return sha256.Sum256(binary.BigEndian.AppendUint64(nil, round))
}

// Signer signs the rounds of a chain whose key it has, such as that of a sandbox. It is safe for
// concurrent use.
type Signer struct {
	key       *bls.PrivateKey[bls.KeyG2SigG1]
	publicKey [96]byte
}

// NewSigner derives a key from a secret seed, which must be random.
func NewSigner(seed [32]byte) (*Signer, error) {
	key, err := bls.KeyGen[bls.KeyG2SigG1](seed[:], nil, nil)
	if err != nil {
		return nil, err
	}
	public, err := key.PublicKey().MarshalBinary()
	if err != nil {
		return nil, err
	}
	return &Signer{key, [96]byte(public)}, nil
}

// PublicKey returns the key for Chain.Key.
func (s *Signer) PublicKey() [96]byte { return s.publicKey }

// Sign returns the signature of a round. The caller must not sign a round before its time.
func (s *Signer) Sign(round uint64) protocol.Signature {
	message := roundMessage(round)
	return protocol.Signature(bls.Sign(s.key, message[:]))
}

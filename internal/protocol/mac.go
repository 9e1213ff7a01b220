package protocol

import "crypto/sha256"

// mac is HMAC-SHA-256 (RFC 2104) for 32-byte keys. It lives on the stack and caches the padded
// keys, so the many short blocks of a draw don't allocate; crypto/hmac allocates for each key.
// Tests compare the two.
type mac struct {
	inner, outer [sha256.BlockSize]byte
}

func newMAC(key [32]byte) mac {
	var m mac
	copy(m.inner[:], key[:])
	m.outer = m.inner
	for i := range m.inner {
		m.inner[i] ^= 0x36
		m.outer[i] ^= 0x5c
	}
	return m
}

// maxMessage is more than the longest message, the key inputs of a sealed draw with the longest
// client seed: 249 bytes.
const maxMessage = 256

// sum returns the MAC of a message.
func (m *mac) sum(message []byte) [32]byte {
	var buffer [sha256.BlockSize + maxMessage]byte
	digest := sha256.Sum256(append(append(buffer[:0], m.inner[:]...), message...))
	return sha256.Sum256(append(append(buffer[:0], m.outer[:]...), digest[:]...))
}

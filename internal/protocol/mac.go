package protocol

import "crypto/sha256"

// mac is HMAC-SHA-256 (RFC 2104) for keys of 32 bytes. It lives on the stack and
// keeps the padded keys, so that the many short blocks of a draw allocate nothing;
// crypto/hmac allocates for each key. The tests compare the two.
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

// sum returns the code of a message.
func (m *mac) sum(message []byte) [32]byte {
	var buffer [sha256.BlockSize + 192]byte // room for the longest message of the protocol
	digest := sha256.Sum256(append(append(buffer[:0], m.inner[:]...), message...))
	return sha256.Sum256(append(append(buffer[:0], m.outer[:]...), digest[:]...))
}

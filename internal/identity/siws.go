package identity

import (
	"bytes"
	"crypto/ed25519"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/mr-tron/base58"

	"kaibao/internal/apperr"
)

// The constant fields of a sign-in message.
const (
	signInStatement = "Sign in to Kaibao. This sends no transaction and costs nothing."
	signInVersion   = "1"
	signInChain     = "mainnet"
	signInTime      = "2006-01-02T15:04:05.000Z"
)

// Message is a sign-in challenge. Its text follows Sign In With Solana (the ABNF of the Wallet
// Standard's solana:signIn feature).
type Message struct {
	Domain         string // host of the public URL, with its port if it has one
	Address        string // base58 of the Ed25519 key that must sign
	URI            string // the public URL
	Nonce          string // 32 hex digits, used once
	IssuedAt       time.Time
	ExpirationTime time.Time
}

// SignInInput is the argument of a wallet's solana:signIn feature. A wallet
// that follows the standard builds from it exactly the text of Message.Text.
type SignInInput struct {
	Domain         string `json:"domain" doc:"Host, with its port, that asks for the signature"`
	Address        string `json:"address" doc:"Base58 address that must sign"`
	Statement      string `json:"statement" doc:"What signing means, in one sentence"`
	URI            string `json:"uri" doc:"The public URL"`
	Version        string `json:"version" doc:"Version of the message text"`
	ChainID        string `json:"chainId" doc:"Solana cluster"`
	Nonce          string `json:"nonce" doc:"32 hex digits, used once"`
	IssuedAt       string `json:"issuedAt" doc:"RFC 3339 UTC with milliseconds"`
	ExpirationTime string `json:"expirationTime" doc:"RFC 3339 UTC with milliseconds"`
}

// Input returns the challenge as the argument of solana:signIn.
func (m Message) Input() SignInInput {
	return SignInInput{
		Domain:         m.Domain,
		Address:        m.Address,
		Statement:      signInStatement,
		URI:            m.URI,
		Version:        signInVersion,
		ChainID:        signInChain,
		Nonce:          m.Nonce,
		IssuedAt:       m.IssuedAt.UTC().Format(signInTime),
		ExpirationTime: m.ExpirationTime.UTC().Format(signInTime),
	}
}

// Text returns the exact text to sign, without a trailing line feed.
func (m Message) Text() string {
	in := m.Input()
	return fmt.Sprintf(`%s wants you to sign in with your Solana account:
%s

%s

URI: %s
Version: %s
Chain ID: %s
Nonce: %s
Issued At: %s
Expiration Time: %s`,
		in.Domain, in.Address, in.Statement, in.URI, in.Version, in.ChainID, in.Nonce, in.IssuedAt, in.ExpirationTime)
}

// ExpiredAt reports whether the challenge has expired at now. The expiry instant itself is too
// late.
func (m Message) ExpiredAt(now time.Time) bool {
	return !now.Before(m.ExpirationTime)
}

// ParseAddress decodes a Solana address: the canonical base58 of exactly 32 bytes. The error is of
// kind Invalid on the field "address". Not every such address has a key that can sign; Verify
// checks that.
func ParseAddress(address string) (ed25519.PublicKey, error) {
	key, err := decodeBase58(address, ed25519.PublicKeySize)
	if err != nil {
		return nil, apperr.InvalidField("address", "must be a Solana address").Because(err)
	}
	return key, nil
}

// Verify checks that the holder of expected.Address signed this challenge. signature is the base58
// of 64 bytes. signedMessage, if not empty, is the message as the wallet reports it, and must then
// be one of the challenge's forms.
//
// Nothing that the caller sends is parsed. The signable byte strings are built from expected only,
// compared byte by byte, and verified with the key in them. Every error has the code bad_signature;
// its cause, for the log, names the rule that failed.
func Verify(expected Message, address, signature string, signedMessage []byte) error {
	if err := verify(expected, address, signature, signedMessage); err != nil {
		return errBadSignature.Because(err)
	}
	return nil
}

func verify(expected Message, address, signature string, signedMessage []byte) error {
	if address != expected.Address {
		return errors.New("signed for another address than the challenge")
	}
	return verifyText(expected.Domain, expected.Text(), address, signature, signedMessage)
}

// VerifyText is Verify for any text that this server made for a domain.
func VerifyText(domain, text, address, signature string, signedMessage []byte) error {
	if err := verifyText(domain, text, address, signature, signedMessage); err != nil {
		return errBadSignature.Because(err)
	}
	return nil
}

func verifyText(domain, text, address, signature string, signedMessage []byte) error {
	key, err := ParseAddress(address)
	if err != nil {
		return err
	}
	if !isStrongKey(key) {
		return errors.New("weak public key: any signature would be valid")
	}
	sig, err := decodeBase58(signature, ed25519.SignatureSize)
	if err != nil {
		return fmt.Errorf("signature: %w", err)
	}
	forms := signedForms(domain, text, key)
	if len(signedMessage) > 0 {
		forms = equalForms(forms, signedMessage)
		if len(forms) == 0 {
			return errors.New("the wallet signed another message than the challenge")
		}
	}
	for _, form := range forms {
		if ed25519.Verify(key, form, sig) {
			return nil
		}
	}
	return errors.New("invalid signature")
}

// equalForms returns the form that equals want, if there is one.
func equalForms(forms [][]byte, want []byte) [][]byte {
	for _, form := range forms {
		if bytes.Equal(form, want) {
			return [][]byte{form}
		}
	}
	return nil
}

// offchainPrefix starts an off-chain message of header version 0. No transaction starts with 0xff,
// so a signature over such a message can never move funds.
const offchainPrefix = "\xffsolana offchain" + "\x00"

// signedForms returns every byte string that a wallet may sign for a text: the text itself, or
// version 0 of the off-chain message envelope
// (https://docs.anza.xyz/proposals/off-chain-message-signing), because a Ledger doesn't sign bare
// text.
//
// Two layouts of the envelope are in use. The proposal's has an application domain (none, or ours
// as Ledger's kit writes it) and one signer. The short one is that of solana-sdk and of Ledger's
// Solana app before 1.8. Format 0 is ASCII, including line feeds in today's revision. Format 1 is
// UTF-8, which the first revision requires for texts with line feeds. Format 2 is for texts too
// long for a Ledger, which doesn't display them.
func signedForms(domain, message string, key ed25519.PublicKey) [][]byte {
	text := []byte(message)
	var ours, none [32]byte
	copy(ours[:], domain)
	forms := [][]byte{text}
	for _, format := range []byte{0, 1} {
		forms = append(forms,
			withLength([]byte{format}, text),
			withLength(signerHeader(none, format, key), text),
			withLength(signerHeader(ours, format, key), text))
	}
	return forms
}

// signerHeader returns the proposal's header between prefix and length: application domain, format,
// and a list of one signer.
func signerHeader(domain [32]byte, format byte, signer ed25519.PublicKey) []byte {
	return append(append(domain[:], format, 1), signer...)
}

func withLength(header, text []byte) []byte {
	envelope := append([]byte(offchainPrefix), header...)
	envelope = binary.LittleEndian.AppendUint16(envelope, uint16(len(text)))
	return append(envelope, text...)
}

// smallOrderY has the y coordinates (little endian, without the sign bit) of the eight points of
// small order. The system program's address is one of them.
var smallOrderY = [5]string{
	"0100000000000000000000000000000000000000000000000000000000000000",
	"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
	"0000000000000000000000000000000000000000000000000000000000000000",
	"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
	"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
}

// isStrongKey reports whether a signature that verifies under key proves knowledge of its secret.
// Under a key of small order anyone can forge one for any message. crypto/ed25519 accepts such
// keys, and non-canonical encodings (y not reduced modulo 2^255-19); no wallet generates either.
func isStrongKey(key ed25519.PublicKey) bool {
	y := bytes.Clone(key)
	y[31] &= 0x7f
	for _, small := range smallOrderY {
		if hex.EncodeToString(y) == small {
			return false
		}
	}
	return isReduced(y)
}

// isReduced reports whether y, little endian, is below 2^255-19.
func isReduced(y []byte) bool {
	for _, b := range y[1:31] {
		if b != 0xff {
			return true
		}
	}
	return y[31] != 0x7f || y[0] < 0xed
}

// decodeBase58 decodes the canonical base58 of size bytes. It checks the length first, because
// decoding a long text is slow.
func decodeBase58(text string, size int) ([]byte, error) {
	if len(text) < size || len(text) > size*11/8 {
		return nil, fmt.Errorf("not base58 of %d bytes", size)
	}
	raw, err := base58.Decode(text)
	if err != nil {
		return nil, fmt.Errorf("not base58: %w", err)
	}
	if len(raw) != size || base58.Encode(raw) != text {
		return nil, fmt.Errorf("not base58 of %d bytes", size)
	}
	return raw, nil
}

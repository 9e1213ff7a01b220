package apptest

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/http"
	"testing"

	"github.com/mr-tron/base58"
)

// ToWallet addresses a gift to a client's wallet.
func ToWallet(c *Client) Body { return Body{"walletAddress": c.Address} }

// ToLink addresses a gift to whoever has a secret of 16 bytes, in hex.
func ToLink(secret string) Body {
	bytes, _ := hex.DecodeString(secret)
	hash := sha256.Sum256(bytes)
	return Body{"secretHash": hex.EncodeToString(hash[:])}
}

// SignGift requests a gift's challenge, signs it, and returns the body of the gift.
func (c *Client) SignGift(t testing.TB, to Body, entries ...string) Body {
	t.Helper()
	body := maps.Clone(to)
	body["inventoryIds"] = entries
	var asked struct{ Message string }
	c.Post(t, "/api/gifts/challenge", body).Want(t, http.StatusOK, &asked)
	body["signature"] = base58.Encode(ed25519.Sign(c.Key, []byte(asked.Message)))
	return body
}

// Give gives entries and returns the gift's id.
func (c *Client) Give(t testing.TB, to Body, entries ...string) string {
	t.Helper()
	var gift struct{ ID string }
	c.Post(t, "/api/gifts", c.SignGift(t, to, entries...)).Want(t, http.StatusOK, &gift)
	return gift.ID
}

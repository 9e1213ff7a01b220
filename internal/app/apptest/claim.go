package apptest

import (
	"crypto/ed25519"
	"net/http"
	"testing"

	"github.com/mr-tron/base58"
)

// Home is an address that claims can be shipped to.
var Home = Body{"name": "Ann Collector", "line1": "1600 Pennsylvania Avenue NW", "city": "Washington", "region": "DC", "postalCode": "20500-0003", "country": "US", "phone": "+1 202 456 1111"}

// Vault sends the client's entries to the vault.
func (c *Client) Vault(t testing.TB, entries ...string) {
	t.Helper()
	for _, id := range entries {
		c.Post(t, "/api/inventory/vault", Body{"inventoryId": id}).Want(t, http.StatusOK, nil)
	}
}

// Sign requests a claim's challenge, signs it, and returns the body of the claim.
func (c *Client) Sign(t testing.TB, to Body, entries ...string) Body {
	t.Helper()
	var asked struct{ Message, AddressSalt string }
	c.Post(t, "/api/redemptions/challenge", Body{"inventoryIds": entries, "address": to}).Want(t, http.StatusOK, &asked)
	return Body{
		"inventoryIds": entries, "address": to, "addressSalt": asked.AddressSalt,
		"signature": base58.Encode(ed25519.Sign(c.Key, []byte(asked.Message))),
	}
}

// Claim claims vaulted entries and returns the claim's id.
func (c *Client) Claim(t testing.TB, entries ...string) string {
	t.Helper()
	var claim struct{ ID string }
	c.Post(t, "/api/redemptions", c.Sign(t, Home, entries...)).Want(t, http.StatusOK, &claim)
	return claim.ID
}

// Step has an admin advance a claim by one step.
func (c *Client) Step(t testing.TB, act, claim string) Answer {
	t.Helper()
	return c.Post(t, "/api/admin/redemptions/step", Body{
		"act": act, "reason": "It is so.", "claims": []Body{{"id": claim, "carrier": "dhl", "tracking": "JD 0146 0000"}},
	})
}

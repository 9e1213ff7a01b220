package app

import (
	"net"
	"strings"
	"testing"

	"kaibao/internal/httpapi"
)

func parsed(t *testing.T, text string) (u httpapi.PublicURL) {
	t.Helper()
	if text == "" {
		return u
	}
	u, err := httpapi.ParsePublicURL(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestPasskeyHosts(t *testing.T) {
	const shop, local = "https://shop.example", "http://localhost:8080"
	abandon := Passkeys{AbandonPasskeys: true}
	keep := Passkeys{PasskeyRP: "old.example"}
	for name, c := range map[string]struct {
		settings                Passkeys
		public, payment, stored string
		offered, pinned         string
		refused, warning        string
	}{
		"a first start":                    {public: shop, offered: "shop.example", pinned: "shop.example"},
		"a first start on this machine":    {public: local, offered: "localhost"},
		"an address":                       {public: "http://127.0.0.1:8080"},
		"an address with https":            {public: "https://192.0.2.1"},
		"an IPv6 address with https":       {public: "https://[2001:db8::1]"},
		"no https":                         {public: "http://shop.example"},
		"the same host":                    {public: shop, stored: "shop.example", offered: "shop.example", pinned: "shop.example"},
		"another port":                     {public: shop + ":8443", stored: "shop.example", offered: "shop.example", pinned: "shop.example"},
		"another host":                     {public: shop, stored: "old.example", refused: "passkey wallets belong to the host old.example"},
		"a copy on this machine":           {public: local, stored: "shop.example", offered: "localhost", pinned: "shop.example"},
		"a copy at this machine's address": {public: "http://127.0.0.1:8080", stored: "shop.example", pinned: "shop.example"},
		"payments here, on another port":   {public: local, payment: "http://localhost:9090", stored: "shop.example", pinned: "shop.example", warning: "is at or below localhost"},
		"the shop, then its address":       {public: "https://192.0.2.1", stored: "shop.example", refused: "couldn't sign in at https://192.0.2.1"},
		"the shop without https":           {public: "http://shop.example", stored: "shop.example", refused: "belong to the host shop.example"},
		"another host that keeps them":     {settings: keep, public: shop, stored: "old.example", offered: "old.example", pinned: "old.example"},
		"keeping them in a new database":   {settings: keep, public: shop, offered: "old.example", pinned: "old.example"},
		"keeping others than there are":    {settings: keep, public: shop, stored: "older.example", refused: "set --passkey-rp older.example"},
		"keeping them without https":       {settings: keep, public: local, stored: "old.example", refused: "needs an https address"},
		"keeping them at an address":       {settings: keep, public: "https://192.0.2.1", stored: "old.example", refused: "needs an https address with a host name"},
		"giving them up":                   {settings: abandon, public: shop, stored: "old.example", offered: "shop.example", pinned: "shop.example"},
		"giving them up for an address":    {settings: abandon, public: "http://127.0.0.1", stored: "old.example"},
		"payments elsewhere":               {public: shop, payment: "https://pay.example", offered: "shop.example", pinned: "shop.example"},
		"payments beside it":               {public: "https://shop.kaibao.example", payment: "https://pay.kaibao.example", offered: "shop.kaibao.example", pinned: "shop.kaibao.example"},
		"payments at a similar name":       {public: shop, payment: "https://myshop.example", offered: "shop.example", pinned: "shop.example"},
		"payments below it":                {public: shop, payment: "https://pay.shop.example", warning: "--payment-origin https://pay.shop.example is at or below shop.example"},
		"payments below it, with wallets":  {public: shop, payment: "https://pay.shop.example", stored: "shop.example", refused: "could ask for passkeys"},
		"payments at the earlier host":     {settings: keep, public: shop, payment: "https://old.example", stored: "old.example", refused: "could ask for passkeys"},
		"payments below it, without https": {public: "http://shop.example", payment: "http://pay.shop.example"},
	} {
		t.Run(name, func(t *testing.T) {
			hosts, err := Config{Passkeys: c.settings}.passkeyHosts(parsed(t, c.public), parsed(t, c.payment), c.stored)
			if c.refused != "" {
				if err == nil || !strings.Contains(err.Error(), c.refused) {
					t.Errorf("%+v, %v; want an error with %q", hosts, err, c.refused)
				}
				return
			}
			if err != nil || hosts.offered != c.offered || hosts.pinned != c.pinned || (hosts.warning != "") != (c.warning != "") || !strings.Contains(hosts.warning, c.warning) {
				t.Errorf("%+v, %v", hosts, err)
			}
		})
	}
}

func TestPasskeySettings(t *testing.T) {
	for _, host := range []string{"", "old.example", "kaibao"} {
		if err := (Passkeys{PasskeyRP: host}).check(); err != nil {
			t.Errorf("%q: %v", host, err)
		}
	}
	for _, host := range []string{"https://old.example", "old.example:443", "Old.example", "192.0.2.1", "::1", "[::1]", "old.example/", "old.example.", ".example", "a..b", "old.example?x", "127.1", "localhost", " "} {
		if err := (Passkeys{PasskeyRP: host}).check(); err == nil || !strings.Contains(err.Error(), "must be a host name") {
			t.Errorf("%q: %v", host, err)
		}
	}
	if err := (Passkeys{PasskeyRP: "old.example", AbandonPasskeys: true}).check(); err == nil || !strings.Contains(err.Error(), "set one of them") {
		t.Error(err)
	}
}

// Browsers create passkeys for localhost, but not for its address.
func TestDefaultPublicURL(t *testing.T) {
	for listening, want := range map[string]string{
		"127.0.0.1:8080": "http://localhost:8080", "[::1]:8080": "http://localhost:8080",
		"127.0.0.2:8080": "http://127.0.0.2:8080", // localhost doesn't lead there
	} {
		address, err := net.ResolveTCPAddr("tcp", listening)
		if err != nil {
			t.Fatal(err)
		}
		if public, err := (Config{Payments: "sandbox"}).publicURL(address); err != nil || public.String() != want {
			t.Errorf("%s: %s, %v; want %s", listening, public, err, want)
		}
	}
}

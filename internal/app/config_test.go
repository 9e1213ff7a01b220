package app

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"kaibao/internal/protocol"
)

// The example file has every setting.
func TestExampleFileHasEverySetting(t *testing.T) {
	text, err := os.ReadFile("../../.env.example")
	if err != nil {
		t.Fatal(err)
	}
	settings := 0
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Config]()) {
		if name := field.Tag.Get("env"); name != "" {
			settings++
			if !strings.Contains(string(text), "\n"+name+"=") && !strings.Contains(string(text), "\n#"+name+"=") {
				t.Errorf(".env.example does not name %s", name)
			}
		}
	}
	if settings == 0 {
		t.Error("there are no settings")
	}
}

func TestCommunityLinks(t *testing.T) {
	const own = "https://own.example/us"
	for name, c := range map[string]struct {
		config       Config
		social, chat string
	}{
		"sandbox":               {Config{Payments: "sandbox", ManifestDelay: protocol.MinNotice}, exampleSocial, exampleChat},
		"sandbox with its own":  {Config{Payments: "sandbox", ManifestDelay: protocol.MinNotice, SocialURL: own}, own, exampleChat},
		"real money":            {Config{Payments: "helio"}, "", ""},
		"real money with links": {Config{Payments: "helio", SocialURL: own, ChatURL: own}, own, own},
	} {
		social, chat := c.config.communityLinks()
		if social != c.social || chat != c.chat {
			t.Errorf("%s: %q and %q, want %q and %q", name, social, chat, c.social, c.chat)
		}
		if err := c.config.check(); c.config.Sandbox() && err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSecurityContact(t *testing.T) {
	for contact, want := range map[string]string{
		"": "", "security@kaibao.example": "mailto:security@kaibao.example", "mailto:security@kaibao.example": "mailto:security@kaibao.example",
		"https://kaibao.example/security": "https://kaibao.example/security",
	} {
		c := Config{Payments: "sandbox", ManifestDelay: protocol.MinNotice, SecurityContact: contact}
		if err := c.check(); err != nil || c.securityContact() != want {
			t.Errorf("%q is %q, %v; want %q", contact, c.securityContact(), err, want)
		}
	}
	for _, contact := range []string{
		"security", "http://kaibao.example", "Ann <ann@kaibao.example>", "mailto:", "ann@kaibao.example\nPolicy: none",
		"https://kaibao.example/\nPolicy: none", "https://kaibao.example/a b",
	} {
		c := Config{Payments: "sandbox", ManifestDelay: protocol.MinNotice, SecurityContact: contact}
		if err := c.check(); err == nil || !strings.Contains(err.Error(), "--security-contact") {
			t.Errorf("%q: %v", contact, err)
		}
	}
}

func TestBeaconRelays(t *testing.T) {
	c := Config{Payments: "sandbox", ManifestDelay: protocol.MinNotice}
	for _, relay := range []string{"https://api.drand.sh", "https://relay.example:8443/drand", "http://127.0.0.1:8081"} {
		c.BeaconRelays = []string{relay}
		if err := c.check(); err != nil {
			t.Errorf("%q: %v", relay, err)
		}
	}
	for _, relay := range []string{"", "api.drand.sh", "http://api.drand.sh", "https://", "https://ann@relay.example", "https://relay.example/", "https://relay.example?x=y", "https://relay.example#x"} {
		c.BeaconRelays = []string{"https://api.drand.sh", relay}
		if err := c.check(); err == nil || !strings.Contains(err.Error(), "KAIBAO_BEACON_RELAYS") {
			t.Errorf("%q: %v", relay, err)
		}
	}
}

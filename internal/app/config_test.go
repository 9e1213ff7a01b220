package app

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"kaibao/internal/fair"
)

// Every setting stands in the example, for who looks there first.
func TestTheExampleNamesEverySetting(t *testing.T) {
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

func TestASandboxHasEveryLinkOfThePages(t *testing.T) {
	const own = "https://own.example/us"
	for name, c := range map[string]struct {
		config       Config
		social, chat string
	}{
		"sandbox":               {Config{Payments: "sandbox", ManifestDelay: fair.LeastNotice}, exampleSocial, exampleChat},
		"sandbox with its own":  {Config{Payments: "sandbox", ManifestDelay: fair.LeastNotice, SocialURL: own}, own, exampleChat},
		"real money":            {Config{Payments: "helio"}, "", ""},
		"real money with links": {Config{Payments: "helio", SocialURL: own, ChatURL: own}, own, own},
	} {
		social, chat := c.config.community()
		if social != c.social || chat != c.chat {
			t.Errorf("%s: %q and %q, want %q and %q", name, social, chat, c.social, c.chat)
		}
		if err := c.config.check(); c.config.Sandbox() && err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

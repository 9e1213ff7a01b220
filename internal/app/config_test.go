package app

import "testing"

func TestASandboxHasEveryLinkOfThePages(t *testing.T) {
	const own = "https://own.example/us"
	for name, c := range map[string]struct {
		config       Config
		social, chat string
	}{
		"sandbox":               {Config{Payments: "sandbox"}, exampleSocial, exampleChat},
		"sandbox with its own":  {Config{Payments: "sandbox", SocialURL: own}, own, exampleChat},
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

// Package app wires the features together. It is the only package that imports all of them.
package app

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/mail"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"kaibao/internal/deposits/sandbox"
	"kaibao/internal/httpapi"
	"kaibao/internal/protocol"
)

// Config holds the settings of an installation. Contradictory settings fail at startup with the
// reason.
type Config struct {
	Addr           string         `help:"Address to listen on; port 0 picks a free one." default:"127.0.0.1:8080" env:"KAIBAO_ADDR"`
	PublicURL      string         `help:"Public address of the server. Default: the address listened on." placeholder:"URL" env:"KAIBAO_PUBLIC_URL"`
	Payments       string         `help:"Payment provider: sandbox (play money) or helio." enum:"sandbox,helio" default:"sandbox" env:"KAIBAO_PAYMENTS"`
	PaymentOrigin  string         `help:"Address on another host for the page with the payment provider's widget. Required for real payments." placeholder:"URL" env:"KAIBAO_PAYMENT_ORIGIN"`
	SandboxPublic  bool           `help:"Allow sandbox mode on a public address." env:"KAIBAO_SANDBOX_PUBLIC"`
	Demo           bool           `help:"Fill an empty database with the demo catalogue." default:"true" negatable:"" env:"KAIBAO_DEMO"`
	OpsAddr        string         `help:"Address of the operator's listener, with the state of the node and its jobs. Keep it private. Empty turns it off." default:"127.0.0.1:8090" env:"KAIBAO_OPS_ADDR"`
	OpsHost        []string       `help:"Host names and addresses at which the operator's listener answers, besides loopback ones." placeholder:"HOST,HOST" env:"KAIBAO_OPS_HOST"`
	Drain          time.Duration  `help:"How long a stopping node still serves requests while /readyz is 503, so that load balancers notice. Use 5s behind one." default:"0s" env:"KAIBAO_DRAIN"`
	RateLimits     string         `help:"Limit requests per address; off only in sandbox mode." enum:"on,off" default:"on" env:"KAIBAO_RATE_LIMITS"`
	TrustedProxies []netip.Prefix `help:"Networks of trusted proxies, whose X-Forwarded-For header is used." placeholder:"CIDR,CIDR" env:"KAIBAO_TRUSTED_PROXIES"`
	ManifestDelay  time.Duration  `help:"How long changed odds are announced before they take effect." default:"10m" env:"KAIBAO_MANIFEST_DELAY"`
	SocialURL      string         `help:"Your social media account, linked on every page. By default a sandbox links an example." placeholder:"URL" env:"KAIBAO_SOCIAL_URL"`
	ChatURL        string         `help:"Your chat community, linked on every page. By default a sandbox links an example." placeholder:"URL" env:"KAIBAO_CHAT_URL"`
	ShippingTable  string         `help:"File with shipping zones, prices and carriers. Default: the built-in one." placeholder:"FILE" type:"path" env:"KAIBAO_SHIPPING_TABLE"`
	Profile        string         `help:"House rules: a built-in profile (open, cn, uk-strict) or a JSON file." default:"open" placeholder:"NAME|FILE" env:"KAIBAO_PROFILE"`
	LogCheckpoint  string         `help:"Latest checkpoint of a running node, https://HOST/log/checkpoint or a file. Needed for the first start of a node that joins others." placeholder:"URL|FILE" env:"KAIBAO_LOG_CHECKPOINT"`
	LogFormat      string         `help:"Format of log lines." enum:"text,json" default:"text" env:"KAIBAO_LOG_FORMAT"`
	LogLevel       string         `help:"Minimum log level; warn omits request lines." enum:"info,warn,error" default:"info" env:"KAIBAO_LOG_LEVEL"`

	SecurityContact string `help:"Email address or https page for vulnerability reports, served in /.well-known/security.txt. By default that file doesn't exist." placeholder:"MAIL|URL" env:"KAIBAO_SECURITY_CONTACT"`

	RetentionSettings
	DeletedUsers
	Helio
	Storage
	Keys
	Now             func() time.Time                    `kong:"-"` // the clock; nil = the system clock
	Watch           func() (see func(statement string)) `kong:"-"` // db.Options.Watch
	Outbound        http.RoundTripper                   `kong:"-"` // fetches pictures from other hosts; nil = the public internet only
	SandboxBehavior func() sandbox.Behavior             `kong:"-"` // behavior of the sandbox's payment provider; nil = default
}

// Storage is the location of the data.
type Storage struct {
	Data        string `help:"Directory of the SQLite database and the keys." default:"./data" type:"path" env:"KAIBAO_DATA"`
	DatabaseURL string `help:"PostgreSQL instead of SQLite: postgres://…" placeholder:"URL" env:"KAIBAO_DATABASE_URL"`
}

// Keys replace the key files in the data directory, so that several nodes can share them.
type Keys struct {
	LogKey  string `help:"Signing key of the public log (PRIVATE+KEY+…)." placeholder:"KEY" env:"KAIBAO_LOG_KEY"`
	SeedKey string `help:"Key that encrypts unused server seeds, 64 hex digits." placeholder:"HEX" env:"KAIBAO_SEED_KEY"`

	AddressKeys string `help:"Keys that encrypt shipping addresses, 64 hex digits each, newest first." placeholder:"HEX,HEX" env:"KAIBAO_ADDRESS_KEYS"`
}

// Sandbox reports whether points are play money.
func (c Config) Sandbox() bool { return c.Payments == "sandbox" }

// Default links of a sandbox, so that every link on the pages is visible there. Names under example
// don't resolve (RFC 2606).
const (
	exampleSocial = "https://social.example/kaibao"
	exampleChat   = "https://chat.example/kaibao"
)

// communityLinks returns the community links of the pages. An empty link is hidden.
func (c Config) communityLinks() (social, chat string) {
	if c.Sandbox() {
		return cmp.Or(c.SocialURL, exampleSocial), cmp.Or(c.ChatURL, exampleChat)
	}
	return c.SocialURL, c.ChatURL
}

// maxDrain is the maximum of --drain. Service managers kill a process that takes longer to stop.
const maxDrain = time.Minute

func (c Config) check() error {
	if err := errors.Join(checkLink("--social-url", c.SocialURL), checkLink("--chat-url", c.ChatURL), c.checkSecurityContact()); err != nil {
		return err
	}
	if c.Drain < 0 || c.Drain > maxDrain {
		return fmt.Errorf("--drain (KAIBAO_DRAIN) is %s: it must be between 0s and %s", c.Drain, maxDrain)
	}
	if err := errors.Join(CheckManifestDelay(c.ManifestDelay), c.RetentionSettings.check()); err != nil {
		return err
	}
	if c.Sandbox() {
		if c.anySet() {
			return errors.New("real payment settings (KAIBAO_HELIO_…, KAIBAO_SOLANA_RPC_URL, KAIBAO_TREASURY, KAIBAO_USDC_MINT, KAIBAO_JUPITER_KEY) need --payments helio; sandbox mode doesn't use them")
		}
		return nil
	}
	switch {
	case c.RateLimits == "off":
		return errors.New("rate limits can be turned off only in sandbox mode")
	case c.SandboxPublic:
		return errors.New("--sandbox-public needs --payments sandbox")
	}
	return c.Helio.check()
}

// CheckManifestDelay refuses a manifest delay below the protocol's minimum notice. With it,
// verification of the log would fail at the first announced manifest.
func CheckManifestDelay(delay time.Duration) error {
	if delay < protocol.MinNotice {
		return fmt.Errorf("--manifest-delay (KAIBAO_MANIFEST_DELAY) is %s: it must be at least %s, or verifiers reject the log", delay, protocol.MinNotice)
	}
	return nil
}

// checkLink refuses a text that is neither empty nor an https address.
func checkLink(setting, text string) error {
	if text == "" {
		return nil
	}
	if u, err := url.Parse(text); err != nil || u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("%s must be an https address", setting)
	}
	return nil
}

// securityContact returns the contact as a URI, which RFC 9116 asks for.
func (c Config) securityContact() string {
	if isMail(c.SecurityContact) {
		return "mailto:" + c.SecurityContact
	}
	return c.SecurityContact
}

func (c Config) checkSecurityContact() error {
	text := c.SecurityContact
	if isMail(strings.TrimPrefix(text, "mailto:")) || checkLink("", text) == nil && !strings.Contains(text, " ") {
		return nil
	}
	return fmt.Errorf("--security-contact (KAIBAO_SECURITY_CONTACT) is %q, but must be an email address or an https address", text)
}

// isMail reports whether a text is a plain email address without a display name.
func isMail(text string) bool {
	address, err := mail.ParseAddress(text)
	return err == nil && address.Address == text
}

// publicURL returns the configured URL, or that of the listening address.
func (c Config) publicURL(listening net.Addr) (httpapi.PublicURL, error) {
	text := c.PublicURL
	if text == "" {
		text = "http://" + listening.String()
	}
	u, err := httpapi.ParsePublicURL(text)
	if err != nil {
		return u, err
	}
	if host, _, _ := net.SplitHostPort(u.Host()); c.PublicURL == "" && net.ParseIP(host).IsUnspecified() {
		return u, errors.New("set --public-url: the server listens on all addresses and can't know its own")
	}
	if c.Sandbox() && !u.Loopback() && !c.SandboxPublic {
		return u, fmt.Errorf("sandbox mode gives out free points, so it doesn't start on the public address %s: set --sandbox-public to allow it", u)
	}
	if !c.Sandbox() && !u.Secure() {
		return u, fmt.Errorf("--payments %s needs an https address as --public-url, to protect sessions; it is %s", c.Payments, u)
	}
	return u, nil
}

// paymentOrigin returns the origin for the payment provider's script. It is
// empty in a sandbox without one, which then uses the public URL. Its host must differ from the
// public URL's, because browsers share cookies across a host's ports.
func (c Config) paymentOrigin(public httpapi.PublicURL) (origin httpapi.PublicURL, err error) {
	if c.PaymentOrigin == "" {
		if !c.Sandbox() {
			err = fmt.Errorf("--payments %s needs --payment-origin (KAIBAO_PAYMENT_ORIGIN), so that the provider's script doesn't run on the shop's own address", c.Payments)
		}
		return origin, err
	}
	origin, err = httpapi.ParsePublicURL(c.PaymentOrigin)
	switch {
	case err != nil:
		return origin, fmt.Errorf("--payment-origin: %w", err)
	case origin.Hostname() == public.Hostname():
		return origin, fmt.Errorf("--payment-origin must have another host than %s, because cookies are shared between ports", public)
	case public.Secure() && !origin.Secure():
		return origin, errors.New("--payment-origin must be an https address, because the public URL is one")
	}
	return origin, nil
}

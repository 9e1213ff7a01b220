// Package app wires the features together. It is the only package that imports all of them.
package app

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/mail"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/deposits/sandbox"
	"kaibao/internal/httpapi"
	"kaibao/internal/protocol"
	"kaibao/internal/tracing"
)

// Config holds the settings of an installation. Contradictory settings fail at startup with the
// reason.
type Config struct {
	Addr           string         `help:"Address to listen on; port 0 picks a free one." default:"127.0.0.1:8080" env:"KAIBAO_ADDR"`
	PublicURL      string         `help:"Public address of the server. Default: the address listened on, on this machine as localhost." placeholder:"URL" env:"KAIBAO_PUBLIC_URL"`
	Payments       string         `help:"Payment provider: sandbox (play money) or helio." enum:"sandbox,helio" default:"sandbox" env:"KAIBAO_PAYMENTS"`
	PaymentOrigin  string         `help:"Address on another host for the page with the payment provider's widget. Required for real payments." placeholder:"URL" env:"KAIBAO_PAYMENT_ORIGIN"`
	SandboxPublic  bool           `help:"Allow sandbox mode on a public address." env:"KAIBAO_SANDBOX_PUBLIC"`
	Demo           bool           `help:"Fill an empty database with the demo catalogue." default:"true" negatable:"" env:"KAIBAO_DEMO"`
	OpsAddr        string         `help:"Address of the operator's listener, with the state of the node and its jobs, and metrics. Keep it private. Empty turns it off." default:"127.0.0.1:8090" env:"KAIBAO_OPS_ADDR"`
	OpsHost        []string       `help:"Host names and addresses at which the operator's listener answers, besides loopback ones." placeholder:"HOST,HOST" env:"KAIBAO_OPS_HOST"`
	Pprof          bool           `help:"Serve profiles (/debug/pprof/) on the operator's listener." env:"KAIBAO_PPROF"`
	TraceEndpoint  string         `help:"Address of a collector that gets OpenTelemetry traces (OTLP over HTTP), such as http://127.0.0.1:4318. Empty turns them off." placeholder:"URL" env:"KAIBAO_TRACE_ENDPOINT"`
	TraceRatio     float64        `help:"Share of requests that are traced, from 0 to 1." default:"0.01" env:"KAIBAO_TRACE_RATIO"`
	Drain          time.Duration  `help:"How long a stopping node still serves requests while /readyz is 503, so that load balancers notice. Use 5s behind one." default:"0s" env:"KAIBAO_DRAIN"`
	RateLimits     string         `help:"Limit requests per address; off only in sandbox mode." enum:"on,off" default:"on" env:"KAIBAO_RATE_LIMITS"`
	TrustedProxies []netip.Prefix `help:"Networks of trusted proxies, whose X-Forwarded-For and X-Request-Id headers are used." placeholder:"CIDR,CIDR" env:"KAIBAO_TRUSTED_PROXIES"`
	ManifestDelay  time.Duration  `help:"How long changed odds are announced before they take effect." default:"10m" env:"KAIBAO_MANIFEST_DELAY"`
	BeaconRelays   []string       `help:"Relays of the public randomness beacon that sealed packs are drawn with (drand's HTTP API), in the order in which they are asked." default:"https://api.drand.sh,https://api2.drand.sh,https://api3.drand.sh,https://drand.cloudflare.com" placeholder:"URL,URL" env:"KAIBAO_BEACON_RELAYS"`
	SocialURL      string         `help:"Your social media account, linked on every page. By default a sandbox links an example." placeholder:"URL" env:"KAIBAO_SOCIAL_URL"`
	ChatURL        string         `help:"Your chat community, linked on every page. By default a sandbox links an example." placeholder:"URL" env:"KAIBAO_CHAT_URL"`
	ShippingTable  string         `help:"File with shipping zones, prices and carriers. Default: the built-in one." placeholder:"FILE" type:"path" env:"KAIBAO_SHIPPING_TABLE"`
	Profile        string         `help:"House rules: a built-in profile (open, cn, uk-strict) or a JSON file." default:"open" placeholder:"NAME|FILE" env:"KAIBAO_PROFILE"`
	LogCheckpoint  string         `help:"Latest checkpoint of a running node, https://HOST/log/checkpoint or a file. Needed for the first start of a node that joins others." placeholder:"URL|FILE" env:"KAIBAO_LOG_CHECKPOINT"`
	LogFormat      string         `help:"Format of log lines." enum:"text,json" default:"text" env:"KAIBAO_LOG_FORMAT"`
	LogLevel       string         `help:"Minimum log level; debug adds successful health checks, warn omits request lines." enum:"debug,info,warn,error" default:"info" env:"KAIBAO_LOG_LEVEL"`
	LogAddresses   string         `help:"Client addresses in the log: full, short (the /24 or /48 network) or none." enum:"full,short,none" default:"full" env:"KAIBAO_LOG_ADDRESSES"`
	SlowRequest    time.Duration  `help:"Requests that take longer are logged as a warning, with 0s none." default:"1s" env:"KAIBAO_SLOW_REQUEST"`
	SlowQuery      time.Duration  `help:"Database statements that take longer are logged as a warning, without their arguments; with 0s none." default:"500ms" env:"KAIBAO_SLOW_QUERY"`

	SecurityContact string `help:"Email address or https page for vulnerability reports, served in /.well-known/security.txt. By default that file doesn't exist." placeholder:"MAIL|URL" env:"KAIBAO_SECURITY_CONTACT"`

	Passkeys
	BackupSettings
	RetentionSettings
	DeletedUsers
	Helio
	Pools
	Storage
	Keys
	Now             func() time.Time                    `kong:"-"` // the clock; nil = the system clock
	Watch           func() (see func(statement string)) `kong:"-"` // db.Options.Watch
	Outbound        http.RoundTripper                   `kong:"-"` // fetches pictures from other hosts; nil = the public internet only
	PlainPreviews   bool                                `kong:"-"` // preview pictures aren't rendered, which takes seconds
	SandboxBehavior func() sandbox.Behavior             `kong:"-"` // behavior of the sandbox's payment provider; nil = default
}

// Storage is the location of the data.
type Storage struct {
	Data        string `help:"Directory of the SQLite database and the keys." default:"./data" type:"path" env:"KAIBAO_DATA"`
	DatabaseURL string `help:"PostgreSQL instead of SQLite: postgres://…" placeholder:"URL" env:"KAIBAO_DATABASE_URL"`
}

// Pools are the maximum numbers of a node's connections to PostgreSQL.
type Pools struct {
	PoolWrites   int `help:"Connections to PostgreSQL for writing." default:"16" env:"KAIBAO_POOL_WRITES"`
	PoolLookups  int `help:"Connections for lookups by key." default:"4" env:"KAIBAO_POOL_LOOKUPS"`
	PoolReads    int `help:"Connections for other reads." default:"16" env:"KAIBAO_POOL_READS"`
	PoolSearches int `help:"Connections for searches and long lists." default:"4" env:"KAIBAO_POOL_SEARCHES"`
	PoolAudits   int `help:"Connections for the public books and maintenance, at least 2." default:"2" env:"KAIBAO_POOL_AUDITS"`
}

// maxPool is the maximum size of a pool. PostgreSQL gets slower with more connections.
const maxPool = 1000

// minAudits is the minimum of --pool-audits: setting up the schema takes two connections.
const minAudits = 2

// sizes returns the sizes of the pools; 0 is the default.
func (p Pools) sizes() db.Pools {
	return db.Pools{Writes: p.PoolWrites, Lookups: p.PoolLookups, Reads: p.PoolReads, Searches: p.PoolSearches, Audits: p.PoolAudits}
}

func (p Pools) check() error {
	var errs []error
	for _, pool := range []struct {
		flag, variable string
		size, least    int
	}{
		{"--pool-writes", "KAIBAO_POOL_WRITES", p.PoolWrites, 1}, {"--pool-lookups", "KAIBAO_POOL_LOOKUPS", p.PoolLookups, 1},
		{"--pool-reads", "KAIBAO_POOL_READS", p.PoolReads, 1}, {"--pool-searches", "KAIBAO_POOL_SEARCHES", p.PoolSearches, 1},
		{"--pool-audits", "KAIBAO_POOL_AUDITS", p.PoolAudits, minAudits},
	} {
		if pool.size != 0 && (pool.size < pool.least || pool.size > maxPool) {
			errs = append(errs, fmt.Errorf("%s (%s) is %d: it must be between %d and %d", pool.flag, pool.variable, pool.size, pool.least, maxPool))
		}
	}
	return errors.Join(errs...)
}

// Keys replace the key files in the data directory, so that several nodes can share them.
type Keys struct {
	LogKey  string `help:"Signing key of the public log (PRIVATE+KEY+…). During a rotation, each of these settings has several keys." placeholder:"KEY,KEY" env:"KAIBAO_LOG_KEY"`
	SeedKey string `help:"Key that encrypts unused server seeds, 64 hex digits." placeholder:"HEX,HEX" env:"KAIBAO_SEED_KEY"`

	AddressKeys string `help:"Key that encrypts shipping addresses, 64 hex digits." placeholder:"HEX,HEX" env:"KAIBAO_ADDRESS_KEYS"`
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

// check returns all problems of the settings that can be found without anything else.
func (c Config) check() error {
	return errors.Join(checkLink("--social-url", c.SocialURL), checkLink("--chat-url", c.ChatURL), c.checkSecurityContact(),
		c.checkOpsHosts(), c.checkDurations(), CheckManifestDelay(c.ManifestDelay), c.Pools.check(), c.RetentionSettings.check(), c.Passkeys.check(), c.BackupSettings.check(c.DatabaseURL), c.checkTraces(), c.checkPayments(), c.checkRelays())
}

// checkRelays refuses relays that can't be asked.
func (c Config) checkRelays() error {
	for _, relay := range c.BeaconRelays {
		if u, err := url.Parse(relay); err != nil || checkServer("", relay) != nil || relay == "" || u.RawQuery != "" || u.Fragment != "" || strings.HasSuffix(relay, "/") {
			return errors.New("--beacon-relays (KAIBAO_BEACON_RELAYS) must be https addresses without a user name, a query or a slash at the end")
		}
	}
	return nil
}

// checkOpsHosts refuses hosts that no request would match.
func (c Config) checkOpsHosts() error {
	var errs []error
	for _, host := range c.OpsHost {
		if err := httpapi.CheckHost(host); err != nil {
			errs = append(errs, fmt.Errorf("--ops-host (KAIBAO_OPS_HOST), without https:// and port: %w", err))
		}
	}
	return errors.Join(errs...)
}

func (c Config) checkDurations() error {
	var errs []error
	if c.Drain < 0 || c.Drain > maxDrain {
		errs = append(errs, fmt.Errorf("--drain (KAIBAO_DRAIN) is %s: it must be between 0s and %s", c.Drain, maxDrain))
	}
	if c.SlowRequest < 0 || c.SlowQuery < 0 {
		errs = append(errs, errors.New("--slow-request and --slow-query (KAIBAO_SLOW_REQUEST, KAIBAO_SLOW_QUERY) must not be negative; 0s turns the warnings off"))
	}
	return errors.Join(errs...)
}

// checkTraces refuses an invalid endpoint or ratio.
func (c Config) checkTraces() error {
	if c.TraceEndpoint == "" {
		return nil
	}
	return c.tracing("", nil).Check()
}

// checkPayments refuses settings that contradict the payment provider.
func (c Config) checkPayments() error {
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

// tracing returns the options of traces.
func (c Config) tracing(version string, log *slog.Logger) tracing.Options {
	return tracing.Options{Endpoint: c.TraceEndpoint, Ratio: c.TraceRatio, Version: version, Log: log}
}

// CheckManifestDelay refuses a manifest delay below the protocol's minimum notice. With it,
// verification of the log would fail at the first announced manifest.
func CheckManifestDelay(delay time.Duration) error {
	if delay < protocol.MinNotice {
		return fmt.Errorf("--manifest-delay (KAIBAO_MANIFEST_DELAY) is %s: it must be at least %s, or verifiers reject the log", delay, protocol.MinNotice)
	}
	return nil
}

// checkLink refuses a text that is neither empty nor an https URL.
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
		text = "http://" + nameOf(listening)
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

// nameOf returns the host and port of an address. On this machine the host is localhost, because
// browsers create passkeys only for names.
func nameOf(listening net.Addr) string {
	if a, err := netip.ParseAddrPort(listening.String()); err == nil && (a.Addr() == netip.AddrFrom4([4]byte{127, 0, 0, 1}) || a.Addr() == netip.IPv6Loopback()) {
		return net.JoinHostPort(localhost, strconv.Itoa(int(a.Port())))
	}
	return listening.String()
}

// paymentOrigin returns the origin for the payment provider's script. It is empty in a sandbox
// without one, which then uses the public URL. Its host must differ from the public URL's, because
// browsers share cookies across a host's ports.
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
		return origin, fmt.Errorf("--payment-origin (KAIBAO_PAYMENT_ORIGIN): %w", err)
	case origin.Hostname() == public.Hostname():
		return origin, fmt.Errorf("--payment-origin must have another host than %s, because cookies are shared between ports", public)
	case public.Secure() && !origin.Secure():
		return origin, errors.New("--payment-origin must be an https address, because the public URL is one")
	}
	return origin, nil
}

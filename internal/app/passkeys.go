package app

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"regexp"
	"strings"

	"kaibao/internal/db"
	"kaibao/internal/httpapi"
)

// Passkeys are the settings of passkey wallets. A passkey works only at the host it was
// created for (WebAuthn's relying party id), so that host is stored in the database.
type Passkeys struct {
	PasskeyRP       string `name:"passkey-rp" help:"Host that the shop's passkeys were created for, after --public-url has moved to another one." placeholder:"HOST" env:"KAIBAO_PASSKEY_RP"`
	AbandonPasskeys bool   `help:"Give up all passkey wallets of the earlier host of --public-url. Their owners can't sign in anymore." env:"KAIBAO_ABANDON_PASSKEYS"`
}

// passkeySetting is the database's setting that stores the passkeys' host. It is absent while none
// could be created.
const passkeySetting = "passkey_host"

func (p Passkeys) check() error {
	switch {
	case p.PasskeyRP == "":
		return nil
	case p.AbandonPasskeys:
		return errors.New("--passkey-rp keeps the passkeys and --abandon-passkeys gives them up: set one of them")
	case !isHostName(p.PasskeyRP) || p.PasskeyRP == localhost:
		return fmt.Errorf("--passkey-rp (KAIBAO_PASSKEY_RP) is %q: it must be a host name in lower case, without https:// and port", p.PasskeyRP)
	}
	return nil
}

// localhost is the only host name without https for which browsers create passkeys.
const localhost = "localhost"

var hostName = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)*[a-z0-9-]*[a-z][a-z0-9-]*$`)

// isHostName reports whether a host can own passkeys, which addresses can't.
func isHostName(host string) bool {
	_, err := netip.ParseAddr(host)
	return err != nil && hostName.MatchString(host)
}

// passkeyHosts says where passkeys belong.
type passkeyHosts struct {
	offered string // host for new and existing passkeys; empty = the server offers none
	pinned  string // host to store; empty = none
	warning string // why none are offered, if the operator can change it
}

// passkeyHosts decides it from the stored host, which is empty if there is none. It refuses settings
// that would take wallets from their owners. A server on a loopback address is a trial, or runs a copy
// of a shop's database, so it leaves the stored host as it is.
func (c Config) passkeyHosts(public, payment httpapi.PublicURL, stored string) (hosts passkeyHosts, err error) {
	own := ""
	if name := public.Hostname(); name == localhost || public.Secure() && isHostName(name) {
		own = name
	}
	host := own
	switch {
	case c.AbandonPasskeys:
		stored = ""
	case c.PasskeyRP != "" && stored != "" && stored != c.PasskeyRP:
		return hosts, fmt.Errorf("--passkey-rp is %s, but the shop's passkeys belong to %s: set --passkey-rp %s, or give those wallets up with --abandon-passkeys", c.PasskeyRP, stored, stored)
	case c.PasskeyRP != "" && (own == "" || own == localhost):
		return hosts, fmt.Errorf("--passkey-rp needs an https address with a host name as --public-url; it is %s", public)
	case c.PasskeyRP != "":
		host = c.PasskeyRP
	case stored != "" && stored != own && !public.Loopback():
		return hosts, fmt.Errorf("passkey wallets belong to the host %s, so their owners couldn't sign in at %s: set --public-url back, keep the wallets with --passkey-rp %s (docs/operations.md, chapter Hosts), or give them up with --abandon-passkeys",
			stored, public, stored)
	}
	pinned := host
	if public.Loopback() {
		pinned = stored
	}
	if host != "" && (payment.Hostname() == host || strings.HasSuffix(payment.Hostname(), "."+host)) {
		text := fmt.Sprintf("the payment provider's script could ask for passkeys, because --payment-origin %s is at or below %s: use a host name that isn't", payment, host)
		if stored != "" && !public.Loopback() {
			return hosts, errors.New(text)
		}
		return passkeyHosts{pinned: stored, warning: "passkey wallets aren't offered: " + text}, nil
	}
	return passkeyHosts{offered: host, pinned: pinned}, nil
}

// pinPasskeys returns the host of passkeys, or an empty string if the server offers none.
func (a *App) pinPasskeys(ctx context.Context, c Config, public, payment httpapi.PublicURL) (string, error) {
	var hosts passkeyHosts
	err := a.db.InTx(ctx, func(tx *db.Tx) error {
		stored, err := db.Setting(tx, passkeySetting)
		if err != nil {
			return err
		}
		hosts, err = c.passkeyHosts(public, payment, stored)
		if err != nil || hosts.pinned == stored {
			return err
		}
		if stored == "" {
			first, err := db.InitSetting(tx, passkeySetting, hosts.pinned)
			if err == nil && first != "" && first != hosts.pinned {
				err = db.ErrAgain // another node stored its host at the same time
			}
			if err != nil {
				return err
			}
		}
		return db.SetSetting(tx, passkeySetting, hosts.pinned)
	})
	if err == nil && hosts.warning != "" {
		a.log.WarnContext(ctx, hosts.warning)
	}
	if err == nil && c.AbandonPasskeys {
		a.log.WarnContext(ctx, "--abandon-passkeys is set: remove it, or the next change of host gives up the passkey wallets")
	}
	return hosts.offered, err
}

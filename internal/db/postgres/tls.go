package postgres

import (
	"net/netip"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// ServerUnverified reports whether connections with a URL go to another machine without checking its
// certificate. sslmode=require doesn't check it, and prefer, the default, may not even encrypt. It
// returns false for sslmode=disable, which the operator has chosen.
func ServerUnverified(url string) bool {
	config, err := pgconn.ParseConfig(url)
	if err != nil {
		return false // Open reports it
	}
	address, err := netip.ParseAddr(config.Host)
	local := strings.HasPrefix(config.Host, "/") || config.Host == "localhost" || err == nil && address.IsLoopback()
	// verify-ca replaces Go's own verification.
	return !local && config.TLSConfig != nil && config.TLSConfig.InsecureSkipVerify && config.TLSConfig.VerifyPeerCertificate == nil
}

package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"syscall"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/publiclog"
	"kaibao/internal/redemptions"
)

// Severity is how serious a Finding is.
type Severity string

// The severities. With a failure the server doesn't start, or doesn't work as it should.
const (
	Fine    Severity = "ok"
	Warning Severity = "WARN"
	Failure Severity = "FAIL"
)

// Finding is the result of a check, with what to do about it.
type Finding struct {
	Severity    Severity
	Check, Text string
}

// String returns the finding as one line.
func (f Finding) String() string {
	return fmt.Sprintf("%-4s %s: %s", f.Severity, f.Check, strings.Join(strings.Fields(f.Text), " "))
}

// CheckStart checks what a start of the server depends on, and reports every finding. It changes
// nothing: it creates no files and doesn't write to the database. A server may be running.
func CheckStart(ctx context.Context, c Config, report func(Finding)) {
	d := &diagnosis{Config: c, report: report}
	defer d.close()
	d.checkStart(ctx)
}

// Diagnose runs the checks of CheckStart, and checks how a running server is doing. quick leaves out
// the check of the database's files, which reads all of them.
func Diagnose(ctx context.Context, c Config, quick bool, report func(Finding)) {
	d := &diagnosis{Config: c, report: report}
	defer d.close()
	d.checkStart(ctx)
	d.checkServer(ctx)
	d.checkRunning(ctx, quick)
}

// diagnosis is a run of the checks.
type diagnosis struct {
	Config
	report  func(Finding)
	public  httpapi.PublicURL // zero if the settings have none
	payment httpapi.PublicURL // zero if there is none
	db      *db.DB            // nil if there is none yet, or it can't be used
	broken  bool              // the database can't be used
	unready bool              // nor can the running server, which says that it isn't ready
	schema  int64             // of the database; 0 = empty
	used    bool              // a server has opened the database before
	log     *publiclog.Status // nil if it can't be read
}

func (d *diagnosis) ok(check, format string, args ...any) {
	d.report(Finding{Fine, check, fmt.Sprintf(format, args...)})
}

func (d *diagnosis) warn(check, format string, args ...any) {
	d.report(Finding{Warning, check, fmt.Sprintf(format, args...)})
}

func (d *diagnosis) fail(check, format string, args ...any) {
	d.report(Finding{Failure, check, fmt.Sprintf(format, args...)})
}

// result reports an error as a failure, or that all is fine.
func (d *diagnosis) result(check string, err error, fine string, args ...any) {
	if err != nil {
		d.fail(check, "%v", err)
		return
	}
	d.ok(check, fine, args...)
}

func (d *diagnosis) close() {
	if d.db != nil {
		_ = d.db.Close() // it was only read
	}
}

func (d *diagnosis) checkStart(ctx context.Context) {
	d.checkSettings()
	d.checkAddresses(ctx)
	d.checkDirectory()
	d.checkDatabase(ctx)
	d.checkKeys(ctx)
	d.checkBackupTarget(ctx)
	if d.DatabaseURL == "" {
		d.checkLocalClock()
	}
}

func (d *diagnosis) checkSettings() {
	if err := d.check(); err != nil {
		for problem := range strings.Lines(err.Error()) { // each has its own line
			d.fail("settings", "%s", problem)
		}
	} else {
		d.ok("settings", "valid, for --payments %s", d.Payments)
	}
	house, err := d.houseRules()
	d.result("profile", err, "%s", d.Profile)
	shipping, shippingErr := redemptions.LoadShipping(d.ShippingTable)
	if err == nil && shippingErr == nil {
		_, shippingErr = shipping.Restrict(house.Countries)
	}
	d.result("shipping table", shippingErr, "valid")
}

// probeTime is the time limit of a request to a running server.
const probeTime = 5 * time.Second

func (d *diagnosis) checkAddresses(ctx context.Context) {
	address := d.checkAddress(ctx, "address", d.Addr, "--addr (KAIBAO_ADDR)", "/healthz")
	switch {
	case d.OpsAddr == "":
	case d.OpsAddr == d.Addr && (address == nil || !isFreePort(d.Addr)):
		d.fail("operator's listener", "--ops-addr (KAIBAO_OPS_ADDR) must differ from --addr: set another port")
	default:
		d.checkAddress(ctx, "operator's listener", d.OpsAddr, "--ops-addr (KAIBAO_OPS_ADDR)", "/readyz")
		if host, _, err := net.SplitHostPort(d.OpsAddr); err == nil && !isLoopback(host) && len(d.OpsHost) == 0 {
			d.warn("operator's listener", "it refuses every caller that isn't on this machine: set --ops-host (KAIBAO_OPS_HOST) to the name or address that they use")
		}
	}
	if address == nil {
		return
	}
	public, err := d.publicURL(address)
	d.result("public URL", err, "%s", public)
	if err == nil {
		payment, err := d.paymentOrigin(public)
		text := payment.String()
		if text == "" {
			text = "none, as a sandbox needs none"
		}
		d.result("payment origin", err, "%s", text)
		d.public, d.payment = public, payment
	}
}

// isFreePort reports whether an address has port 0, which stands for any free one.
func isFreePort(address string) bool {
	_, port, err := net.SplitHostPort(address)
	return err == nil && port == "0"
}

// checkAddress checks that the server can listen on an address, or that one does. It returns the
// address, or nil if that can't be resolved.
func (d *diagnosis) checkAddress(ctx context.Context, check, address, setting, probe string) net.Addr {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err == nil {
		defer func() { _ = listener.Close() }()
		d.ok(check, "%s is free", address)
		return listener.Addr()
	}
	resolved, resolveErr := net.ResolveTCPAddr("tcp", address)
	if resolveErr != nil {
		d.fail(check, "%v: set %s to HOST:PORT", resolveErr, setting)
		return nil
	}
	var status struct{ Status string }
	switch {
	case !errors.Is(err, syscall.EADDRINUSE):
		d.fail(check, "%v: set %s to an address and port that this user may listen on", err, setting)
	case fetchStatus(ctx, resolved, probe, &status) == nil && status.Status != "":
		d.ok(check, "%s is used by a running server", address)
	default:
		d.fail(check, "another program listens on %s: stop it, or set another %s", address, setting)
	}
	return resolved
}

// fetchStatus reads JSON from a server on this machine, whatever its status code.
func fetchStatus(ctx context.Context, address *net.TCPAddr, path string, status any) error {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+reachable(address)+path, nil)
	if err != nil {
		return err
	}
	request.Host = "localhost"                                                 // the operator's listener answers only known hosts
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // without a proxy
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	return json.NewDecoder(response.Body).Decode(status)
}

// reachable returns the address at which this machine reaches a listener.
func reachable(address *net.TCPAddr) string {
	at := address.AddrPort()
	host := at.Addr().Unmap()
	if !host.IsValid() || host.IsUnspecified() {
		host = netip.AddrFrom4([4]byte{127, 0, 0, 1})
	}
	return netip.AddrPortFrom(host, at.Port()).String()
}

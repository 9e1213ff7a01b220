// Command kaibao is the whole product: server, web app and operator's tools.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
)

// version is set by the linker (make build).
var version = "dev"

type commands struct {
	Serve     serve         `cmd:"" help:"Serve the marketplace."`
	Admin     adminCommand  `cmd:"" help:"Give and take the role admin."`
	Catalogue catalogue     `cmd:"" help:"Take items in from a file, or give them out as one."`
	Backup    backup        `cmd:"" help:"Copy the database into a file, while the server may run."`
	Restore   restore       `cmd:"" help:"Put a back-up in place, or make a database that was put in place fit to be served."`
	Migrate   migrate       `cmd:"" help:"Bring the database's schema up to date, after checks. On SQLite a server does it at its start."`
	Rotate    rotate        `cmd:"" name:"rotate-address-key" help:"Seal the addresses of claims under a new key, while the server may run."`
	Audit     auditCommand  `cmd:"" help:"Prove the books: exit 1 with every row that breaks a rule."`
	Load      loadCommand   `cmd:"" help:"Open packs as fast as a server can, and check every answer."`
	Verify    verifyCommand `cmd:"" help:"Check the public log and receipts, trusting nobody."`
	OpenAPI   openAPI       `cmd:"" name:"openapi" help:"Print the HTTP contract (OpenAPI 3.1)."`
	Version   show          `cmd:"" help:"Print the version."`
}

// usageError is the exit code for wrong arguments or settings.
const usageError = 2

// exit replaces kong's exit code for wrong arguments, 80, with usageError.
func exit(code int) {
	if code == 80 {
		code = usageError
	}
	os.Exit(code)
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal kills the program
	var c commands
	k := kong.Parse(&c,
		kong.Name("kaibao"), kong.Description("Open packs in a draw that anyone can verify."),
		kong.UsageOnError(), kong.ConfigureHelp(kong.HelpOptions{Compact: true}), kong.Exit(exit),
		kong.BindTo(ctx, (*context.Context)(nil)),
	)
	unknown, err := checkEnvironment(os.Environ(), settings(k.Model.Node))
	if err != nil {
		k.Errorf("%v", err)
		exit(usageError)
	}
	if k.Command() == "serve" && len(unknown) > 0 {
		fmt.Fprintln(os.Stderr, "no setting has the name of these variables: "+strings.Join(unknown, ", "))
	}
	k.FatalIfErrorf(k.Run())
}

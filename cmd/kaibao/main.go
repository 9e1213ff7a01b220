// Command kaibao is the whole product: server, web app and operator's tools.
package main

import (
	"context"
	"errors"
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
	Serve     serveCommand     `cmd:"" help:"Serve the marketplace."`
	Doctor    doctorCommand    `cmd:"" help:"Check an installation and its running server: what serve --check checks, and the age of audit and backup, the public log, jobs and files. One line for each, with what to do. Give it the settings of the server."`
	Admin     adminCommand     `cmd:"" help:"Manage admins, and decide requests in place of a second admin."`
	Catalogue catalogueCommand `cmd:"" help:"Import and export the catalogue."`
	Backup    backupCommand    `cmd:"" help:"Back up the SQLite database. The server may keep running."`
	Restore   restoreCommand   `cmd:"" help:"Restore a backup, or prepare a restored database for serving."`
	Migrate   migrateCommand   `cmd:"" help:"Check and migrate the database's schema. On SQLite the server does it at startup."`
	Move      moveCommand      `cmd:"" help:"Move the database from SQLite to PostgreSQL, once the server is stopped."`
	Keys      keysCommand      `cmd:"" help:"List, add, rotate and remove keys. Servers may keep running."`
	Audit     auditCommand     `cmd:"" help:"Check the books: print every row that breaks a rule, and exit with 1 if there is one. Who changed what is in the admin log (GET /api/admin/audit)."`
	Witnesses witnessesCommand `cmd:"" help:"List or change the witnesses that cosign the public log."`
	Load      loadCommand      `cmd:"" help:"Load-test a server and verify every response."`
	Verify    verifyCommand    `cmd:"" help:"Verify the public log and receipts without trusting the server."`
	Witness   witnessCommand   `cmd:"" help:"Run a witness: a server that cosigns checkpoints of public logs, so that nobody can change them later."`
	OpenAPI   openAPICommand   `cmd:"" name:"openapi" help:"Print the HTTP contract (OpenAPI 3.1)."`
	Version   versionCommand   `cmd:"" help:"Print the version."`
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
	program := kong.Must(&c,
		kong.Name("kaibao"), kong.Description("Open packs in a draw that anyone can verify. Each setting KAIBAO_X can be in a file: KAIBAO_X_FILE=PATH."),
		kong.ShortUsageOnError(), kong.ConfigureHelp(kong.HelpOptions{Compact: true}), kong.Exit(exit),
		kong.BindTo(ctx, (*context.Context)(nil)), kong.Resolvers(kong.ResolverFunc(readSettingFile)),
	)
	k, err := program.Parse(os.Args[1:])
	if _, ok := errors.AsType[settingFileError](err); ok {
		program.Errorf("%v", err)
		exit(usageError)
	}
	program.FatalIfErrorf(suggestCommand(err))
	unknown, err := checkEnvironment(os.Environ(), settings(k.Model.Node))
	if err != nil {
		k.Errorf("%v", err)
		exit(usageError)
	}
	if k.Command() == "serve" && len(unknown) > 0 {
		fmt.Fprintln(os.Stderr, "ignoring unknown environment variables: "+strings.Join(unknown, ", "))
	}
	k.FatalIfErrorf(k.Run())
}

// Command logfsck checks a public log over HTTP with the checker of Tessera, the reference
// implementation of the log's layout. It shares no code with our verifier: logfsck URL VERIFIER-KEY.
package main

import (
	"context"
	"fmt"
	"net/url"
	"os"

	"github.com/transparency-dev/merkle/rfc6962"
	"github.com/transparency-dev/tessera/api"
	"github.com/transparency-dev/tessera/client"
	"github.com/transparency-dev/tessera/fsck"
	"golang.org/x/mod/sumdb/note"
)

func main() {
	if err := check(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "logfsck:", err)
		os.Exit(1)
	}
	fmt.Println("the log is sound")
}

func check(ctx context.Context, args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("usage: logfsck URL VERIFIER-KEY")
	}
	base, err := url.Parse(args[0])
	if err != nil {
		return err
	}
	verifier, err := note.NewVerifier(args[1])
	if err != nil {
		return err
	}
	source, err := client.NewHTTPFetcher(base, nil)
	if err != nil {
		return err
	}
	return fsck.New(verifier.Name(), verifier, source, leafHashes, fsck.Opts{N: 2}).Check(ctx)
}

func leafHashes(bundle []byte) ([][]byte, error) {
	var entries api.EntryBundle
	if err := entries.UnmarshalText(bundle); err != nil {
		return nil, err
	}
	hashes := make([][]byte, len(entries.Entries))
	for n, leaf := range entries.Entries {
		hashes[n] = rfc6962.DefaultHasher.HashLeaf(leaf)
	}
	return hashes, nil
}

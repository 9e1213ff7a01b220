// Package vfs has the files of SQLite's writer. They are those of SQLite itself but for
// two kinds, on which its time went (ADR 0008):
//
//   - The write-ahead log is written in a few long pieces before it is synced, instead of
//     two short ones for each page.
//   - What is kept of a transaction in case a part of it is undone, and all else that has
//     no name, lies in memory in large pieces.
//
// Besides, the pages of all connections are kept in SQLite's own cache under other numbers
// while they are put aside, which spares a walk through all of them (ADR 0008).
//
// A connection with these files must sync each commit (synchronous = FULL) of all that it
// attaches too, whole (psow = 1, the default), as others would else look for pages that are
// not in the log yet; must lock as usual (locking_mode = NORMAL), as it holds back what was
// undone otherwise and writes it over what others commit; and must have temp_store = FILE,
// as SQLite keeps what has no name in memory of its own otherwise.
package vfs

/*
#cgo CFLAGS: -O2 -Wall -Wextra -Wno-unused-parameter -Werror
#cgo darwin LDFLAGS: -Wl,-undefined,dynamic_lookup

extern int registerVFS(const char *name);
*/
import "C"

import (
	"fmt"

	_ "github.com/mattn/go-sqlite3" // compiles SQLite
)

// Name is that by which a connection asks for these files.
const Name = "writer"

func init() {
	if code := C.registerVFS(C.CString(Name)); code != 0 {
		panic(fmt.Sprintf("the files of SQLite's writer are not registered: its code is %d", code))
	}
}

package apptest

import (
	"archive/zip"
	"bytes"
	"crypto/ed25519"
	"io"
	"net/http"
	"testing"

	"github.com/mr-tron/base58"
)

// SignAccount requests the message for an export or the deletion of the client's account, and
// returns the body with its signature.
func (c *Client) SignAccount(t testing.TB, purpose string) Body {
	t.Helper()
	var asked struct{ Message string }
	c.Post(t, "/api/account/challenge", Body{"purpose": purpose}).Want(t, http.StatusOK, &asked)
	return Body{"signature": base58.Encode(ed25519.Sign(c.Key, []byte(asked.Message)))}
}

// RequestExport requests an export of the client's data and returns the path of the archive.
func (c *Client) RequestExport(t testing.TB) string {
	t.Helper()
	var ticket struct{ ID string }
	c.Post(t, "/api/account/export", c.SignAccount(t, "export")).Want(t, http.StatusOK, &ticket)
	return "/api/account/export/" + ticket.ID
}

// Unzip returns the files of an archive by name.
func (a Answer) Unzip(t testing.TB) map[string][]byte {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(a.Body), int64(len(a.Body)))
	if err != nil {
		t.Fatalf("%d %.300q is no zip archive: %v", a.Status, a.Body, err)
	}
	files := map[string][]byte{}
	for _, f := range archive.File {
		content, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name], err = io.ReadAll(content)
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

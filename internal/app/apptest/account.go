package apptest

import (
	"archive/zip"
	"bytes"
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mr-tron/base58"

	"kaibao/internal/db"
	"kaibao/internal/identity"
	"kaibao/internal/personaldata"
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

// DeleteUser deletes the account of a client's user now, without the 14 days, and returns the user's
// id.
func (s *Server) DeleteUser(t testing.TB, c *Client) (id string) {
	t.Helper()
	id = Get[struct{ ID string }](t, c, "/api/auth/user").ID
	err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := identity.MakeDeletionDue(tx, id)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	deleted, err := personaldata.New(personaldata.Service{DB: s.DB, AddressKey: s.AddressKey(t)}).Delete(t.Context(), id)
	if err != nil || !deleted {
		t.Fatalf("deleted %v: %v", deleted, err)
	}
	return id
}

// AddressKey derives the key under which the server keeps limits and handles of deleted users.
func (s *Server) AddressKey(t testing.TB) []byte {
	t.Helper()
	text := []byte(s.Config.SeedKey)
	if len(text) == 0 {
		var err error
		text, err = os.ReadFile(filepath.Join(s.Config.Data, "seed.key"))
		if err != nil {
			t.Fatal(err)
		}
	}
	seed, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	derived, err := hkdf.Key(sha256.New, seed, nil, "kaibao/v1/kept-limits", sha256.Size)
	if err != nil {
		t.Fatal(err)
	}
	return derived
}

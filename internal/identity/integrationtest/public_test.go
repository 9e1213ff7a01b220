package integrationtest_test

import (
	"errors"
	"net/http"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/identity"
)

// setUser changes columns of a user's row.
func setUser(t *testing.T, s *apptest.Server, id, columns string) {
	t.Helper()
	if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
		return tx.ExecOne(`UPDATE users SET `+columns+` WHERE id = $1`, id)
	}); err != nil {
		t.Fatal(err)
	}
}

// A user is public from switching on until anything hides them, and each read notices it.
func TestPublicUsersAreVisible(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann := s.SignIn(t)
		profile := apptest.Get[struct{ ID, UserTag string }](t, ann, "/api/auth/user")
		wantShown := func(when string, public, visible bool) {
			t.Helper()
			if err := s.DB.Read(t.Context(), func(tx *db.Tx) error {
				byID, err := identity.PublicUsers(tx, []string{profile.ID})
				byTag, tagErr := identity.PublicUsersByTag(tx, []string{profile.UserTag})
				shown, shownErr := identity.VisibleUsers(tx, []string{profile.ID})
				byHandle, handleErr := identity.PublicUserByHandle(tx, "ann-1")
				if errors.Is(handleErr, db.ErrNoRow) {
					handleErr = nil
				}
				if (len(byID) == 1) != public || (len(byTag) == 1) != public || (byHandle.Handle == "ann-1") != public || shown[profile.ID] != visible {
					t.Errorf("%s: %v, %v, %v, %v", when, byID, byTag, byHandle, shown)
				}
				return errors.Join(err, tagErr, shownErr, handleErr)
			}); err != nil {
				t.Fatal(err)
			}
		}
		wantShown("without a handle", false, true)
		setUser(t, s, profile.ID, `handle = 'ann-1', handle_folded = 'annl', handle_changed_at = 1`)
		wantShown("not public", false, true)
		setUser(t, s, profile.ID, `is_public = TRUE, public_language = 'zh'`)
		wantShown("public", true, true)
		setUser(t, s, profile.ID, `pages_hidden = TRUE`)
		wantShown("hidden", false, false)
		setUser(t, s, profile.ID, `pages_hidden = FALSE`)
		for _, column := range []string{"excluded_until", "frozen_at"} {
			if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
				return tx.ExecOne(`UPDATE accounts SET `+column+` = $2 WHERE user_id = $1`, profile.ID, db.Micros(tx.Now)+60_000_000)
			}); err != nil {
				t.Fatal(err)
			}
			wantShown(column, false, false)
			if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
				return tx.ExecOne(`UPDATE accounts SET `+column+` = 0 WHERE user_id = $1`, profile.ID)
			}); err != nil {
				t.Fatal(err)
			}
			wantShown("no longer "+column, true, true)
		}
		s.DeleteUser(t, ann)
		wantShown("deleted", false, false)
		ann.Get(t, "/api/auth/user").Refused(t, http.StatusUnauthorized, "unauthenticated")
	})
}

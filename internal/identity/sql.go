package identity

import (
	"errors"
	"time"

	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/personaldata/userrows"
	"kaibao/internal/policy"
)

func insertChallenge(tx *db.Tx, cookieHash []byte, m Message) error {
	// Each insert deletes several expired challenges, so that they can't accumulate and no insert
	// is slow.
	if _, err := tx.Exec(`DELETE FROM challenges WHERE cookie_hash IN (
		SELECT cookie_hash FROM challenges WHERE expires_at < $1 ORDER BY expires_at LIMIT 10)`, db.Micros(tx.Now)); err != nil {
		return err
	}
	_, err := tx.Exec(`INSERT INTO challenges (cookie_hash, address, nonce, issued_at, expires_at) VALUES ($1, $2, $3, $4, $5)`,
		cookieHash, m.Address, m.Nonce, db.Micros(m.IssuedAt), db.Micros(m.ExpirationTime))
	return err
}

type challengeRow struct {
	address, nonce  string
	issued, expires time.Time
}

func deleteChallenge(tx *db.Tx, cookieHash []byte) (challengeRow, error) {
	scan := func(s db.Scanner) (c challengeRow, err error) {
		var issued, expires int64
		err = s.Scan(&c.address, &c.nonce, &issued, &expires)
		c.issued, c.expires = db.Time(issued), db.Time(expires)
		return c, err
	}
	return db.One(tx, scan, `DELETE FROM challenges WHERE cookie_hash = $1 RETURNING address, nonce, issued_at, expires_at`, cookieHash)
}

const selectUser = `SELECT id, wallet_address, role, first_name, profile_image_url, tag, tag_salt, confirmed_age,
	COALESCE(deletion_asked_at, 0), COALESCE(deletion_due_at, 0), deletion_waits_for, COALESCE(deleted_at, 0), profile_lock_reason, gifts_off,
	handle, handle_changed_at, is_public, public_language, pages_hidden FROM users WHERE `

func scanUser(s db.Scanner) (u User, err error) {
	var salt []byte
	var asked, due, deleted, changed int64
	err = s.Scan(&u.ID, &u.Address, &u.Role, &u.FirstName, &u.ProfileImageURL, &u.Tag, &salt, &u.ConfirmedAge,
		&asked, &due, &u.Deletion.WaitsFor, &deleted, &u.ProfileLockReason, &u.GiftsOff,
		&u.Handle, &changed, &u.IsPublic, &u.PublicLanguage, &u.PagesHidden)
	u.HandleChangedAt = timeOrZero(changed)
	copy(u.TagSalt[:], salt)
	u.Deletion.RequestedAt, u.Deletion.DueAt, u.DeletedAt = timeOrZero(asked), timeOrZero(due), timeOrZero(deleted)
	return u, err
}

// ByAddress returns the user of a wallet.
func ByAddress(tx *db.Tx, address string) (User, error) {
	return db.One(tx, scanUser, selectUser+`wallet_address = $1`, address)
}

// ByID returns a user.
func ByID(tx *db.Tx, id string) (User, error) {
	return db.One(tx, scanUser, selectUser+`id = $1`, id)
}

// ByIDs returns the users with the given ids, by id.
func ByIDs(tx *db.Tx, ids []string) (map[string]User, error) {
	rows, err := db.All(tx, scanUser, selectUser+tx.InList("id", "$1"), db.List(ids))
	users := make(map[string]User, len(rows))
	for _, u := range rows {
		users[u.ID] = u
	}
	return users, err
}

// visible is the condition that a user's profile and pull pages may be shown, of a user u with an
// account a. $1 is the current time.
const visible = `a.excluded_until <= $1 AND a.frozen_at = 0 AND NOT u.pages_hidden AND u.deleted_at IS NULL`

const selectPublicUsers = `SELECT u.id, u.tag, u.handle, u.first_name, u.profile_image_url, u.public_language, u.created_at
	FROM users u JOIN accounts a ON a.user_id = u.id WHERE u.is_public AND ` + visible + ` AND `

func scanPublicUser(s db.Scanner) (u PublicUser, err error) {
	var created int64
	err = s.Scan(&u.ID, &u.Tag, &u.Handle, &u.FirstName, &u.ProfileImageURL, &u.Language, &created)
	u.CreatedAt = db.Time(created)
	return u, err
}

// PublicUsers returns those of the users with the given ids who are public now, by id.
func PublicUsers(tx *db.Tx, ids []string) (map[string]PublicUser, error) {
	rows, err := db.All(tx, scanPublicUser, selectPublicUsers+tx.InList("u.id", "$2"), db.Micros(tx.Now), db.List(ids))
	users := make(map[string]PublicUser, len(rows))
	for _, u := range rows {
		users[u.ID] = u
	}
	return users, err
}

// PublicUsersByTag is PublicUsers for users' tags in the public log, by tag.
func PublicUsersByTag(tx *db.Tx, tags []string) (map[string]PublicUser, error) {
	rows, err := db.All(tx, scanPublicUser, selectPublicUsers+tx.InList("u.tag", "$2"), db.Micros(tx.Now), db.List(tags))
	users := make(map[string]PublicUser, len(rows))
	for _, u := range rows {
		users[u.Tag] = u
	}
	return users, err
}

// PublicUserByHandle returns the user with a handle, or db.ErrNoRow unless the user is public now.
func PublicUserByHandle(tx *db.Tx, handle string) (PublicUser, error) {
	return db.One(tx, scanPublicUser, selectPublicUsers+tx.Bytewise("u.handle")+` = $2 AND u.handle <> ''`, db.Micros(tx.Now), handle)
}

// VisibleUsers reports which users' profile and pull pages may be shown now: not those of users who
// are excluded, frozen, hidden by an admin or deleted. Whether such a user is public is another
// question.
func VisibleUsers(tx *db.Tx, ids []string) (map[string]bool, error) {
	rows, err := db.All(tx, db.Column[string], `SELECT u.id FROM users u JOIN accounts a ON a.user_id = u.id WHERE `+visible+` AND `+tx.InList("u.id", "$2"),
		db.Micros(tx.Now), db.List(ids))
	users := make(map[string]bool, len(rows))
	for _, id := range rows {
		users[id] = true
	}
	return users, err
}

// LockRoles locks the roles of users until the end of the transaction. The result is true for admins.
func LockRoles(tx *db.Tx, ids []string) (admins map[string]bool, err error) {
	rows, err := db.All(tx, scanUser, selectUser+tx.InList("id", "$1")+` ORDER BY id`+tx.ForShare(), db.List(ids))
	admins = map[string]bool{}
	for _, u := range rows {
		admins[u.ID] = u.Role == "admin"
	}
	return admins, err
}

// LockAdmins locks the role of every admin until the end of the transaction and returns their ids.
func LockAdmins(tx *db.Tx) ([]string, error) {
	return db.All(tx, db.Column[string], `SELECT id FROM users WHERE role = 'admin' ORDER BY id`+tx.ForUpdate())
}

// insertUser returns db.ErrAgain if the same wallet signed in concurrently. The transaction then
// runs again and finds that user.
func insertUser(tx *db.Tx, u User) error {
	inserted, err := tx.Exec(`INSERT INTO users (id, wallet_address, role, tag, tag_salt, created_at)
		VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (wallet_address) DO NOTHING`,
		u.ID, u.Address, u.Role, u.Tag, u.TagSalt[:], db.Micros(tx.Now))
	if err == nil && inserted == 0 {
		return db.ErrAgain
	}
	return err
}

// lockWallet locks the user of a wallet. It returns db.ErrAgain if the user was deleted since they
// were found; the transaction then runs again and creates a new one.
func lockWallet(tx *db.Tx, id, address string) error {
	_, err := db.One(tx, db.Column[string], `SELECT id FROM users WHERE id = $1 AND wallet_address = $2`+tx.ForUpdate(), id, address)
	if errors.Is(err, db.ErrNoRow) {
		return db.ErrAgain
	}
	return err
}

// microsOrZero is the opposite of timeOrZero.
func microsOrZero(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return db.Micros(t)
}

// timeOrZero converts microseconds, where 0 means the zero time.
func timeOrZero(micros int64) time.Time {
	if micros == 0 {
		return time.Time{}
	}
	return db.Time(micros)
}

// saveDeletionRequest stores that a user asked to be deleted at a time.
func saveDeletionRequest(tx *db.Tx, id string, due time.Time) error {
	return tx.ExecOne(`UPDATE users SET deletion_asked_at = $2, deletion_due_at = $3, deletion_waits_for = '' WHERE id = $1`,
		id, db.Micros(tx.Now), db.Micros(due))
}

// MakeDeletionDue makes the deletion of a user due now. It reports false if there is no such user, or
// if the user is deleted already.
func MakeDeletionDue(tx *db.Tx, id string) (bool, error) {
	n, err := tx.Exec(`UPDATE users SET role = 'user', deletion_asked_at = $2, deletion_due_at = $2 WHERE id = $1 AND deleted_at IS NULL`, id, db.Micros(tx.Now))
	return n == 1, err
}

// clearDeletionRequest removes a user's request to be deleted that isn't due yet. It reports whether
// there was one.
func clearDeletionRequest(tx *db.Tx, id string) (bool, error) {
	n, err := tx.Exec(`UPDATE users SET deletion_asked_at = NULL, deletion_due_at = NULL, deletion_waits_for = ''
		WHERE id = $1 AND deletion_due_at > $2 AND deleted_at IS NULL`, id, db.Micros(tx.Now))
	return n == 1, err
}

// SetDeletionWaitsFor stores why the deletion of a user has to wait.
func SetDeletionWaitsFor(tx *db.Tx, id, reason string) error {
	_, err := tx.Exec(`UPDATE users SET deletion_waits_for = $2 WHERE id = $1 AND deletion_due_at IS NOT NULL AND deleted_at IS NULL`, id, reason)
	return err
}

// DueDeletions returns the users whose deletion is due, the earliest first.
func DueDeletions(tx *db.Tx) ([]string, error) {
	return db.All(tx, db.Column[string], `SELECT id FROM users WHERE deletion_due_at <= $1 AND deleted_at IS NULL ORDER BY deletion_due_at, id`, db.Micros(tx.Now))
}

// Deleted returns the ids of all deleted users, in the order of their deletion.
func Deleted(tx *db.Tx) ([]string, error) {
	return db.All(tx, db.Column[string], `SELECT id FROM users WHERE deleted_at IS NOT NULL ORDER BY deleted_at, id`)
}

// eraseUser erases a user's row. It returns db.ErrNoRow unless the deletion is due.
func eraseUser(tx *db.Tx, id string, salt []byte) error {
	return tx.ExecOne(`UPDATE users SET wallet_address = $2, tag_salt = $3, role = 'user', first_name = '', profile_image_url = '', pictures_since = 0, pictures_taken = 0,
		confirmed_age = 0, age_confirmed_at = NULL, profile_lock_reason = '', gifts_off = FALSE,
		handle = '', handle_folded = '', handle_changed_at = 0, is_public = FALSE, public_language = '', pages_hidden = FALSE, deletion_waits_for = '', deleted_at = $4 WHERE id = $1 AND deletion_due_at <= $4 AND deleted_at IS NULL`,
		id, DeletedAddress(id), salt, db.Micros(tx.Now))
}

func deleteChallengesOf(tx *db.Tx, address string) error {
	_, err := tx.Exec(`DELETE FROM challenges WHERE address = $1`, address)
	return err
}

// lockProfile returns a user and locks the row until the end of the transaction.
func lockProfile(tx *db.Tx, id string) (User, error) {
	return db.One(tx, scanUser, selectUser+`id = $1`+tx.ForUpdate(), id)
}

func updateProfile(tx *db.Tx, u User) error {
	return tx.ExecOne(`UPDATE users SET first_name = $2, profile_image_url = $3, profile_lock_reason = $4, gifts_off = $5,
		handle = $6, handle_folded = $7, handle_changed_at = $8, is_public = $9, public_language = $10, pages_hidden = $11 WHERE id = $1`,
		u.ID, u.FirstName, u.ProfileImageURL, u.ProfileLockReason, u.GiftsOff,
		u.Handle, foldHandle(u.Handle), microsOrZero(u.HandleChangedAt), u.IsPublic, u.PublicLanguage, u.PagesHidden)
}

// isHandleTaken reports whether another user has the handle with a folded form and its hash, or
// whether it is reserved for others.
func isHandleTaken(tx *db.Tx, folded string, hash []byte, user string) (bool, error) {
	taken, err := isHandleOfAnother(tx, folded, user)
	if err != nil || taken {
		return taken, err
	}
	return db.One(tx, db.Column[bool], `SELECT EXISTS (SELECT 1 FROM handle_reservations
		WHERE hash = $1 AND (user_id IS NULL OR user_id <> $2) AND (expires_at IS NULL OR expires_at > $3))`, hash, user, db.Micros(tx.Now))
}

// isHandleOfAnother reports whether another user has the handle with a folded form.
func isHandleOfAnother(tx *db.Tx, folded, user string) (bool, error) {
	return db.One(tx, db.Column[bool], `SELECT EXISTS (SELECT 1 FROM users WHERE handle_folded = $1 AND handle_folded <> '' AND id <> $2)`, folded, user)
}

// insertReservation reserves an earlier handle for a user, or for nobody if the user is empty.
func insertReservation(tx *db.Tx, hash []byte, user string, expires time.Time) error {
	return tx.ExecOne(`INSERT INTO handle_reservations (hash, user_id, expires_at) VALUES ($1, $2, $3)`, hash, db.ID(user), db.Micros(expires))
}

func deleteReservation(tx *db.Tx, hash []byte) error {
	_, err := tx.Exec(`DELETE FROM handle_reservations WHERE hash = $1`, hash)
	return err
}

// reserveForever reserves a deleted user's earlier handles, and the last one if its hash isn't nil,
// for nobody and for good.
func reserveForever(tx *db.Tx, user string, last []byte) error {
	if _, err := tx.Exec(`DELETE FROM handle_reservations WHERE user_id = $1 AND expires_at <= $2`, user, db.Micros(tx.Now)); err != nil {
		return err
	}
	if _, err := tx.Exec(`UPDATE handle_reservations SET user_id = NULL, expires_at = NULL WHERE user_id = $1`, user); err != nil || last == nil {
		return err
	}
	return tx.ExecOne(`INSERT INTO handle_reservations (hash) VALUES ($1)`, last)
}

// deleteExpiredReservations deletes up to limit expired reservations and returns their number.
func deleteExpiredReservations(tx *db.Tx, limit int) (int64, error) {
	return tx.Exec(`DELETE FROM handle_reservations WHERE hash IN (
		SELECT hash FROM handle_reservations WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2`+tx.ForUpdateSkipLocked()+`)`,
		db.Micros(tx.Now), limit)
}

// eachHandle calls visit for every user with a handle or a folded one.
func eachHandle(tx *db.Tx, visit func(u User, folded string) error) error {
	type row struct {
		User
		folded string
	}
	scan := func(s db.Scanner) (r row, err error) {
		var changed int64
		err = s.Scan(&r.ID, &r.Handle, &r.folded, &changed)
		r.HandleChangedAt = timeOrZero(changed)
		return r, err
	}
	return db.Each(tx, scan, func(r row) error { return visit(r.User, r.folded) },
		`SELECT id, handle, handle_folded, handle_changed_at FROM users WHERE handle_folded <> '' ORDER BY id`)
}

// findShownDeleted finds deleted users who still have a handle or whose earlier handles could be
// taken back.
func findShownDeleted(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "a deleted user must have no handle, and their earlier ones must be reserved for good", `
		SELECT 'user ' || id, 'has the handle ' || handle FROM users WHERE deleted_at IS NOT NULL AND (handle <> '' OR is_public OR handle_changed_at <> 0)
		UNION ALL SELECT 'user ' || u.id, 'could take back a handle until ' || r.expires_at
		FROM handle_reservations r JOIN users u ON u.id = r.user_id WHERE u.deleted_at IS NOT NULL`)
}

// findLongReservations finds handles that are reserved for a user for too long.
func findLongReservations(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "an earlier handle must not be reserved for a user for longer than promised", `
		SELECT 'user ' || user_id, 'has a handle reserved until ' || expires_at FROM handle_reservations WHERE user_id IS NOT NULL AND expires_at > $1`,
		db.Micros(tx.Now.Add(policy.HandleReserved))+audit.MaxDelay)
}

// insertFreeze fails as a duplicate if the user is frozen.
func insertFreeze(tx *db.Tx, id, user, reason string) error {
	return tx.ExecOne(`INSERT INTO freezes (id, user_id, reason, frozen_at) VALUES ($1, $2, $3, $4)`, id, user, reason, db.Micros(tx.Now))
}

// endFreeze ends a freeze and returns when it began, or db.ErrNoRow if it isn't in force.
func endFreeze(tx *db.Tx, user, freeze string) (time.Time, error) {
	since, err := db.One(tx, db.Column[int64], `UPDATE freezes SET ended_at = $3 WHERE user_id = $1 AND id = $2 AND ended_at IS NULL RETURNING frozen_at`,
		user, db.ID(freeze), db.Micros(tx.Now))
	return db.Time(since), err
}

// delayDeletion delays the deletion that a user asked for, if any.
func delayDeletion(tx *db.Tx, user string, by time.Duration) error {
	_, err := tx.Exec(`UPDATE users SET deletion_due_at = deletion_due_at + $2, deletion_waits_for = '' WHERE id = $1 AND deletion_due_at IS NOT NULL AND deleted_at IS NULL`,
		user, by.Microseconds())
	return err
}

// Freezes returns all freezes of a user's account, newest first.
func Freezes(tx *db.Tx, user string) ([]Freeze, error) {
	scan := func(s db.Scanner) (f Freeze, err error) {
		var since, ended int64
		err = s.Scan(&f.ID, &f.Reason, &since, &ended)
		f.Since = db.Time(since)
		if ended != 0 {
			f.EndedAt = db.Time(ended)
		}
		return f, err
	}
	return db.All(tx, scan, `SELECT id, reason, frozen_at, COALESCE(ended_at, 0) FROM freezes WHERE user_id = $1 ORDER BY frozen_at DESC, id DESC`, user)
}

// countPicture counts a user's new picture, unless that exceeds the limit. It reports whether it did.
func countPicture(tx *db.Tx, id string) (bool, error) {
	updated, err := tx.Exec(`UPDATE users SET
			pictures_taken = CASE WHEN pictures_since > $2 THEN pictures_taken + 1 ELSE 1 END,
			pictures_since = CASE WHEN pictures_since > $2 THEN pictures_since ELSE $3 END
		WHERE id = $1 AND (pictures_since <= $2 OR pictures_taken < $4)`,
		id, db.Micros(tx.Now.Add(-policy.PicturesWithin)), db.Micros(tx.Now), policy.MaxPictures)
	return updated == 1, err
}

// shownByOthers reports whether another user shows the picture at a URL.
func shownByOthers(tx *db.Tx, imageURL, id string) (bool, error) {
	return db.One(tx, db.Column[bool], `SELECT EXISTS (SELECT 1 FROM users WHERE profile_image_url = $1 AND profile_image_url <> '' AND id <> $2)`,
		imageURL, id)
}

// updateAge stores the age that a user confirmed, in years.
func updateAge(tx *db.Tx, id string, age int64) error {
	return tx.ExecOne(`UPDATE users SET confirmed_age = $2, age_confirmed_at = $3 WHERE id = $1`, id, age, db.Micros(tx.Now))
}

func updateRole(tx *db.Tx, address, role string) error {
	return tx.ExecOne(`UPDATE users SET role = $2 WHERE wallet_address = $1`, address, role)
}

type session struct {
	httpapi.Principal
	created, used time.Time
	age           int64 // confirmed age in years
}

// tokenHash is the SHA-256 of a session token.
type tokenHash [32]byte

func sessionsByToken(tx *db.Tx, hashes []tokenHash) (map[tokenHash]session, error) {
	rows, err := queueByToken(tx, hashes)()
	found := make(map[tokenHash]session, len(rows))
	for _, s := range rows {
		found[s.Session] = s
	}
	return found, err
}

// queueByToken queues the query for sessions and returns a function that yields them.
func queueByToken(tx *db.Tx, hashes []tokenHash) db.Queued[[]session] {
	scan := func(row db.Scanner) (s session, err error) {
		var hash []byte
		var created, used int64
		err = row.Scan(&hash, &s.UserID, &s.Address, &s.Role, &s.Tag, &s.Frozen, &s.age, &created, &used)
		copy(s.Session[:], hash)
		s.created, s.used = db.Time(created), db.Time(used)
		return s, err
	}
	tokens := db.Rows{Columns: []string{"token_hash"}}
	for _, h := range hashes {
		tokens.Add(h[:])
	}
	return db.QueueWith(tx, scan, tokens, `SELECT s.token_hash, u.id, u.wallet_address, u.role, u.tag, a.frozen_at <> 0, u.confirmed_age, s.created_at, s.last_used_at
		FROM v CROSS JOIN sessions s JOIN users u ON u.id = s.user_id JOIN accounts a ON a.user_id = u.id WHERE s.token_hash = v.token_hash`)
}

// sessionsOf lists a user's sessions, newest first.
func sessionsOf(tx *db.Tx, userID string) ([]SessionView, error) {
	scan := func(s db.Scanner) (v SessionView, err error) {
		var created, used int64
		err = s.Scan(&created, &used)
		v.CreatedAt, v.LastUsedAt = httpapi.Timestamp(db.Time(created)), httpapi.Timestamp(db.Time(used))
		return v, err
	}
	return db.All(tx, scan, `SELECT created_at, last_used_at FROM sessions WHERE user_id = $1 ORDER BY created_at DESC`, userID)
}

func insertSession(tx *db.Tx, hash []byte, userID string) error {
	_, err := tx.Exec(`INSERT INTO sessions (token_hash, user_id, created_at, last_used_at) VALUES ($1, $2, $3, $3)`,
		hash, userID, db.Micros(tx.Now))
	return err
}

// trimSessions deletes a user's expired sessions, and the oldest beyond maxSessions.
func (s *Service) trimSessions(tx *db.Tx, userID string) error {
	_, err := tx.Exec(`DELETE FROM sessions WHERE user_id = $1 AND (created_at < $2 OR last_used_at < $3 OR token_hash NOT IN (
		SELECT token_hash FROM sessions WHERE user_id = $1 ORDER BY created_at DESC, token_hash LIMIT $4))`,
		userID, db.Micros(tx.Now.Add(-s.SessionLife)), db.Micros(tx.Now.Add(-s.SessionIdle)), maxSessions)
	return err
}

// deleteExpiredSessions deletes up to limit sessions idle since a time and returns their number. A session past
// its maximum life is deleted once it is idle too.
func deleteExpiredSessions(tx *db.Tx, idleSince time.Time, limit int) (int64, error) {
	return tx.Exec(`DELETE FROM sessions WHERE token_hash IN (
		SELECT token_hash FROM sessions WHERE last_used_at < $1 ORDER BY last_used_at LIMIT $2`+tx.ForUpdateSkipLocked()+`)`,
		db.Micros(idleSince), limit)
}

func touchSession(tx *db.Tx, hash []byte) error {
	_, err := tx.Exec(`UPDATE sessions SET last_used_at = $2 WHERE token_hash = $1`, hash, db.Micros(tx.Now))
	return err
}

// EndSessions deletes all sessions of a user.
func EndSessions(tx *db.Tx, userID string) error {
	_, err := tx.Exec(`DELETE FROM sessions WHERE user_id = $1`, userID)
	return err
}

func deleteSession(tx *db.Tx, hash []byte) error {
	_, err := tx.Exec(`DELETE FROM sessions WHERE token_hash = $1`, hash)
	return err
}

// PersonalData are the queries of a user's rows for their export.
var PersonalData = []userrows.Query{
	{File: "profile", Columns: []userrows.Column{userrows.Text("id"), userrows.Text("walletAddress"), userrows.Text("role"), userrows.Text("firstName"),
		userrows.Text("profileImageUrl"), userrows.Number("picturesToday"), userrows.Number("confirmedAge"), userrows.Time("ageConfirmedAt"), userrows.Bool("giftsOff"),
		userrows.Text("handle"), userrows.Time("handleChangedAt"), userrows.Bool("public"), userrows.Text("publicLanguage"), userrows.Bool("pagesHidden"), userrows.Time("createdAt"),
		userrows.Time("deletionRequestedAt"), userrows.Time("deletionDueAt")},
		SQL: `SELECT id, wallet_address, role, first_name, profile_image_url, pictures_taken, confirmed_age, COALESCE(age_confirmed_at, 0), gifts_off,
			handle, handle_changed_at, is_public, public_language, pages_hidden, created_at,
			COALESCE(deletion_asked_at, 0), COALESCE(deletion_due_at, 0) FROM users WHERE id = $1`},
	{File: "earlier-handles", Columns: []userrows.Column{userrows.Time("reservedUntil")},
		SQL: `SELECT expires_at FROM handle_reservations WHERE user_id = $1 ORDER BY expires_at`},
	{File: "freezes", Columns: []userrows.Column{userrows.Text("reason"), userrows.Time("frozenAt"), userrows.Time("endedAt")},
		SQL: `SELECT reason, frozen_at, COALESCE(ended_at, 0) FROM freezes WHERE user_id = $1 ORDER BY frozen_at`},
	{File: "sessions", Columns: []userrows.Column{userrows.Time("createdAt"), userrows.Time("lastUsedAt")},
		SQL: `SELECT created_at, last_used_at FROM sessions WHERE user_id = $1 ORDER BY created_at`},
}

// Package personaldata exports a user's personal data and deletes accounts. Each feature declares
// the queries of its own rows and erases its own columns; this package puts them together.
// docs/security.md lists every column with personal data and what happens to it.
package personaldata

import (
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/identity"
	"kaibao/internal/limits"
	"kaibao/internal/opening"
	"kaibao/internal/redemptions"
)

// Service exports and deletes users' data.
type Service struct {
	DB        *db.DB
	PublicURL httpapi.PublicURL
	Opening   *opening.Service
	Claims    *redemptions.Service
	// AddressKey hides whose limits are kept after a deletion.
	AddressKey limits.AddressKey
	// Deleted is called after a user was deleted; nil = nothing to do.
	Deleted func()
	// DeletedList is the file with the ids of deleted users, for restoring backups.
	DeletedList string
	Retention   Retention
	building    chan struct{} // one slot per archive that may be built at the same time
}

// Retention is how long data is kept, in days, as the operator promises it.
type Retention struct {
	AddressDays    int64 `json:"addressDays" doc:"Days after the end of a shipment until its address is deleted."`
	BackupDays     int64 `json:"backupDays" doc:"Days for which backups keep deleted data."`
	RequestLogDays int64 `json:"requestLogDays" doc:"Days for which the log of requests is kept."`
	SessionDays    int64 `json:"sessionDays" doc:"Days after which you have to sign in again."`
}

// New returns a service.
func New(s Service) *Service {
	s.building = make(chan struct{}, archivesAtOnce)
	return &s
}

const (
	signable  = 5 * time.Minute // lifetime of a message to sign
	fetchable = time.Hour       // how long an export can be fetched
	// archivesAtOnce limits the memory that archives use.
	archivesAtOnce = 2
)

// Purpose is what a signature permits.
type Purpose string

// The purposes.
const (
	Export   Purpose = "export"
	Deletion Purpose = "deletion"
)

// statements are the sentences that users sign.
var statements = map[Purpose]string{
	Export: "Let this browser download one archive with all my personal data. This sends no transaction and costs nothing.",
	Deletion: fmt.Sprintf("Delete my account in %d days. My bids, listings and gifts end now. I give up the points and items that I still have then. "+
		"This sends no transaction and costs nothing.", waitDays),
}

// titles begin the messages, each differently from a message that signs in or claims, so that no
// signature can be used as another.
var titles = map[Purpose]string{
	Export:   "the export of your data",
	Deletion: "the deletion of your account",
}

// challenge is a message that a user was asked to sign.
type challenge struct {
	purpose             Purpose
	session             [32]byte // that asked; no other one can use the signature
	nonce               string
	issuedAt, expiresAt time.Time
}

// message returns the exact text to sign.
func (c challenge) message(site httpapi.PublicURL, wallet string) string {
	return fmt.Sprintf(`%s asks you to confirm %s with your Solana account:
%s

%s

URI: %s
Version: 1
Nonce: %s
Issued At: %s
Expiration Time: %s`,
		site.Host(), titles[c.purpose], wallet, statements[c.purpose], site, c.nonce, httpapi.Timestamp(c.issuedAt), httpapi.Timestamp(c.expiresAt))
}

// createChallenge returns a message for a user to sign. It replaces the user's previous one.
func (s *Service) createChallenge(tx *db.Tx, user httpapi.Principal, purpose Purpose) (DataChallenge, error) {
	issued := tx.Now.Truncate(time.Millisecond)
	c := challenge{purpose, user.Session, hex.EncodeToString(tx.Random(16)), issued, issued.Add(signable)}
	return DataChallenge{Message: c.message(s.PublicURL, user.Address), ExpiresAt: httpapi.Timestamp(c.expiresAt)}, saveChallenge(tx, user.UserID, c)
}

var errBadSignature = apperr.New(apperr.BadSignature, "The signature doesn't match this request. Please sign it again.")

// checkSignature consumes the caller's challenge and checks its signature. The challenge must have
// been made for this purpose and the same session.
func (s *Service) checkSignature(tx *db.Tx, user httpapi.Principal, purpose Purpose, signed SignedBody) error {
	c, err := consumeChallenge(tx, user.UserID)
	switch {
	case errors.Is(err, db.ErrNoRow) || err == nil && !tx.Now.Before(c.expiresAt):
		return errBadSignature.Because(errors.New("no valid challenge for this user"))
	case err != nil:
		return err
	case c.purpose != purpose || c.session != user.Session:
		return errBadSignature.Because(fmt.Errorf("the challenge was made for %s or another session", c.purpose))
	}
	err = identity.VerifyText(s.PublicURL.Host(), c.message(s.PublicURL, user.Address), user.Address, signed.Signature, signed.SignedMessage)
	if err != nil {
		return errBadSignature.Because(err)
	}
	return nil
}

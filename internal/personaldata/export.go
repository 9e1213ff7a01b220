package personaldata

import (
	"archive/zip"
	"bytes"
	"context"
	_ "embed" // for readme
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"kaibao/internal/adminlog"
	"kaibao/internal/alerts"
	"kaibao/internal/apperr"
	"kaibao/internal/bids"
	"kaibao/internal/csvfile"
	"kaibao/internal/db"
	"kaibao/internal/deposits"
	"kaibao/internal/gifts"
	"kaibao/internal/httpapi"
	"kaibao/internal/identity"
	"kaibao/internal/inventory"
	"kaibao/internal/leaderboard"
	"kaibao/internal/ledger"
	"kaibao/internal/limits"
	"kaibao/internal/opening"
	"kaibao/internal/personaldata/userrows"
	"kaibao/internal/profiles"
	"kaibao/internal/redemptions"
	"kaibao/internal/trades"
)

// tables are the CSV files of an archive.
func tables() []userrows.Query {
	return slices.Concat(identity.PersonalData, ledger.PersonalData, limits.PersonalData, opening.PersonalData, inventory.PersonalData,
		trades.PersonalData, bids.PersonalData, gifts.PersonalData, redemptions.PersonalData, deposits.PersonalData, alerts.PersonalData, leaderboard.PersonalData,
		profiles.PersonalData, adminlog.PersonalData)
}

// permission allows one session to fetch one archive once.
type permission struct {
	id, user string
	session  [32]byte
}

var errNoExport = apperr.New(apperr.NotFound, "This export has expired or was already downloaded. Request a new one.")

// fetch takes the permission and returns the archive. If building it fails, the permission stays
// valid.
func (s *Service) fetch(ctx context.Context, p permission) ([]byte, error) {
	if _, ok := db.ParseID(p.id); !ok {
		return nil, errNoExport
	}
	select {
	case s.building <- struct{}{}:
		defer func() { <-s.building }()
	default:
		return nil, apperr.New(apperr.Unavailable, "Other exports are being prepared. Please try again in a minute.").After(time.Minute)
	}
	if err := s.DB.InTx(ctx, func(tx *db.Tx) error { return takePermission(tx, p) }); err != nil {
		return nil, err
	}
	var archive bytes.Buffer
	err := s.DB.Inspect(ctx, func(tx *db.Tx) error { return s.write(tx, p.user, &archive) })
	if err != nil {
		ctx, end := s.DB.WithTimeLimit(context.WithoutCancel(ctx))
		defer end()
		return nil, errors.Join(err, s.DB.InTx(ctx, func(tx *db.Tx) error { return returnPermission(tx, p.id) }))
	}
	return archive.Bytes(), nil
}

// readme explains the files, columns and codes of an archive in English and Chinese.
//
//go:embed readme.txt
var readme string

// about describes an archive, and has what no CSV file has.
type about struct {
	Service         string `json:"service"`
	ExportedAt      string `json:"exportedAt"`
	UserID          string `json:"userId"`
	UserTag         string `json:"userTag"`
	UserTagSalt     string `json:"userTagSalt"`
	AboutTag        string `json:"aboutTag"`
	AboutAmounts    string `json:"aboutAmounts"`
	AboutReceipts   string `json:"aboutReceipts"`
	LogVerifierKey  string `json:"logVerifierKey"`
	AboutLeftOut    string `json:"aboutLeftOut"`
	AboutOtherUsers string `json:"aboutOtherUsers"`
}

// write writes a user's archive: a zip file of JSON and CSV files.
func (s *Service) write(tx *db.Tx, user string, out io.Writer) error {
	archive := zip.NewWriter(out)
	u, err := identity.ByID(tx, user)
	if err != nil {
		return err
	}
	err = s.writeJSON(tx, archive, "about", about{
		Service: s.PublicURL.String(), ExportedAt: httpapi.Timestamp(tx.Now), UserID: u.ID, UserTag: u.Tag, UserTagSalt: hex.EncodeToString(u.TagSalt[:]),
		AboutTag:        "userTag is your pseudonym in the public log. userTagSalt and your wallet address prove that it is yours.",
		AboutAmounts:    "Amounts in cents are hundredths of a point. Times are in UTC.",
		AboutReceipts:   "receipts.json has the signed receipt of every open, with the verifier key of its log. `kaibao verify` and the page Verify a pull check them.",
		LogVerifierKey:  s.Opening.Log.VerifierKey(),
		AboutLeftOut:    "The server seed of your next open and your session cookies are secrets and are left out. Receipts of bids are not stored; your browser got them when you placed the bids. Internal notes that admins keep about your account are left out.",
		AboutOtherUsers: "Names and wallets of other users are left out.",
	})
	if err != nil {
		return err
	}
	if err := writeReadme(tx, archive); err != nil {
		return err
	}
	for _, table := range tables() {
		if err := writeTable(tx, archive, table, user); err != nil {
			return fmt.Errorf("export %s: %w", table.File, err)
		}
	}
	addresses, err := s.Claims.PersonalAddresses(tx, user)
	if err != nil {
		return err
	}
	if err := s.writeJSON(tx, archive, "shipping-addresses", addresses); err != nil {
		return err
	}
	if err := s.writeReceipts(tx, archive, user); err != nil {
		return err
	}
	return archive.Close()
}

func createFile(tx *db.Tx, archive *zip.Writer, name string) (io.Writer, error) {
	return archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: tx.Now})
}

// writeReadme writes the readme with the line ends and the byte order mark that old editors need.
func writeReadme(tx *db.Tx, archive *zip.Writer) error {
	file, err := createFile(tx, archive, "README.txt")
	if err != nil {
		return err
	}
	_, err = io.WriteString(file, csvfile.ByteOrderMark+strings.ReplaceAll(readme, "\n", "\r\n"))
	return err
}

func (s *Service) writeJSON(tx *db.Tx, archive *zip.Writer, name string, v any) error {
	file, err := createFile(tx, archive, name+".json")
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	_, err = file.Write(append(text, '\n'))
	return err
}

func writeTable(tx *db.Tx, archive *zip.Writer, table userrows.Query, user string) error {
	file, err := createFile(tx, archive, table.File+".csv")
	if err != nil {
		return err
	}
	if _, err := io.WriteString(file, csvfile.ByteOrderMark); err != nil {
		return err
	}
	rows := csv.NewWriter(file)
	rows.UseCRLF = true
	if err := rows.Write(table.Header()); err != nil {
		return err
	}
	err = table.Each(tx, user, func(row []string) error {
		for i := range row {
			row[i] = csvfile.EscapeCell(row[i])
		}
		return rows.Write(row)
	})
	rows.Flush()
	return errors.Join(err, rows.Error())
}

// signedOpen is an open with its receipt and the verifier key of its log.
type signedOpen struct {
	opening.Signed
	LogKey string `json:"logKey"`
}

// writeReceipts writes every open with its receipt as a JSON array, one at a time.
func (s *Service) writeReceipts(tx *db.Tx, archive *zip.Writer, user string) error {
	file, err := createFile(tx, archive, "receipts.json")
	if err != nil {
		return err
	}
	separator := "["
	err = s.Opening.EachReceipt(tx, user, func(open opening.Signed, logKey string) error {
		text, err := httpapi.EncodeJSON(signedOpen{open, logKey})
		if err != nil {
			return err
		}
		_, err = file.Write(append([]byte(separator), text...))
		separator = ","
		return err
	})
	if err != nil {
		return err
	}
	if separator == "[" {
		separator = "[]\n"
	} else {
		separator = "]\n"
	}
	_, err = io.WriteString(file, separator)
	return err
}

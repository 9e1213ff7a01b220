package db_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// releasedHashes maps each released migration to its SHA-256.
var releasedHashes = map[string]string{
	"00001_base.sql":           "6074d1d0715b9edb97d1d05311d50030cc96b07f9dc1b2488015c08fa1b7dd10",
	"00002_trades.sql":         "0468705a3c29908f9955a6feb3de12ddec6b94b9f8c246ed52a3422ad27b6561",
	"00003_bids.sql":           "bece4cf6d5263c52ace08b016fabb08fd892a5ea97fec0368fa0b847a451f7d1",
	"00004_alerts.sql":         "e1070cd20193f0d38b83de86c9c99133f241c21a13481f2fd61d39ea8b73e43a",
	"00005_watchlist.sql":      "d5e2d22dbbf5db89a72a44c893d4fc8c3c717bad8c444a5513a3125cab59fdde",
	"00006_feed.sql":           "17fc6e3c2c0cc9fadf494a342054bd75da9c9a246810a9ee4f1ec3e996d92914",
	"00007_limits.sql":         "259ca10fd1eb0155d3757521e603be1dbd74720e589987c077e4fa98ef3e69f3",
	"00008_proven.sql":         "9b7db295cec791783af337b57ca6dcd094b32da3a8b7c33757fbb9459fdfda55",
	"00009_alerts_by_bid.sql":  "916e30c4ef476c9647a740a924cf1d94b576daf0374f0d71e56685ad0cf59a1b",
	"00010_player_numbers.sql": "ac13343d6fbd420c67b2e72b7399f7dc2a7047feaa2b8bd26234e715f02e32e7",
	"00011_search.sql":         "7c8cc1c656cd4aee78e81f50992ef6407ea6fe2da1fe94e52267335990a2b052",
	"00012_rates.sql":          "6de5c87ecd3c01eefea31dfa93eb14aa001601ce3f32164bfe4a7cb77a93379f",
	"00013_rising_values.sql":  "f4371be27077d1674821daf1a54f814ac58b72afd3368d0e096401c93c6a8d5d",
	"00014_certificates.sql":   "f18c7c4164545a0dd32b20134d533ba86fca9dd0f413bab87c91c9dd3fc13227",
	"00015_money_roads.sql":    "caa0ae3c82169bd948356c7bf7f009283aa5620218cdd64038a353f432ff0435",
	"00016_pack_names.sql":     "9d8c4d5f2503e85eb99c337f40b7aa7e1b14d97b0bc707b734f0832e13b97778",
	"00017_event_users.sql":    "1a3174b638be4cef99260ad6bb15c2bdb55717b85d14699c19365fa735c1eda9",
	"00018_user_notes.sql":     "b0f4ae78d83e0e05939e5b9062f0bb6c918dad43542eee45d5a3c8a95b6fd274",
	"00019_moderation.sql":     "f9b86643aa68ef25ba33433937b5f6bf380c07cee328262dab4e5df73960647e",
	"00020_personal_data.sql":  "f6c925b9c050944d0b058a07b0b575f7866ad2c0d7aefb7d20d9cdcae526be59",
}

// Released migrations are never edited: databases that ran the old text would have another schema than
// their version says.
func TestMigrationsAreOnlyAdded(t *testing.T) {
	files, err := filepath.Glob("migrations/*.sql")
	if err != nil || len(files) != len(releasedHashes) {
		t.Fatalf("%d migrations, but %d hashes: add the hash of a new migration here: %v", len(files), len(releasedHashes), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		hash := sha256.Sum256(text)
		if found := hex.EncodeToString(hash[:]); found != releasedHashes[filepath.Base(file)] {
			t.Errorf("%s was edited after its release (SHA-256 %s): restore it and add a migration", file, found)
		}
		for line := range strings.Lines(string(text)) {
			if strings.Contains(line, "CHECK (") && !namedCheck.MatchString(line) {
				t.Errorf("%s: a check without a name, which no migration could change on SQLite: %s", file, line)
			}
		}
	}
}

var namedCheck = regexp.MustCompile(`CONSTRAINT \w+ CHECK \(`)

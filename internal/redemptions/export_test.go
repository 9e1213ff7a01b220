package redemptions

import (
	"kaibao/internal/db"
	"kaibao/internal/inventory"
	"kaibao/internal/keyring"
)

// SealForTest stores an encrypted address for each of the claims.
func SealForTest(tx *db.Tx, key keyring.Key, claims []string) error {
	rows := db.Rows{Columns: []string{"claim_id", "key_id", "sealed"}}
	for _, id := range claims {
		s, err := seal(key, id, addressPlaintext{Address: Address{Name: "Somebody", Line1: "A street", Country: "DE"}})
		if err != nil {
			return err
		}
		rows.Add(db.ID(s.claimID), s.keyID, s.ciphertext)
	}
	return tx.InsertRows("claim_addresses", rows)
}

// CheckFiniteStockForTest calls checkFiniteStock.
func (s *Service) CheckFiniteStockForTest(tx *db.Tx, entries []inventory.Entry) error {
	return s.checkFiniteStock(tx, entries)
}

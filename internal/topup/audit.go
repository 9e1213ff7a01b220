package topup

import (
	"fmt"

	"kaibao/internal/audit"
	"kaibao/internal/db"
)

// Audit proves that every credit that an admin gave stands in the audit trail as
// it was asked for, and that nothing stands there that was not given.
func Audit(tx *db.Tx) (found []audit.Breach, err error) {
	err = eachCredit(tx, func(c credit) error {
		if fault := c.check(); fault != "" {
			found = append(found, audit.Breach{Rule: "every credit has its act", Row: "credit " + c.id, Detail: fault})
		}
		return nil
	})
	return found, err
}

func (c credit) check() string {
	asked := c.request
	switch {
	case !c.moved:
		return "nothing was moved for it"
	case !c.acted:
		return fmt.Sprintf("%s to %s, and no act in the audit trail", c.amount, c.wallet)
	case c.amount != asked.Amount.Cents() || c.wallet != asked.WalletAddress || c.note != note(asked.Reason, c.admin) || c.at != c.asked:
		return fmt.Sprintf("%s to %s at %d, %q; asked for were %s to %s at %d, %q by %s",
			c.amount, c.wallet, c.at, c.note, asked.Amount.Cents(), asked.WalletAddress, c.asked, asked.Reason, c.admin)
	}
	return ""
}

package catalogue

import (
	"fmt"

	"kaibao/internal/db"
	"kaibao/internal/fair"
	"kaibao/internal/fault"
	"kaibao/internal/money"
)

// SellBackRate is what the house pays for an item (specification, section 9).
const SellBackRate money.Percent = 90

// margin refuses a pack that is expected to pay back more than it costs,
// unless a loss was accepted and is not used up yet.
func margin(p Pack, m *fair.Manifest, stock fair.Stock) error {
	expected := fair.ExpectedValue(m, stock).Share(SellBackRate)
	if expected <= p.Price {
		return nil
	}
	if p.AcceptedLoss == nil {
		return fault.New(fault.Conflict, "margin",
			fmt.Sprintf("The expected sell-back is %s for a price of %s; a loss must be accepted first.", expected, p.Price))
	}
	if accepted := money.Cents(*p.AcceptedLoss); accepted != Unlimited && p.RealisedLoss >= accepted {
		return fault.New(fault.Conflict, "margin",
			fmt.Sprintf("The accepted loss of %s is used up.", accepted))
	}
	return nil
}

// Activate puts a pack on sale. The margin guard refuses one that loses money
// by its odds unless acceptedLoss, in cents, says how much may be lost
// (Unlimited = any); nil accepts none. Nor does a pack go on sale that shares a
// card of finite stock with another.
func (c *Catalogue) Activate(tx *db.Tx, packID string, acceptedLoss *int64) error {
	p, err := lockPack(tx, packID)
	if err != nil {
		return err
	}
	current, _, err := c.InForce(tx, packID)
	if err != nil {
		return err
	}
	if err := c.checkApart(tx, packID, current.Manifest); err != nil {
		return err
	}
	stock, err := Stock(tx, packID)
	if err != nil {
		return err
	}
	p.AcceptedLoss, p.RealisedLoss = acceptedLoss, 0
	if err := margin(p, current.Manifest, stock); err != nil {
		return err
	}
	return activate(tx, packID, acceptedLoss)
}

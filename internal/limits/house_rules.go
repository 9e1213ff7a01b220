package limits

import (
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/houserules"
	"kaibao/internal/httpapi"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
)

// HouseRule is the detail of errHouseLimit: the rule that an open or a gift would break.
type HouseRule struct {
	Rule     string `json:"rule" enum:"highestPackCents,spentDayCents,opensDay,secondsBetween,giftsDayCents"`
	Most     int64  `json:"most" doc:"The limit in cents, opens or seconds."`
	RenewsAt string `json:"renewsAt,omitempty" doc:"When the user can open packs or give items again."`
}

var errHouseLimit = apperr.New(apperr.HouseLimit, "House rules don't allow this open right now. You were not charged.")

// checkHouseRules refuses an open that violates the house rules.
func checkHouseRules(p ledger.PlayLimits, now time.Time, price money.Cents, house houserules.Rules) error {
	tomorrow, next := Day.Ends(now), db.Time(p.OpenedAt).Add(time.Duration(house.SecondsBetween)*time.Second)
	for _, r := range []struct {
		rule   string
		most   int64
		breaks bool
		renews time.Time
	}{
		{"highestPackCents", int64(house.MaxPackCents), price > house.MaxPackCents, time.Time{}},
		{"spentDayCents", int64(house.SpentDayCents), p.Spent+price > house.SpentDayCents, tomorrow},
		{"opensDay", house.OpensDay, p.Opens >= house.OpensDay, tomorrow},
		{"secondsBetween", house.SecondsBetween, now.Before(next), next},
	} {
		if r.most == 0 || !r.breaks {
			continue
		}
		broken := HouseRule{Rule: r.rule, Most: r.most}
		if !r.renews.IsZero() {
			broken.RenewsAt = httpapi.Timestamp(r.renews)
		}
		return errHouseLimit.WithDetails(broken)
	}
	return nil
}

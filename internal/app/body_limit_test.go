package app_test

import (
	"net/http"
	"strings"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/policy"
)

// A pack with all texts at their maximum length fits the body limit even if every character is
// escaped. It is refused only for its unknown series.
func TestLongestPackFitsTheBodyLimit(t *testing.T) {
	admin := apptest.Start(t, apptest.Config(t, "sqlite", apptest.Empty)).Admin(t)
	escaped := func(most int) string { return strings.Repeat(`\ud83d\ude00`, most) }
	series := strings.Repeat(`"`+escaped(policy.MaxSeriesLength/4)+`",`, policy.MaxSeriesPerPack)
	admin.Post(t, "/api/admin/packs", `{"name":"`+escaped(policy.MaxPackNameLength)+`","nameZh":"`+escaped(policy.MaxPackNameLength)+`","priceCents":100,"coverImageUrl":"https://a.example/`+
		escaped(policy.MaxItemPictureURLLength-18)+`","lootTableJson":{"itemsPerPack":1,"rarities":{"Common":1}},"series":[`+strings.TrimSuffix(series, ",")+`]}`).
		Refused(t, http.StatusUnprocessableEntity, "invalid")
}

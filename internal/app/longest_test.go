package app_test

import (
	"net/http"
	"strings"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/policy"
)

// What a pack may be is read even when every character of it is escaped; that there
// are no such series is said of it, and not that it is too large.
func TestTheLongestPackIsRead(t *testing.T) {
	admin := apptest.Start(t, apptest.Config(t, "sqlite", apptest.Empty)).Admin(t)
	escaped := func(most int) string { return strings.Repeat(`\ud83d\ude00`, most) }
	series := strings.Repeat(`"`+escaped(policy.LongestSeries/4)+`",`, policy.MostSeries)
	admin.Post(t, "/api/admin/packs", `{"name":"`+escaped(policy.LongestPackName)+`","priceCents":100,"coverImageUrl":"https://a.example/`+
		escaped(policy.LongestPicture-18)+`","lootTableJson":{"itemsPerPack":1,"rarities":{"Common":1}},"series":[`+strings.TrimSuffix(series, ",")+`]}`).
		Refused(t, http.StatusUnprocessableEntity, "invalid")
}

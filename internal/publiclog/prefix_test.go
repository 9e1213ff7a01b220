package publiclog_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	log "kaibao/internal/publiclog"
)

// The trees of an earlier copy of a database are prefixes of its later ones, across epochs, and those of
// other databases aren't.
func TestCheckPrefix(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		key := newKey(t)
		options := log.Options{DB: d, Keys: log.FixedKeys(key), CheckpointFile: filepath.Join(t.TempDir(), "checkpoint")}
		l := openLog(t, d, key, options.CheckpointFile)
		trees := func() (all []log.EpochTree) {
			t.Helper()
			if err := d.Read(t.Context(), func(tx *db.Tx) (err error) { all, err = log.Trees(tx); return err }); err != nil {
				t.Fatal(err)
			}
			return all
		}
		check := func(others []log.EpochTree) error {
			return d.Read(t.Context(), func(tx *db.Tx) error { return log.CheckPrefix(tx, others) })
		}
		earlier := [][]log.EpochTree{trees()}
		grow := func(sizes ...int) {
			t.Helper()
			last := sizes[0]
			for _, size := range sizes[1:] {
				if err := d.InTx(t.Context(), func(tx *db.Tx) error {
					for n := last; n < size; n++ {
						if err := log.Append(tx, openLeaf(n)); err != nil {
							return err
						}
					}
					return nil
				}); err != nil {
					t.Fatal(err)
				}
				sequence(t, l)
				earlier, last = append(earlier, trees()), size
			}
		}
		grow(0, 1, 3, 255, 256, 300)
		before := trees()
		var err error
		l, _, err = log.StartEpoch(t.Context(), options, log.EpochStart{Begin: func(*db.Tx, string) error { return nil }})
		if err != nil {
			t.Fatal(err)
		}
		grow(300, 310, 320)
		for _, trees := range earlier {
			if err := check(trees); err != nil {
				t.Errorf("%+v: %v", trees, err)
			}
		}
		now := trees()
		if len(now) != 2 || now[0].Size != 300 || now[0].SignedAt.IsZero() {
			t.Fatalf("the trees are %+v", now)
		}
		changed := func(trees []log.EpochTree, change func([]log.EpochTree)) []log.EpochTree {
			trees = slices.Clone(trees)
			change(trees)
			return trees
		}
		for want, others := range map[string][]log.EpochTree{
			"it has 0 epochs":                nil,
			"it has 3 epochs":                append(slices.Clone(now), now[1]),
			"from another shop":              changed(now, func(e []log.EpochTree) { e[0].Origin = "kaibao.log/other" }),
			"restored from an older backup":  changed(before, func(e []log.EpochTree) { e[0].Size++ }),
			"differ from the server's":       changed(before, func(e []log.EpochTree) { e[0].Root[0] ^= 1 }),
			"it has 299 leaves of the ended": changed(now, func(e []log.EpochTree) { e[0].Size-- }),
			"its first 299 leaves":           changed(before, func(e []log.EpochTree) { e[0].Size-- }),
		} {
			if err := check(others); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %q", err, want)
			}
		}
	})
}

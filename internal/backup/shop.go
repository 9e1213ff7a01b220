package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// shopFile names the shop whose backups a target contains. Two shops in one target would delete each
// other's backups and restore the other's.
const shopFile = "shop"

// Claim reserves a target for a shop. It returns an error if the target belongs to another one. A target
// without that file belongs to the first shop that claims it, even if an earlier version has stored
// backups there.
func Claim(ctx context.Context, t Target, shop string) error {
	if claimed, err := CheckShop(ctx, t, shop); claimed || err != nil {
		return err
	}
	text := shop + "\n"
	if err := t.Put(ctx, shopFile, strings.NewReader(text), int64(len(text))); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("store %s in %s: %w", shopFile, t, err)
	}
	_, err := CheckShop(ctx, t, shop) // another shop may have been faster
	return err
}

// CheckShop reports whether a target belongs to a shop. It returns false if the target belongs to none,
// and an error if it belongs to another one. An empty id is that of a database without a history.
func CheckShop(ctx context.Context, t Target, shop string) (claimed bool, err error) {
	text, found, err := ReadText(ctx, t, shopFile)
	if err != nil || !found {
		return false, err
	}
	owner := strings.TrimSpace(text)
	switch {
	case owner == shop:
		return true, nil
	case shop == "":
		return false, fmt.Errorf("%s contains the backups of the shop %s, and this database is new: restore one, or give this shop its own folder or prefix", t, owner)
	}
	return false, fmt.Errorf("%s contains the backups of another shop (%s; this one is %s): give each shop its own folder or prefix", t, owner, shop)
}

// ReadText reads a small stored file. It returns false if there is none.
func ReadText(ctx context.Context, t Target, name string) (text string, found bool, err error) {
	in, err := t.Get(ctx, name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	if err != nil {
		return "", false, fmt.Errorf("read %s from %s: %w", name, t, err)
	}
	content, err := io.ReadAll(in)
	if err := errors.Join(err, in.Close()); err != nil {
		return "", false, fmt.Errorf("read %s from %s: %w", name, t, err)
	}
	return string(content), true, nil
}

package apperr

import (
	"errors"
	"fmt"
	"regexp"
	"testing"
	"time"
)

func TestAsFindsAWrappedError(t *testing.T) {
	gone := New(SoldOut, "This pack is sold out.")
	if got := As(fmt.Errorf("opening a pack: %w", gone)); got != gone {
		t.Errorf("As = %+v", got)
	}
}

func TestAsHidesOtherErrors(t *testing.T) {
	secret := errors.New("dial tcp 10.0.0.1: refused")
	got := As(secret)
	if got.Code != Internal || got.Message == secret.Error() {
		t.Errorf("As = %+v", got)
	}
	if !errors.Is(got, secret) {
		t.Error("the cause is lost for the log")
	}
}

func TestIsCode(t *testing.T) {
	err := fmt.Errorf("opening: %w", New(SoldOut, "Sold out."))
	if !IsCode(err, SoldOut) || IsCode(err, Inactive) || IsCode(errors.New("sold_out"), SoldOut) || IsCode(nil, Code{}) {
		t.Error("IsCode confuses codes")
	}
}

func TestConstructors(t *testing.T) {
	if e := InvalidField("amount", "must be positive"); e.Code != Invalid ||
		e.Fields["amount"] != "must be positive" || e.Error() != "amount: must be positive" {
		t.Errorf("InvalidField = %+v", e)
	}
	if e := Missing("pack"); e.Code != NotFound || e.Error() != "pack not found" {
		t.Errorf("Missing = %+v", e)
	}
}

// An Error is often a package variable, so the decorators must copy it.
func TestDecoratorsLeaveTheOriginal(t *testing.T) {
	base := New(Conflict, "The state has moved on.")
	cause, fields := errors.New("row changed"), map[string]string{"id": "taken"}

	because := base.Because(cause)
	details := base.WithDetails(42)
	after := base.After(time.Second)
	named := base.WithFields(fields)
	fields["id"] = "changed later"

	if !errors.Is(because, cause) || because.Error() != "The state has moved on: row changed" {
		t.Errorf("Because = %v", because)
	}
	if details.Details != 42 || after.RetryAfter != time.Second || named.Fields["id"] != "taken" {
		t.Errorf("decorated: %+v, %+v, %+v", details, after, named)
	}
	if base.Unwrap() != nil || base.Details != nil || base.RetryAfter != 0 || base.Fields != nil {
		t.Errorf("the original changed: %+v", base)
	}
}

func TestCodesAreUniqueSnakeCase(t *testing.T) {
	form, seen := regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`), map[string]bool{}
	for _, c := range Codes() {
		if !form.MatchString(c.String()) || seen[c.String()] {
			t.Errorf("the code %q is declared twice or is not snake_case", c)
		}
		seen[c.String()] = true
	}
	if len(seen) == 0 || !seen[AlreadySold.String()] || AlreadySold.Kind() != KindConflict {
		t.Errorf("declared codes: %v", Codes())
	}
}

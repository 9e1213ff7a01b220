package apperr

import (
	"strconv"
	"unicode/utf8"
)

// Within refuses a field's number unless least <= value <= most.
func Within(field string, value, least, most int64) error {
	if value < least || value > most {
		return InvalidField(field, "must be from "+strconv.FormatInt(least, 10)+" to "+strconv.FormatInt(most, 10))
	}
	return nil
}

// Short refuses a field's text if it has more than most characters.
func Short(field, text string, most int) error {
	if utf8.RuneCountInString(text) > most {
		return InvalidField(field, "must have at most "+strconv.Itoa(most)+" characters")
	}
	return nil
}

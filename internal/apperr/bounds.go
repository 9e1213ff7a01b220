package apperr

import (
	"strconv"
	"unicode/utf8"
)

// CheckRange returns an error for a field whose number isn't from minimum to maximum.
func CheckRange(field string, value, minimum, maximum int64) error {
	if value < minimum || value > maximum {
		return InvalidField(field, "must be from "+strconv.FormatInt(minimum, 10)+" to "+strconv.FormatInt(maximum, 10))
	}
	return nil
}

// CheckMaxLength returns an error for a field whose text has more characters than maximum.
func CheckMaxLength(field, text string, maximum int) error {
	if utf8.RuneCountInString(text) > maximum {
		return InvalidField(field, "must have at most "+strconv.Itoa(maximum)+" characters")
	}
	return nil
}

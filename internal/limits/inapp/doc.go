// Package inapp has the whole-app tests of package limits; it has no production code.
package inapp

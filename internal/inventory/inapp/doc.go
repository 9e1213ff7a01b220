// Package inapp has the whole-app tests of package inventory; it has no production code.
package inapp

// Package inapp has the whole-app tests of package identity; it has no production code.
package inapp

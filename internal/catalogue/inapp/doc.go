// Package inapp has the whole-app tests of package catalogue; it has no production code.
package inapp

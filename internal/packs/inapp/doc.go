// Package inapp has the whole-app tests of package packs; it has no production code.
package inapp

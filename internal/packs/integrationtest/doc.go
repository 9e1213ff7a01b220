// Package integrationtest has the whole-app tests of package packs; it has no production code.
package integrationtest

// Package integrationtest has the whole-app tests of package feed; it has no production code.
package integrationtest

// Package integrationtest has the whole-app tests of package profiles; it has no production code.
package integrationtest

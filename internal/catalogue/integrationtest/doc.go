// Package integrationtest has the whole-app tests of package catalogue; it has no production code.
package integrationtest

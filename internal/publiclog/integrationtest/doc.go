// Package integrationtest has the whole-app tests of package publiclog; it has no production code.
package integrationtest

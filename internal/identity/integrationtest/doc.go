// Package integrationtest has the whole-app tests of package identity; it has no production code.
package integrationtest

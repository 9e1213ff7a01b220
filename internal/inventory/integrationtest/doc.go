// Package integrationtest has the whole-app tests of package inventory; it has no production code.
package integrationtest

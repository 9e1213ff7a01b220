// Package integrationtest has the whole-app tests of package gifts; it has no production code.
package integrationtest

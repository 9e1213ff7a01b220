// Package integrationtest has the whole-app tests of package limits; it has no production code.
package integrationtest

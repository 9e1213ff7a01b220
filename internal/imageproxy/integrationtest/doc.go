// Package integrationtest has the whole-app tests of package imageproxy; it has no production code.
package integrationtest

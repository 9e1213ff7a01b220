// Package integrationtest has the whole-app tests of package importer; it has no production code.
package integrationtest

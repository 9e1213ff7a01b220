// Package integrationtest has the whole-app tests of package toppulls; it has no production
// code.
package integrationtest

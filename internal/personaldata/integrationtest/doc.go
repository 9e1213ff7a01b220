// Package integrationtest has the whole-app tests of package personaldata; it has no production
// code.
package integrationtest

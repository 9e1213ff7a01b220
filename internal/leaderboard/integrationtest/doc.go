// Package integrationtest has the whole-app tests of package leaderboard; it has no production
// code.
package integrationtest

// Package inapp has the whole-app tests of package leaderboard; it has no production code.
package inapp

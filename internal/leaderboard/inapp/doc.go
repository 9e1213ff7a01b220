// Package inapp tests package leaderboard in the whole app.
package inapp

// Package inapp tests package feed in the whole app.
package inapp

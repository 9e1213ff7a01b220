// Package inapp tests package identity in the whole app.
package inapp

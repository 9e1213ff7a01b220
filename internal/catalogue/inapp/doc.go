// Package inapp tests package catalogue in the whole app.
package inapp

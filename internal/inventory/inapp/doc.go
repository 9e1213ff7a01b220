// Package inapp tests package inventory in the whole app.
package inapp

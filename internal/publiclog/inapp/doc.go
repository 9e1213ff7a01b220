// Package inapp tests package publiclog in the whole app.
package inapp

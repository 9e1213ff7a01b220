// Package inapp tests package limits in the whole app.
package inapp

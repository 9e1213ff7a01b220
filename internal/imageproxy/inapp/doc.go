// Package inapp tests package imageproxy in the whole app.
package inapp

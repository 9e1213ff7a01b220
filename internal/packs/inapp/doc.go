// Package inapp tests package packs in the whole app.
package inapp

// Package inapp tests package importer in the whole app.
package inapp

// Package integrationtest tests sets in the whole app.
package integrationtest

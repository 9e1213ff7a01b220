// Package tools pins the Go tools of the repository in a module of its own, so that
// their dependencies stay out of the product's, and proves the house rules.
package tools

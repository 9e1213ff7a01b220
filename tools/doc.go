// Package tools pins the repository's Go tools in a module of its own, which keeps their
// dependencies out of the product, and tests the code rules.
package tools

// Package tools tests the code rules. Its module keeps the dependencies of tools out of the product.
package tools

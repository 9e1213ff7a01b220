package main

import (
	"fmt"

	"kaibao/internal/app"
)

type versionCommand struct{}

// Run prints the version.
func (versionCommand) Run() error {
	_, err := fmt.Println(version)
	return err
}

type openAPICommand struct{}

// Run prints the API's OpenAPI document.
func (openAPICommand) Run() error {
	contract, err := app.Contract()
	if err != nil {
		return err
	}
	fmt.Println(string(contract))
	return nil
}

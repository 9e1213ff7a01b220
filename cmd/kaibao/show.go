package main

import (
	"fmt"

	"kaibao/internal/app"
)

type show struct{}

// Run prints the version.
func (show) Run() error {
	_, err := fmt.Println(version)
	return err
}

type openAPI struct{}

// Run prints the API's OpenAPI document.
func (openAPI) Run() error {
	contract, err := app.Contract()
	if err != nil {
		return err
	}
	fmt.Println(string(contract))
	return nil
}

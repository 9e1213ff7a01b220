package app

import (
	"net/http"
	"sync"

	"kaibao/internal/db"
	"kaibao/internal/houserules"
	"kaibao/internal/httpapi"
	"kaibao/internal/httpcache"
)

// Contract returns the OpenAPI document of all routes.
func Contract() ([]byte, error) {
	return newServices(Config{}, &db.DB{}, httpapi.PublicURL{}, nil, secrets{}, houserules.Default()).api(httpapi.Options{DB: &db.DB{}}).OpenAPI()
}

// serveOpenAPI registers the OpenAPI document. It is generated at its first request.
func serveOpenAPI(api *httpapi.API) {
	document := sync.OnceValues(api.OpenAPI)
	route := httpapi.Get(httpapi.Public, httpapi.DocumentPath, "get-openapi", "This document")
	api.File(route, httpapi.JSONType, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := document()
		if err != nil {
			api.Fail(w, r, err)
			return
		}
		httpcache.Current(w, r, httpapi.JSONType, body)
	}))
}

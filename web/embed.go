// Package web holds the built web app, so that the server is one file.
package web

import "embed"

// Dist is the output of `npm run build` under the folder "dist". On a tree that
// was never built it holds only a placeholder, which lets the Go code compile.
//
//go:embed all:dist
var Dist embed.FS

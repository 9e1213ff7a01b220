package postgres

import "testing"

func TestServerUnverified(t *testing.T) {
	for url, want := range map[string]bool{
		"postgres://kaibao@db.example/kaibao":                     true,
		"postgres://kaibao@db.example/kaibao?sslmode=prefer":      true,
		"postgres://kaibao@db.example/kaibao?sslmode=require":     true,
		"postgres://kaibao@10.0.0.5/kaibao":                       true,
		"postgres://kaibao@db.example/kaibao?sslmode=verify-ca":   false,
		"postgres://kaibao@db.example/kaibao?sslmode=verify-full": false,
		"postgres://kaibao@db.example/kaibao?sslmode=disable":     false,
		"postgres://kaibao@localhost/kaibao":                      false,
		"postgres://kaibao@[::1]/kaibao":                          false,
		"postgres://kaibao@127.0.0.1/kaibao":                      false,
		"postgres:///kaibao?host=/run/postgresql":                 false,
		"postgres://kaibao@db.example:port/kaibao":                false,
	} {
		if got := ServerUnverified(url); got != want {
			t.Errorf("%s: %t, want %t", url, got, want)
		}
	}
}

package protocol

import "testing"

func TestKeyName(t *testing.T) {
	continued := NewOrigin("shop.example/log", []byte{0, 1, 2, 3, 4, 5, 6, 0xff})
	for origin, want := range map[string]string{
		"shop.example/log":                  "shop.example/log",
		continued:                           "shop.example/log",
		"shop.example/log/00010203040506ff": "shop.example/log",
		"shop.example/log/00010203040506FF": "shop.example/log/00010203040506FF",
		"shop.example/00010203040506ff/log": "shop.example/00010203040506ff/log",
		"shop.example/log-0010203040506ff0": "shop.example/log-0010203040506ff0",
	} {
		if got := KeyName(origin); got != want {
			t.Errorf("%s has the key %s, want %s", origin, got, want)
		}
	}
}

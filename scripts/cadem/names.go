package main

import (
	"golang.org/x/text/unicode/norm"

	"cadem.example/core/formats"
)

// The page's programs have the tables of letters from the browser, this one brings them.
func init() { formats.Compose(norm.NFC.String) }
